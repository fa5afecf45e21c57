import { stringifyExact } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import type { LinkAs, ListRole, Paging, SortKey } from '../../openapi/index.ts';
import { fieldsOf } from '../items/stored-item.ts';
import { type ByteText, parseExact, toIdText } from '../json/exact-json.ts';
import type { ItemStore, SerialItem } from '../state/store.ts';
import type { RequestSource } from './behaviour.ts';
import { compareSortValues, type SortValues, sortValuesOf } from './list-query.ts';

/**
 * Another page of a list, by the query parameter that asks for it; the first page where it has no
 * value. The parameter `without` is left out.
 */
export type PageStep = {
  parameter: string;
  value?: string | undefined;
  without?: string | undefined;
};

/** Makes the URL of another page, or of this one. */
export type ToUrl = (step: PageStep | undefined) => string;

/** One page of a list, and what is true of the list by it. */
export type ListPage = {
  items: readonly ByteText[];
  /** The maximum number of items on a page. */
  size: number;
  /** The number of items on all pages. */
  total: number;
  /** The number of items before the page, if known. */
  skipped?: number | undefined;
  /** The number of its first item, counted as the parameter does. */
  start?: number | undefined;
  /** Its number, counted as the parameter does. */
  page?: number | undefined;
  hasNext: boolean;
  hasPrevious: boolean;
  /** Returns the cursor of the item at an index. */
  cursorAt?: (index: number) => string | undefined;
  next?: PageStep | undefined;
  previous?: PageStep | undefined;
  first?: PageStep | undefined;
  last?: PageStep | undefined;
};

/** Holds a fact about a page or its list, such as the total; null if there is none. */
type ListFact = string | number | boolean | null | readonly Relation[];

/** A link of a list of these (RFC 8288). */
type Relation = { rel: string; href: string };

export type FactOptions = { as: LinkAs; toUrl: ToUrl; idProperty: string };

/** Returns the fact that a role names; `as` is the form of links. */
export function factOf(
  page: ListPage,
  role: ListRole,
  { as, toUrl, idProperty }: FactOptions,
): ListFact {
  const { items, size, total, skipped } = page;
  const isBounded = Number.isFinite(size);
  const isLink = as === 'url' || as === 'path';
  const toLink = (step: PageStep | undefined): string => {
    const url = toUrl(step);
    if (as !== 'path' || !URL.canParse(url)) return url;
    const { pathname, search } = new URL(url);
    return pathname + search;
  };
  const link = (step: PageStep | undefined): ListFact => {
    if (!step) return null;
    if (isLink) return toLink(step);
    if (step.value === undefined || as !== 'number') return step.value ?? null;
    return /^\d+$/.test(step.value) ? Number(step.value) : null;
  };
  const idOf = (json: ByteText | undefined) =>
    json === undefined ? null : (valueAt(fieldsOf(json), idProperty) as ListFact);
  const countFrom = (first: number): ListFact =>
    skipped === undefined || items.length === 0 ? null : skipped + first;
  const facts: Readonly<Record<ListRole, () => ListFact>> = {
    total: () => total,
    pages: () => (isBounded && size > 0 ? Math.ceil(total / size) : Math.min(total, 1)),
    count: () => items.length,
    size: () => (isBounded ? size : items.length),
    page: () => page.page ?? null,
    offset: () => page.start ?? skipped ?? null,
    from: () => countFrom(1),
    to: () => countFrom(items.length),
    next: () => link(page.next),
    previous: () => link(page.previous),
    first: () => link(page.first) ?? (isLink ? toLink(undefined) : null),
    last: () => link(page.last) ?? (isLink ? toLink(undefined) : null),
    self: () => toLink(undefined),
    relations: () => [{ rel: 'self', href: toUrl(undefined) }, ...relationsOf(page, toUrl)],
    firstId: () => idOf(items[0]),
    lastId: () => idOf(items.at(-1)),
    hasMore: () => page.hasNext,
    hasPrevious: () => page.hasPrevious,
    isFirst: () => !page.hasPrevious,
    isLast: () => !page.hasNext,
    isEmpty: () => items.length === 0,
  };
  return facts[role]();
}

