import type { Resource } from '../../openapi/index.ts';
import { isInProse } from '../document/stated.ts';
import { neverFound } from './created-items.ts';
import type { Answered } from './exchange.ts';
import { textOf } from './ids.ts';
import { countOf, type Item, idsIn, isList } from './items.ts';
import { grace, recordsOf, shownBy } from './ledger.ts';
import { maxItems } from './sample.ts';
import { type AnsweredFor, answeredFor, readOnce, type Transcript } from './transcript.ts';

type List = AnsweredFor<'list'>;

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
  createdAt: number | undefined;
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
  const largest = new Map<string, number>();
  const note = (kind: string, list: Answered) =>
    largest.set(kind, Math.max(largest.get(kind) ?? 0, countOf(list)));
  for (const list of lists) note(kindOf(list), list);
  // Lists around a change have no filters.
  for (const list of answeredFor(transcript, 'call', 'look'))
    if (list.case.operation === operations.list) note('', list);
  const isFull = (list: List) =>
    countOf(list) > maxItems || mayHaveMore(resource, list.case.purpose, countOf(list));
  const isRecent = ({ createdAt }: Seen, { sentAt }: List) =>
    createdAt !== undefined && sentAt <= createdAt + grace;
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

/** Reads what answers showed of each item that was ever found. */
function readSeen(transcript: Transcript, resource: Resource): Map<string, Seen> {
  const lost = neverFound(transcript, resource);
  const found = recordsOf(transcript, resource).filter(({ id }) => !lost.has(id));
  return new Map(
    found.map((record) => {
      const all = shownBy(record, 'created', 'shown');
      const looks = shownBy(record, 'shown').map(({ exchange }) => exchange);
      const lists = looks.filter((one): one is List => one.case.purpose.kind === 'list');
      const seen = {
        first: firstEnd(all.map(({ exchange }) => exchange)),
        last: Math.max(...looks.map(({ sentAt }) => sentAt)),
        looks: [...all.slice(0, 1), ...all.slice(-1)].map(({ item }) => item),
        createdAt: shownBy(record, 'created').at(-1)?.exchange.endedAt,
        listed: new Map([...Map.groupBy(lists, kindOf)].map(([kind, of]) => [kind, firstEnd(of)])),
      };
      return [record.id, seen];
    }),
  );
}

function firstEnd(exchanges: readonly Answered[]): number {
  return Math.min(...exchanges.map(({ endedAt }) => endedAt));
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
