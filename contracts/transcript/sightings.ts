import type { Resource } from '../../openapi/index.ts';
import type { Case } from '../cases/case.ts';
import { idAsked, idOf } from './ids.ts';
import { countOf, type Item, idsIn, isList, itemIn, itemsIn } from './items.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';
import { maxFollowed, mayHaveMore, wholeLists } from './whole-lists.ts';

/** How an answer showed an item, or that it was missing; `by` is the operation's id. */
export type Sighting = { look: Item | undefined; by: string; sentAt: number; endedAt: number };

/** Sightings of a resource's items in responses, by id. */
export type Sightings = {
  byItem: ReadonlyMap<string, readonly Sighting[]>;
  /** When each item was created first, and whether that was to see how another item changes. */
  created: ReadonlyMap<string, { at: number; isFresh: boolean }>;
  /** The ids that several creates answered with. */
  again: ReadonlySet<string>;
};

/** Reads each answer that showed an item, or should have shown it. */
export function readSightings(transcript: Transcript, resource: Resource): Sightings {
  const { idProperty, name } = resource;
  const sightings = new Map<string, Sighting[]>();
  const created = new Map<string, { at: number; isFresh: boolean }>();
  const again = new Set<string>();
  const exchanges = answeredFor(transcript, 'list', 'read', 'create', 'count').filter(
    ({ case: testCase }) => testCase.operation?.resource === name,
  );
  for (const exchange of transcript.exchanges) {
    const { case: testCase, response, endedAt } = exchange;
    const id =
      testCase.operation === resource.operations.create && (response?.status ?? 0) < 300
        ? idOf(itemIn(exchange), idProperty)
        : undefined;
    if (id !== undefined && !created.has(id))
      created.set(id, { at: endedAt, isFresh: testCase.stage === 'fresh' });
    else if (id !== undefined) again.add(id);
  }
  const note = (id: string, sighting: Sighting) => {
    if (!sightings.has(id) && sightings.size >= maxFollowed && !created.has(id)) return;
    const ofItem = sightings.get(id) ?? [];
    sightings.set(id, ofItem);
    ofItem.push(sighting);
  };
  for (const exchange of exchanges) {
    const { response, sentAt, endedAt } = exchange;
    if (response.status >= 300) continue;
    const looks = new Map(itemsIn(exchange).map((look) => [idOf(look, idProperty), look]));
    for (const [id, look] of looks)
      if (id !== undefined) note(id, { look, by: byOf(exchange), sentAt, endedAt });
  }
  for (const exchange of exchanges) {
    const { sentAt, endedAt } = exchange;
    for (const id of missingFrom(exchange, resource, sightings))
      if (
        exchange.case.purpose.kind !== 'list' ||
        !wholeLists(transcript, resource).mayOmit(exchange, id)
      )
        note(id, { look: undefined, by: byOf(exchange), sentAt, endedAt });
  }
  return { byItem: sightings, created, again };
}

/**
 * The items that were seen before and that an answer should show: the one asked for, or those that
 * a list without filters leaves out.
 */
function missingFrom(
  exchange: AnsweredFor<'list' | 'read' | 'create' | 'count'>,
  resource: Resource,
  sightings: ReadonlyMap<string, readonly Sighting[]>,
): string[] {
  const { request, response, sentAt } = exchange;
  const { purpose } = exchange.case;
  const wasSeen = (id: string) =>
    sightings.get(id)?.some(({ look, endedAt }) => look !== undefined && endedAt < sentAt) === true;
  if (purpose.kind === 'read') {
    const id = idAsked(request.path);
    return response.status === 404 && wasSeen(id) ? [id] : [];
  }
  if (purpose.kind !== 'list' || response.status >= 300 || !isList(exchange)) return [];
  const isPart = mayHaveMore(resource, purpose, countOf(exchange));
  if (isPart || Object.keys(purpose.filters).length > 0) return [];
  const listed = new Set(idsIn(exchange, resource));
  return [...sightings.keys()].filter((id) => !listed.has(id) && wasSeen(id));
}

function byOf({ case: { operation } }: { case: Case }): string {
  return operation?.id ?? '';
}
