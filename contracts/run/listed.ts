import { membersOf } from '../../common/json.ts';
import type { Resource } from '../../openapi/index.ts';
import type { Case, CaseStage } from '../cases/case.ts';
import { listCase } from '../cases/list-cases.ts';
import { boundedPageSize } from '../document/stated.ts';
import { type Item, idOf, shownIn } from '../transcript/items.ts';
import { mayHaveMore } from '../transcript/whole-lists.ts';
import type { Session } from './session.ts';

/** The items of the largest answer to a plain list with the key of most calls. */
export function listedItems({ transcript, keys }: Session, resource: Resource): Item[] {
  // Where no limits are stated, one key is for all calls: another may be shown other items.
  const areLimitsStated = Object.keys(transcript.document.plans).length > 0;
  const name = areLimitsStated ? undefined : keys.bulk[0]?.key.name;
  const arrays = transcript.exchanges
    .filter(
      ({ case: { operation, purpose } }) =>
        operation === resource.operations.list && purpose.kind === 'list',
    )
    .filter(({ request: { keyName = name } }) => name === undefined || keyName === name)
    .map(shownIn)
    .filter(Array.isArray);
  const largest = arrays.toSorted((left, right) => right.length - left.length)[0] ?? [];
  return largest.map(membersOf).filter((item) => item !== undefined);
}

/** A list with the largest page, by name. */
export function largestPage(
  resource: Resource,
  stage: CaseStage,
  round?: string,
): Case | undefined {
  const { list } = resource.operations;
  const size = boundedPageSize(resource);
  return (
    list &&
    listCase(list, {
      ...(size && { limit: size.max }),
      stage,
      ...(round !== undefined && { round }),
    })
  );
}

/**
 * The ids that the latest whole list of a stage shows; undefined where a page does not show
 * everything.
 */
export function listedIds(
  { transcript }: Session,
  resource: Resource,
  stage: CaseStage,
): Set<string> | undefined {
  const last = transcript.exchanges.findLast(
    ({ case: { operation, purpose, stage: madeIn } }) =>
      operation === resource.operations.list &&
      madeIn === stage &&
      purpose.kind === 'list' &&
      Object.keys(purpose.filters).length === 0,
  );
  const items = last && shownIn(last);
  const asked = last?.case.purpose.kind === 'list' ? last.case.purpose : {};
  if (!Array.isArray(items) || mayHaveMore(resource, asked, items.length)) return undefined;
  return new Set(items.flatMap((item) => idOf(item, resource.idProperty) ?? []));
}

/** Whether items of a resource may be both created and listed. */
export function isWholeChosen({ choice }: Session, { operations }: Resource): boolean {
  return [operations.list, operations.create].every((one) => one && choice.isChosen(one));
}
