import type { Resource } from '../description/document.ts';
import { neverFound } from './created-items.ts';
import { isAnswered } from './exchange.ts';
import { idAsked, idOf } from './ids.ts';
import { itemsIn } from './items.ts';
import { readStays } from './stays.ts';
import type { Transcript } from './transcript.ts';
import { grace } from './whole-lists.ts';
import { fits, wholeSets } from './whole-sets.ts';

/**
 * How many created items must be missing, and what share of those that were asked for again, as
 * somebody else may remove one.
 */
const minLost = 3;
const minShare = 0.3;

/** What was seen of the created items of a resource, in Unix milliseconds by id. */
type Seen = {
  createdAt: Map<string, number>;
  /** When the last call that showed an item was sent. */
  shown: Map<string, number>;
  /** When a call was sent that should have shown an item and did not. */
  missing: Map<string, number>;
};

/**
 * The ids of created items that are certainly lost. In traffic somebody may have emptied the store in
 * between, so there only what is missing long enough after its create counts, where several are,
 * and other created items stay or none ever shows.
 */
export function lostItems(transcript: Transcript, resource: Resource): ReadonlySet<string> {
  if (!transcript.isTraffic) return neverFound(transcript, resource);
  const { createdAt, shown, missing } = readSeen(transcript, resource);
  const late = [...createdAt].filter(
    ([id, created]) =>
      !shown.has(id) && (missing.get(id) ?? Number.NEGATIVE_INFINITY) >= created + grace,
  );
  if (![...createdAt.keys()].some((id) => shown.has(id)))
    return new Set(countApart(late, missing) >= minLost ? late.map(([id]) => id) : []);
  const stays = readStays(transcript, resource);
  const lost = late.flatMap(([id, created]) =>
    stays(created, missing.get(id) as number) ? [id] : [],
  );
  const seen = [...createdAt.keys()].filter((id) => shown.has(id)).length;
  const isMuch = lost.length >= minLost && lost.length >= (lost.length + seen) * minShare;
  return new Set(isMuch ? lost : []);
}

function readSeen(transcript: Transcript, resource: Resource): Seen {
  const { name, idProperty, operations } = resource;
  const seen: Seen = { createdAt: new Map(), shown: new Map(), missing: new Map() };
  const { createdAt, shown, missing } = seen;
  const created = new Map<string, Record<string, unknown>>();
  const deleted = new Set<string>();
  for (const exchange of transcript.exchanges.filter(isAnswered)) {
    const { case: testCase, request, response, sentAt, endedAt } = exchange;
    if (testCase.operation?.resource !== name) continue;
    if (response.status === 404 && testCase.purpose.kind === 'read')
      missing.set(idAsked(request.path), sentAt);
    if (response.status >= 300) continue;
    if (testCase.operation === operations.delete) deleted.add(idAsked(request.path));
    for (const item of itemsIn(exchange)) {
      const id = idOf(item, idProperty);
      if (id === undefined) continue;
      if (testCase.operation !== operations.create)
        shown.set(id, Math.max(shown.get(id) ?? 0, sentAt));
      else if (testCase.purpose.kind === 'create') {
        createdAt.set(id, endedAt);
        created.set(id, item);
      }
    }
  }
  for (const { filters, exchange } of wholeSets(transcript, resource).views)
    for (const [id, item] of created)
      if (!shown.has(id) && fits(item, filters) && exchange.sentAt > (createdAt.get(id) as number))
        missing.set(id, Math.max(missing.get(id) ?? 0, exchange.sentAt));
  for (const id of deleted) createdAt.delete(id);
  return seen;
}

/**
 * How many of these items were missing before the next was created: somebody must have emptied the
 * store as often, if they were stored.
 */
function countApart(
  late: readonly (readonly [id: string, created: number])[],
  missing: ReadonlyMap<string, number>,
): number {
  const spans = late
    .map(([id, created]) => ({ created, missing: missing.get(id) as number }))
    .toSorted((left, right) => left.missing - right.missing);
  let [apart, until] = [0, Number.NEGATIVE_INFINITY];
  for (const span of spans)
    if (span.created >= until) {
      apart += 1;
      until = span.missing;
    }
  return apart;
}
