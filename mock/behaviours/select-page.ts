import type { Paging } from '../../contracts/description/collections/paging.ts';
import type { SortKey } from '../../contracts/description/collections/sorting.ts';
import { valueAt } from '../../contracts/description/property-path.ts';
import { type ByteText, parseExact, toText } from '../json/exact-json.ts';
import type { Filters, SerialItem, Store } from '../state/store.ts';
import {
  type Cursor,
  type ListPage,
  type NumberedPaging,
  type PageStep,
  parseCursor,
  readNumber,
  toCursorText,
  toNumberedPage,
} from './list-page.ts';
import { compareSortValues, type IsMeant, sortValuesOf } from './list-query.ts';

/** Which items of a collection a page is of, and in which order. */
export type Selection = {
  store: Store;
  collection: string;
  filters: Filters;
  isMeant: IsMeant | undefined;
  order: readonly SortKey[];
  size: number;
  /** Whether it has to be known how many there are. */
  needsTotal: boolean;
};

const all = Number.POSITIVE_INFINITY;

/** The page that a number asks for, or all items where no parameter does. */
export async function selectNumbered(
  selection: Selection,
  paging: NumberedPaging | undefined,
  text: string | undefined,
): Promise<ListPage> {
  const { store, collection, filters, isMeant, order, size, needsTotal } = selection;
  const { skip, page } = paging ? readNumber(paging, text, size) : { skip: 0, page: 1 };
  if (isMeant || order.length > 0) {
    const found = await store.list(collection, { filters, limit: all });
    const meant = isMeant ? found.filter(isMeant) : found;
    const items = inOrder(meant, order).slice(skip, skip + size);
    const total = meant.length;
    const hasNext = total > skip + items.length;
    return toNumberedPage({ paging, items, size, skip, page, total, hasNext });
  }
  // Asked at one moment, so that they agree.
  const [found, total] = await Promise.all([
    store.list(collection, { filters, limit: size + 1, skip }),
    needsTotal ? store.count(collection, filters) : undefined,
  ]);
  const items = found.slice(0, size);
  const hasNext = found.length > size;
  return toNumberedPage({ paging, items, size, skip, page, total, hasNext });
}

function inOrder(items: readonly ByteText[], order: readonly SortKey[]): readonly ByteText[] {
  if (order.length === 0) return items;
  return items
    .map((json) => ({ json, values: sortValuesOf(json, order) }))
    .toSorted((left, right) => compareSortValues(left.values, right.values, order))
    .map(({ json }) => json);
}

export type CursorOptions = {
  paging: Paging;
  idProperty: string;
  /** The cursor that the page is behind, or before. */
  after: string | undefined;
  before: string | undefined;
};

/** The page beside a cursor, or the first one; undefined where the cursor is none of this list. */
export async function selectByCursor(
  selection: Selection,
  { paging, idProperty, after, before }: CursorOptions,
): Promise<ListPage | undefined> {
  const { store, collection, filters, isMeant, order, size, needsTotal } = selection;
  const given = before ?? after;
  const cursor = given === undefined ? undefined : await findCursor(selection, paging, given);
  if (given !== undefined && !cursor) return undefined;
  const isBefore = before !== undefined || cursor?.isBefore === true;
  const toPage = createToCursorPage(selection, { paging, idProperty });
  const isPlain = order.length === 0 && !isBefore && !(needsTotal && isMeant);
  if (isPlain) {
    const query = { filters, isMeant };
    const behind = { ...query, limit: size + 1, after: cursor?.serial };
    const [found, [earliest], total] = await Promise.all([
      store.listSerial(collection, behind),
      cursor ? store.listSerial(collection, { ...query, limit: 1 }) : [],
      needsTotal ? store.count(collection, filters) : undefined,
    ]);
    const hasPrevious = earliest !== undefined && earliest.serial <= (cursor?.serial ?? 0);
    return toPage(found.slice(0, size), { hasNext: found.length > size, hasPrevious, total });
  }
  const found = await store.listSerial(collection, { filters, isMeant, limit: all });
  const sorted = found
    .map(({ json, serial }) => ({ json, serial, values: sortValuesOf(json, order) }))
    .toSorted((left, right) => comparePlaces(left, right, order));
  const at = cursor ? sorted.findIndex((item) => comparePlaces(item, cursor, order) >= 0) : 0;
  const place = at === -1 ? sorted.length : at;
  const isThere = sorted[place]?.serial === cursor?.serial && cursor !== undefined;
  const start = isBefore ? Math.max(0, place - size) : place + (isThere ? 1 : 0);
  const end = isBefore ? place : start + size;
  const around = { hasPrevious: start > 0, hasNext: end < sorted.length, total: sorted.length };
  return toPage(sorted.slice(start, end), around);
}

/** Makes a page of items, with the steps to the pages around it. */
function createToCursorPage(
  { order, size }: Selection,
  { paging, idProperty }: Pick<CursorOptions, 'paging' | 'idProperty'>,
) {
  const { parameter, before: ofBefore, isId } = paging;
  const toText = ({ json, serial }: SerialItem, isBefore: boolean) =>
    isId
      ? idOf(json, idProperty)
      : toCursorText({ isBefore, serial, values: sortValuesOf(json, order) });
  const previous = (item: SerialItem): PageStep | undefined => {
    const value = toText(item, true);
    if (ofBefore !== undefined) return { parameter: ofBefore, value, without: parameter };
    return isId ? undefined : { parameter, value };
  };
  const next = (item: SerialItem): PageStep => {
    const value = toText(item, false);
    return { parameter, value, without: ofBefore };
  };
  return (items: readonly SerialItem[], around: Around): ListPage => {
    const [first, last] = [items[0], items.at(-1)];
    return {
      ...around,
      items: items.map(({ json }) => json),
      size,
      next: around.hasNext && last ? next(last) : undefined,
      previous: around.hasPrevious && first ? previous(first) : undefined,
      first: { parameter, without: ofBefore },
    };
  };
}

type Around = Pick<ListPage, 'hasNext' | 'hasPrevious' | 'total'>;

type Placed = Pick<Cursor, 'serial' | 'values'>;

function comparePlaces(left: Placed, right: Placed, order: readonly SortKey[]): number {
  return compareSortValues(left.values, right.values, order) || left.serial - right.serial;
}

async function findCursor(
  { store, collection, order }: Selection,
  { isId }: Paging,
  text: string,
): Promise<Cursor | undefined> {
  if (!isId) return parseCursor(text, order.length);
  const [serial, json] = await Promise.all([
    store.serialOf(collection, text),
    store.get(collection, text),
  ]);
  if (serial === undefined || json === undefined) return undefined;
  return { isBefore: false, serial, values: sortValuesOf(json, order) };
}

function idOf(json: ByteText, idProperty: string): string {
  return String(valueAt(parseExact(toText(json)).value as Record<string, unknown>, idProperty));
}
