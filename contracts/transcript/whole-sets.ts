import type { Resource } from '../../openapi/index.ts';
import { createsOf, neverFound } from './created-items.ts';
import type { Answered } from './exchange.ts';
import { changedByOthers, type Histories, type History, readHistories } from './histories.ts';
import { textOf } from './ids.ts';
import { type Item, itemsOf } from './items.ts';
import { type ItemRecord, recordsOf, shownBy } from './ledger.ts';
import { answeredFor, readOnce, type Transcript } from './transcript.ts';
import { wholeLists } from './whole-lists.ts';

/** Whether an item has the values that filters ask for. */
export function fits(item: Item, filters: Filters): boolean {
  return Object.entries(filters).every(([name, value]) => textOf(item[name]) === value);
}

/** The resource whose list an exchange called; undefined where it called none. */
export function listedResource(
  { document }: Transcript,
  { case: { operation } }: Answered,
): Resource | undefined {
  return document.resources.find(
    ({ operations }) => operations.list !== undefined && operations.list === operation,
  );
}

/** The items of a resource, as the largest pages show them. */
export interface WholeSets {
  /**
   * A number of items that are certainly there for these filters, before an exchange where one is
   * given.
   */
  minCount(filters: Filters, before?: Answered): number;
  /** Each answer that shows all items for its filters, in order of sending. */
  views: WholeView[];
  /** Why other lists that are shorter than their limit do not show it, where there are such. */
  cutReason: string | undefined;
  /**
   * The last view that was asked for to see what had been created; a deployment had time to list it.
   * In traffic, where no call was made for it, all of the latest.
   */
  settledViews(filters: Filters): WholeView[];
  /** Items that another client may have changed or removed, by id. */
  changed: ReadonlyMap<string, History>;
  /**
   * Whether nothing can be said of an item at an instant: another client changed it, or it was
   * created only just before.
   */
  isUnsure(id: string, instant: number): boolean;
  /** Whether an answer to a later call than at an instant showed an item. */
  isSeenAfter(id: string, instant: number): boolean;
}

/** How many of the latest whole lists are judged in traffic. */
export const maxViews = 20;

type Filters = Readonly<Record<string, string>>;

/** All items that were there for these filters when the exchange was made. */
export type WholeView = { filters: Filters; items: Item[]; exchange: Answered };

/** Why nothing can be decided about items that another client may have changed. */
export function toChangedReason(changed: Iterable<History>): string {
  const [{ id, moves } = { id: '', moves: [] }, ...more] = changed;
  const which = more.length === 0 ? `item ${id}` : `item ${id} and ${more.length} more`;
  return `${which} changed during the run (${moves[0]}), and new items did not: another client may have changed it`;
}

/** Reads the largest pages of a resource. */
export const wholeSets = readOnce(readWholeSets);

function readWholeSets(transcript: Transcript, resource: Resource): WholeSets {
  const lists = answeredFor(transcript, 'list').filter(
    ({ case: { operation }, response }) =>
      operation === resource.operations.list && response.status < 300,
  );
  const { isWhole, mayOmit, leavesOut } = wholeLists(transcript, resource);
  const views = lists.filter(isWhole).flatMap((exchange): WholeView[] => {
    const items = itemsOf(exchange);
    return items ? [{ filters: exchange.case.purpose.filters, items, exchange }] : [];
  });
  const { isTraffic = false } = transcript;
  const lost = neverFound(transcript, resource);
  const created = createsOf(transcript, resource).filter(
    ({ id, exchange }) => exchange.made?.whose !== 'others' && !lost.has(id),
  );
  const records = recordsOf(transcript, resource);
  const histories: Histories = readHistories(transcript, resource);
  const changed = changedByOthers(histories);
  const seen = new Map<string, [id: string, endedAt: number][]>();
  const firstSeen = (filters: Filters) => {
    const key = JSON.stringify(filters);
    const known = seen.get(key) ?? readFirstSeen(records, filters);
    seen.set(key, known);
    return known;
  };
  // In traffic somebody else may have removed what is not shown again.
  const isUnsure = (id: string, instant: number) =>
    changed.has(id) ||
    histories.isRecent(id, instant) ||
    (isTraffic && !histories.isSeenAfter(id, instant));
  return {
    changed,
    isUnsure,
    isSeenAfter: histories.isSeenAfter,
    minCount(filters, before) {
      const instant = before?.sentAt ?? Number.POSITIVE_INFINITY;
      // Nothing of the interface removes an item, so what an earlier answer showed is still there.
      const ids = new Set(
        firstSeen(filters).flatMap(([id, endedAt]) =>
          endedAt < instant && !isUnsure(id, instant) ? [id] : [],
        ),
      );
      // What was created counts where a list may leave out what is there; what others leave out is
      // not listed at all.
      for (const { id, item, exchange } of before ? created : [])
        if (
          exchange.endedAt < instant &&
          fits(item, filters) &&
          !isUnsure(id, instant) &&
          mayOmit(before as Answered, id)
        )
          ids.add(id);
      return ids.size;
    },
    views,
    cutReason: leavesOut
      ? 'lists shorter than their limit omit items that were seen before, so an unlisted item may still exist'
      : undefined,
    settledViews: (filters) => {
      const alike = views.filter((one) => JSON.stringify(one.filters) === JSON.stringify(filters));
      if (isTraffic) return alike.slice(-maxViews);
      return alike.filter(({ exchange }) => exchange.case.stage === 'after').slice(-1);
    },
  };
}

/** The items that lists showed and that fit the filters, each with when it was first seen. */
function readFirstSeen(
  records: readonly ItemRecord[],
  filters: Filters,
): [id: string, endedAt: number][] {
  return records.flatMap((record) => {
    const ends = shownBy(record, 'shown').flatMap(({ item, exchange }) =>
      exchange.case.purpose.kind === 'list' && fits(item, filters) ? [exchange.endedAt] : [],
    );
    return ends.length === 0 ? [] : [[record.id, Math.min(...ends)]];
  });
}

/** The items of a view that have a text as the value of a field. */
export function itemsWith({ items }: WholeView, text: string): Item[] {
  return items.filter((item) => Object.values(item).includes(text));
}
