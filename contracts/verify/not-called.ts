import { toExcerpt } from '../../common/look/visible.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { itemPathsOf } from '../../openapi/model/placements.ts';
import { isOnItem, whyNoCall } from '../cases/call-cases.ts';
import { isUnsafe } from '../cases/case.ts';
import { beginsAs } from '../document/item-views.ts';
import type { NotCalled } from '../report/events.ts';
import type { Choice } from '../run/choices.ts';
import { firstCause, type SkipReason, toSkipText } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** Reasons that `--call` overrides. */
const ofOwnership: readonly SkipReason['code'][] = [
  'may-change-others',
  'below-others',
  'refers-to-others',
  'never-deleted',
  'unmarked',
];

/** The chosen operations that no target was called with, each with the reason and what to do. */
export function toNotCalled(
  document: Api,
  transcripts: readonly Transcript[],
  { choice, writes }: { choice: Choice; writes: boolean },
): NotCalled[] {
  const exchanges = transcripts.flatMap((one) => one.exchanges);
  const keyed = exchanges.filter(({ case: { credential } }) => credential === 'valid');
  const called = new Set(keyed.map(({ case: { operation } }) => operation?.id));
  const skipped = transcripts.flatMap((one) => one.skipped);
  const reasonFor = (operation: Operation): string => {
    const { id, kind } = operation;
    const parent = parentFor(document, operation);
    const byParent = parent && `; --parent ${parent} makes items below one of yours`;
    const byCall = byParent ?? `; --call ${/\s/.test(id) ? `'${id}'` : id} allows it`;
    const isChange = isUnsafe(operation);
    const above = document.resources.find(
      (one) => one.operations.create && isOnItem(operation, one),
    );
    const impossible = kind === undefined ? whyNoCall(document, operation) : undefined;
    if (impossible !== undefined) return impossible;
    if (isChange && !writes) return toSkipText({ code: 'writes-not-allowed' });
    const skip = firstCause(skipped.filter((one) => one.case.operation?.id === id));
    if (skip) return toSkipText(skip) + (ofOwnership.includes(skip.code) ? byCall : '');
    const resource = findResource(document, operation) ?? above;
    const refusal = resource?.operations.create && refusalOf(resource.operations.create, exchanges);
    if (refusal !== undefined) return `${refusal}, so there was no item to try it on`;
    if (!isChange) return 'no item was found to ask it for';
    return `the run made no item to try it on${byCall}`;
  };
  // Where a few checks are held, what they do not need is not missed.
  const missed = choice.kinds === undefined ? document.operations : [];
  return missed
    .filter((one) => choice.isChosen(one) && !called.has(one.id))
    .map((one) => ({
      ...{ operation: one.id, method: one.method, path: one.path },
      reason: reasonFor(one),
    }));
}

/** The template of an item below which a run could make what an operation needs, if it is given one. */
function parentFor(document: Api, { path }: Operation): string | undefined {
  const nested = document.nested?.find(
    (one) => one.operations.create && beginsAs(path, one.path) && one.path.includes('}/'),
  );
  return nested && itemPathsOf(nested.path).at(-1);
}

/** How the creates of a collection were refused; undefined where one was not, or none was sent. */
function refusalOf({ id }: Operation, exchanges: Transcript['exchanges']): string | undefined {
  const creates = exchanges.filter(
    ({ case: { operation, purpose } }) => operation?.id === id && purpose.kind === 'create',
  );
  const statuses = new Set(creates.flatMap(({ response }) => response?.status ?? []));
  if (statuses.size === 0 || [...statuses].some((one) => one < 300)) return undefined;
  const said = creates.find(({ response }) => response !== undefined)?.response?.text ?? '';
  return `${id} answered ${[...statuses].join(', ')}${said.trim() && ` (${toExcerpt(said, 120)})`}`;
}