/** The URL of another page: that of the request with another page in its query. */
export function toPageUrl(
  url: string,
  step: PageStep | undefined,
  { protocol, headers: { host } }: RequestSource,
): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  if (step?.without !== undefined) asked.delete(step.without);
  if (step?.value !== undefined) asked.set(step.parameter, step.value);
  else if (step) asked.delete(step.parameter);
  const target = asked.size === 0 ? path : `${path}?${asked}`;
  const origin = `${protocol}://${host ?? 'localhost'}`;
  return URL.canParse(target, origin) ? new URL(target, origin).href : target;
}

/** The value of a `Link` header (RFC 8288) to the pages around one; undefined where none is. */
export function toLinkHeader(page: ListPage, toUrl: ToUrl): string | undefined {
  const links = relationsOf(page, toUrl).map(({ rel, href }) => `<${href}>; rel="${rel}"`);
  return links.length === 0 ? undefined : links.join(', ');
}

function relationsOf({ next, previous: prev, first, last }: ListPage, toUrl: ToUrl): Relation[] {
  return Object.entries({ next, prev, first, last }).flatMap(([rel, step]) =>
    step ? [{ rel, href: toUrl(step) }] : [],
  );
}

/** An item of a list, and where it stands in it. */
export type PlacedItem = SerialItem & { values: SortValues };

/** The items that a query asks for, in its order, and how many of them a page has. */
export type Selection = {
  items: readonly PlacedItem[];
  order: readonly SortKey[];
  /** Whether items are in the opposite order of their creation. */
  isNewestFirst: boolean;
  size: number;
};

type Order = Pick<Selection, 'order' | 'isNewestFirst'>;

/** Items in the order that a query asks for, or in that of their creation. */
export function inOrder<Options extends Order>(
  items: readonly SerialItem[],
  options: Options,
): Options & Pick<Selection, 'items'> {
  const placed = items.map((item) => ({ ...item, values: sortValuesOf(item.json, options.order) }));
  return {
    ...options,
    items: placed.toSorted((left, right) => comparePlaces(left, right, options)),
  };
}

type Place = Pick<PlacedItem, 'serial' | 'values'>;

function comparePlaces(left: Place, right: Place, { order, isNewestFirst }: Order): number {
  const older = left.serial - right.serial;
  return compareSortValues(left.values, right.values, order) || (isNewestFirst ? -older : older);
}

/** The page that a number asks for, or all items where no parameter does. */
export function selectNumbered(
  { items: all, size }: Selection,
  paging: Paging | undefined,
  text: string | undefined,
): ListPage {
  const isPaged = size > 0 && Number.isFinite(size);
  const { skip, page } = paging ? readNumber(paging, text, size) : { skip: 0, page: 1 };
  const total = all.length;
  const shown = all.slice(skip, skip + size);
  const known = {
    items: shown.map(({ json }) => json),
    ...{ size, total, skipped: skip, page },
    hasNext: size > 0 && total > skip + shown.length,
    hasPrevious: skip > 0,
  };
  if (!paging || !isPaged) return known;
  const { parameter, style, first } = paging;
  const start = style === 'offset' ? { start: first + skip } : {};
  const step = (at: number): PageStep => {
    const number = style === 'offset' ? at : Math.floor(at / size);
    return { parameter, value: String(first + number) };
  };
  // Pages by offset reach the last one from where they are.
  const shift = style === 'offset' ? skip % size : 0;
  const last = Math.max(0, Math.floor((total - 1 - shift) / size) * size + shift);
  return {
    ...{ ...known, ...start },
    next: known.hasNext ? step(skip + size) : undefined,
    previous: skip > 0 ? step(Math.max(0, Math.min(skip, last + size) - size)) : undefined,
    first: step(0),
    last: step(last),
  };
}

/**
 * Returns the number of items before the requested page, and the page's number, which is never
 * below the first.
 */
