import type { Resource } from '../../openapi/index.ts';
import { isInProse } from '../document/stated.ts';
import { neverFound, shownItems } from './created-items.ts';
import type { Answered } from './exchange.ts';
import { textOf } from './ids.ts';
import { countOf, type Item, idsIn, isList } from './items.ts';
import { maxItems } from './sample.ts';
import { type AnsweredFor, answeredFor, readOnce, type Transcript } from './transcript.ts';

type List = AnsweredFor<'list'>;

/**
 * How long a created item may take to be seen everywhere, in milliseconds, where the target is seen
 * to need a moment.
 */
export const grace = 2500;

/**
 * The maximum number of items that are followed, in addition to those that the run creates; nobody
 * can page through more.
 */
export const maxFollowed = 2000;

/** How many items the pages have at least that a deployment gives to who asks for no size. */
const smallestPage = 5;

/**
 * Whether there may be more than a list of so many items shows. A page is shorter than its limit
 * only where nothing follows.
 */
export function mayHaveMore(
  { listed }: Pick<Resource, 'listed'>,
  { limit }: { limit?: number },
  count: number,
): boolean {
  if (listed === 'selection') return true;
  return listed === 'page' && (limit === undefined || count >= limit);
}

/** Which lists of a resource show everything that is there for their filters. */
export interface WholeLists {
  /**
   * Whether a list certainly shows everything: it is shorter than its limit, and either lacks
   * nothing that was seen before, or the deployment was seen to respect limits. Items that it lacks
   * are then not stored.
   */
  isWhole(list: Answered): boolean;
  /** Whether a list that is shorter than its limit may omit an item that is stored. */
  mayOmit(list: Answered, id: string): boolean;
  /** Whether some list lacks an item that was seen before and may omit it. */
  leavesOut: boolean;
}

/**
 * The sightings of an item: the first and, after its create, the last, in Unix milliseconds. Also
 * its states, and when each kind of list first showed it.
 */
type Seen = {
  first: number;
  last: number;
  looks: Item[];
  createdAt: number;
  listed: Map<string, number>;
};

/**
 * Reads which lists are whole. A deployment may ignore limits, cap them, or leave out items now and
 * then.
 */
export const wholeLists = readOnce(readWholeLists);

function readWholeLists(transcript: Transcript, resource: Resource): WholeLists {
  const { operations } = resource;
  const lists = answeredFor(transcript, 'list').filter(
    (list) => list.case.operation === operations.list && list.response.status < 300 && isList(list),
  );
  const seen = readSeen(transcript, resource);
  for (const id of neverFound(transcript, resource)) seen.delete(id);
  const largest = new Map<string, number>();
  const note = (kind: string, list: Answered) =>
    largest.set(kind, Math.max(largest.get(kind) ?? 0, countOf(list)));
  for (const list of lists) note(kindOf(list), list);
  // Lists around a change have no filters.
  for (const list of answeredFor(transcript, 'call', 'look'))
    if (list.case.operation === operations.list) note('', list);
  const isFull = (list: List) =>
    countOf(list) > maxItems || mayHaveMore(resource, list.case.purpose, countOf(list));
  const isRecent = ({ createdAt }: Seen, { sentAt }: List) => sentAt <= createdAt + grace;
  const lackingIn = (list: List): [id: string, item: Seen][] => {
    const ids = new Set(idsIn(list, resource));
    return [...seen].filter(
      ([id, { first, looks }]) => first < list.sentAt && !ids.has(id) && fitAll(looks, list),
    );
  };
  const shorter = new Map(
    lists
      .filter((list) => !isFull(list))
      .map((list) => [list.number, { list, lacking: lackingIn(list) }]),
  );
  // What a list showed before, and what is there afterwards too, was there all along.
  const leavesOut = [...shorter.values()].some(({ list, lacking }) =>
    lacking.some(([, item]) => {
      const wasListed = (item.listed.get(kindOf(list)) ?? Number.POSITIVE_INFINITY) < list.sentAt;
      return wasListed && item.last > list.endedAt && !isRecent(item, list);
    }),
  );
  /** Tells whether a list may have been cut where the longest ends: at a page of a few items, it is not. */
  const mayBeCut = (list: List) =>
    resource.listed !== undefined &&
    countOf(list) >= smallestPage &&
    countOf(list) === largest.get(kindOf(list));
  const isWhole = ({ number }: Answered) => {
    const { list, lacking = [] } = shorter.get(number) ?? {};
    if (!list) return false;
    // Clauses are about lists that leave something out now and then, and no page is so short.
    const isTiny = [1, 2].includes(countOf(list)) && !isInProse(transcript.document);
    if (lacking.length === 0 || (isTiny && kindOf(list) === '')) return true;
    return !leavesOut && !mayBeCut(list);
  };
  return {
    isWhole,
    leavesOut: [...shorter.values()].some(
      ({ list, lacking }) => !isWhole(list) && lacking.some(([, item]) => !isRecent(item, list)),
    ),
    mayOmit({ number }, id) {
      const one = shorter.get(number);
      return (
        leavesOut ||
        (one !== undefined && mayBeCut(one.list) && !seen.get(id)?.listed.has(kindOf(one.list)))
      );
    },
  };
}

/** Reads what lists, reads and creates showed of each item. */
function readSeen(transcript: Transcript, resource: Resource): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { id, item, exchange, isCreate } of shownItems(transcript, resource)) {
    const { sentAt, endedAt } = exchange;
    const known = seen.get(id);
    if (!known && !isCreate && seen.size >= maxFollowed) continue;
    const listed = known?.listed ?? new Map<string, number>();
    if (exchange.case.purpose.kind === 'list') {
      const kind = kindOf(exchange as List);
      listed.set(kind, Math.min(listed.get(kind) ?? endedAt, endedAt));
    }
    seen.set(id, {
      first: Math.min(known?.first ?? endedAt, endedAt),
      last: isCreate
        ? (known?.last ?? Number.NEGATIVE_INFINITY)
        : Math.max(known?.last ?? sentAt, sentAt),
      looks: [known?.looks[0] ?? item, item],
      createdAt: isCreate ? endedAt : (known?.createdAt ?? Number.NEGATIVE_INFINITY),
      listed,
    });
  }
  return seen;
}

function fitAll(looks: readonly Item[], { case: { purpose } }: List): boolean {
  return Object.entries(purpose.filters).every(([name, value]) =>
    looks.every((look) => textOf(look[name]) === value),
  );
}

/**
 * Lists with the same filters, whatever their values: a deployment may treat limits otherwise where
 * it filters.
 */
function kindOf({ case: { purpose } }: List): string {
  return Object.keys(purpose.filters).toSorted().join(' ');
}
