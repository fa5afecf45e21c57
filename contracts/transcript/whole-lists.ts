import type { Resource } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { isInProse } from '../document/stated.ts';
import { neverFound } from './created-items.ts';
import type { Answer } from './exchange.ts';
import { countOf, type Item, idsIn, isList, itemsOf, textOf } from './items.ts';
import { type ItemRecord, isSeenAfter, isSettled, recordsOf } from './ledger.ts';
import { maxItems } from './sample.ts';
import {
  type AnsweredFor,
  answeredFor,
  isAnsweredFor,
  readOnce,
  type Transcript,
} from './transcript.ts';

type List = AnsweredFor<'list'>;

export type Filters = Readonly<Record<string, string>>;

/** All items that were there for these filters when the exchange was made. */
export type WholeView = {
  filters: Filters;
  items: Item[];
  ids: ReadonlySet<string | undefined>;
  exchange: Answer;
};

/** How many items the pages have at least that a deployment gives to who asks for no size. */
const smallestPage = 5;

/** How many of the latest whole lists are judged where others made the calls. */
export const maxViews = 20;

/**
 * Whether there may be more than a list of so many items shows. A page is shorter than its limit
 * only where nothing follows.
 */
export function mayHaveMore(
  { operations: { list } }: Resource,
  { limit }: { limit?: number },
  count: number,
): boolean {
  const { shows } = listRulesOf(list);
  if (shows === 'selection') return true;
  return shows === 'page' && (limit === undefined || count >= limit);
}

/** Which lists of a resource show everything that is there for their filters. */
export interface WholeLists {
  /**
   * Each list that certainly shows everything, in order of sending: it is shorter than its limit, and
   * either lacks nothing that was seen before, or the deployment was seen to respect limits. Items
   * that it lacks are then not stored.
   */
  views: WholeView[];
  /** Why other lists that are shorter than their limit do not show it, where there are such. */
  cutReason: string | undefined;
  /** Whether a list that is shorter than its limit may omit an item that is stored. */
  mayOmit(list: Answer, id: string): boolean;
  /**
   * The last view that was asked for to see what had been created; a deployment had time to list it.
   * All of the latest where no call was made for it.
   */
  settledViews(filters: Filters): WholeView[];
}

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
  const lost = neverFound(transcript, resource);
  const found = new Map(
    recordsOf(transcript, resource).flatMap((record) =>
      lost.has(record.id) ? [] : [[record.id, record]],
    ),
  );
  const largest = new Map<string, number>();
  const note = (kind: string, list: Answer) =>
    largest.set(kind, Math.max(largest.get(kind) ?? 0, countOf(list)));
  for (const list of lists) note(kindOf(list), list);
  // Lists around a change have no filters.
  for (const list of answeredFor(transcript, 'call', 'look'))
    if (list.case.operation === operations.list) note('', list);
  const isFull = (list: List) =>
    countOf(list) > maxItems || mayHaveMore(resource, list.case.purpose, countOf(list));
  const shorter = lists
    .filter((list) => !isFull(list))
    .map((list) => {
      const ids = new Set(idsIn(list, resource));
      const isLacking = (one: ItemRecord) => !ids.has(one.id) && wasThere(one, list);
      return { list, lacking: [...found.values()].filter(isLacking) };
    });
  // What a list showed before, and what is there afterwards too, was there all along.
  const leavesOut = shorter.some(({ list, lacking }) =>
    lacking.some(
      (record) =>
        isListedAlike(record, list, list.sentAt) &&
        isSeenAfter(record.shown, list.endedAt) &&
        isSettled(record, list.sentAt),
    ),
  );
  /** Tells whether a list may have been cut where the longest ends: at a page of a few items, it is not. */
  const mayBeCut = (list: List) =>
    listRulesOf(operations.list).shows !== undefined &&
    countOf(list) >= smallestPage &&
    countOf(list) === largest.get(kindOf(list));
  const isWhole = ({ list, lacking }: (typeof shorter)[number]) => {
    // Clauses are about lists that leave something out now and then, and no page is so short.
    const isTiny = [1, 2].includes(countOf(list)) && !isInProse(transcript.document);
    if (lacking.length === 0 || (isTiny && kindOf(list) === '')) return true;
    return !leavesOut && !mayBeCut(list);
  };
  const views = shorter.filter(isWhole).flatMap(({ list }): WholeView[] => {
    const items = itemsOf(list);
    const ids = new Set(idsIn(list, resource));
    return items ? [{ filters: list.case.purpose.filters, items, ids, exchange: list }] : [];
  });
  const isCut = shorter.some(
    (one) => one.lacking.some((record) => isSettled(record, one.list.sentAt)) && !isWhole(one),
  );
  const cuttable = new Map(
    shorter.flatMap(({ list }) => (mayBeCut(list) ? [[list.number, list]] : [])),
  );
  return {
    views,
    cutReason: isCut
      ? 'lists shorter than their limit omit items that were seen before, so an unlisted item may still exist'
      : undefined,
    mayOmit({ number }, id) {
      const [list, record] = [cuttable.get(number), found.get(id)];
      return leavesOut || (list !== undefined && !(record && isListedAlike(record, list)));
    },
    settledViews: (filters) => {
      const alike = views.filter((one) => JSON.stringify(one.filters) === JSON.stringify(filters));
      if (!transcript.observer.choosesCalls) return alike.slice(-maxViews);
      return alike.filter(({ exchange }) => exchange.case.stage === 'after').slice(-1);
    },
  };
}

/** Whether an item was seen before a list, and always fit its filters. */
function wasThere({ sightings }: ItemRecord, { case: { purpose }, sentAt }: List): boolean {
  return (
    sightings.some(({ exchange }) => exchange.endedAt < sentAt) &&
    [...sightings.slice(0, 1), ...sightings.slice(-1)].every(({ item }) =>
      fits(item, purpose.filters),
    )
  );
}

/** Whether an item was in a list with the same filters, by an instant where one is given. */
function isListedAlike({ shown }: ItemRecord, list: List, by = Number.POSITIVE_INFINITY): boolean {
  return shown.some(
    ({ exchange }) =>
      exchange.endedAt < by && isAnsweredFor(exchange, 'list') && kindOf(exchange) === kindOf(list),
  );
}

/**
 * Lists with the same filters, whatever their values: a deployment may treat limits otherwise where
 * it filters.
 */
function kindOf({ case: { purpose } }: List): string {
  return Object.keys(purpose.filters).toSorted().join(' ');
}

/** Whether an item has the values that filters ask for. */
export function fits(item: Item, filters: Filters): boolean {
  return Object.entries(filters).every(([name, value]) => textOf(item[name]) === value);
}

/** The items of a view that have a text as the value of a field. */
export function itemsWith({ items }: WholeView, text: string): Item[] {
  return items.filter((item) => Object.values(item).includes(text));
}

/** The resource whose list an exchange called; undefined where it called none. */
export function listedResource(
  { document }: Transcript,
  { case: { operation } }: Answer,
): Resource | undefined {
  return document.resources.find(
    ({ operations }) => operations.list !== undefined && operations.list === operation,
  );
}