function readNumber({ style, first }: Paging, text: string | undefined, size: number) {
  const number = text === undefined ? first : Number(text);
  const above = Number.isFinite(number) ? Math.max(0, Math.floor(number) - first) : 0;
  if (style === 'page') return { skip: above === 0 ? 0 : above * size, page: first + above };
  const page = size > 0 && Number.isFinite(size) ? Math.floor(above / size) : 0;
  return { skip: above, page: page + 1 };
}

export type CursorOptions = {
  store: ItemStore;
  collection: string;
  paging: Paging;
  idProperty: string;
  /** The cursor that the page is behind, or before. */
  after: string | undefined;
  before: string | undefined;
};

/** The page beside a cursor, or the first one; undefined where the cursor is none of this list. */
export async function selectByCursor(
  selection: Selection,
  options: CursorOptions,
): Promise<ListPage | undefined> {
  const { items, size } = selection;
  const { after, before } = options;
  const given = before ?? after;
  const cursor = given === undefined ? undefined : await findCursor(selection, options, given);
  if (given !== undefined && !cursor) return undefined;
  const isBefore = before !== undefined || cursor?.isBefore === true;
  const at = cursor ? items.findIndex((item) => comparePlaces(item, cursor, selection) >= 0) : 0;
  const place = at === -1 ? items.length : at;
  const isThere = cursor !== undefined && items[place]?.serial === cursor.serial;
  const start = isBefore ? Math.max(0, place - size) : place + (isThere ? 1 : 0);
  const end = isBefore ? place : start + size;
  const shown = items.slice(start, end);
  // Who asks for no items would never come to an end.
  const [hasPrevious, hasNext] = [start > 0, size > 0 && end < items.length];
  const { parameter, before: ofBefore } = options.paging;
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    items: shown.map(({ json }) => json),
    ...{ size, total: items.length, hasPrevious, hasNext },
    cursorAt: (index) => toStep(shown[index] as PlacedItem, false, options)?.value,
    next: hasNext && last ? toStep(last, false, options) : undefined,
    previous: hasPrevious && first ? toStep(first, true, options) : undefined,
    first: { parameter, without: ofBefore },
  };
}

/** The step to the page behind an item, or before it; undefined where no parameter asks for it. */
function toStep(
  { json, serial, values }: PlacedItem,
  isBefore: boolean,
  { paging: { parameter, before, isId }, idProperty }: CursorOptions,
): PageStep | undefined {
  const value = isId
    ? String(valueAt(fieldsOf(json), idProperty))
    : toCursorText({ isBefore, serial, values });
  if (!isBefore) return { parameter, value, without: before };
  if (before !== undefined) return { parameter: before, value, without: parameter };
  return isId ? undefined : { parameter, value };
}

/** A place between the items of a list: what is asked for is behind it, or before it. */
type Cursor = Place & { isBefore: boolean };

async function findCursor(
  { order }: Selection,
  { store, collection, idProperty, paging: { isId } }: CursorOptions,
  text: string,
): Promise<Cursor | undefined> {
  if (!isId) return parseCursor(text, order.length);
  const id = toIdText(text);
  const isMatch = (json: ByteText) => toIdText(valueAt(fieldsOf(json), idProperty)) === id;
  const [found] = await store.listSerial(collection, { limit: 1, isMatch });
  return (
    found && { isBefore: false, serial: found.serial, values: sortValuesOf(found.json, order) }
  );
}

/** The text of a cursor, which callers send back as it is. */
function toCursorText({ isBefore, serial, values }: Cursor): string {
  return Buffer.from(stringifyExact([isBefore ? 1 : 0, serial, ...values])).toString('base64url');
}

/** Parses a cursor; undefined if it does not belong to a list with this number of sort values. */
function parseCursor(text: string, sortedBy: number): Cursor | undefined {
  try {
    const parsed: unknown = parseExact(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parsed) || parsed.length !== 2 + sortedBy) return undefined;
    const [direction, serial, ...values] = parsed;
    const isKnown = direction === 0 || direction === 1;
    if (!isKnown || !Number.isSafeInteger(serial) || serial < 0) return undefined;
    return { isBefore: direction === 1, serial, values };
  } catch {
    return undefined;
  }
}
