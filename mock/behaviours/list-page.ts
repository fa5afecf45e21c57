import type { LinkAs, ListRole } from '../../contracts/description/collections/list-fields.ts';
import type { Paging } from '../../contracts/description/collections/paging.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { type ByteText, parseExact } from '../json/exact-json.ts';
import type { SortValues } from './list-query.ts';

/**
 * Another page of a list, by the query parameter that asks for it; the first page where it has no
 * value. The parameter `without` is left out.
 */
export type PageStep = {
  parameter: string;
  value?: string | undefined;
  without?: string | undefined;
};

/** One page of a list, and what is true of the list by it. */
export type ListPage = {
  items: readonly ByteText[];
  /** How many items a page has at most. */
  size: number;
  /** How many items there are on all pages, where that is asked for. */
  total?: number | undefined;
  /** How many items are before it, where that is known. */
  skipped?: number | undefined;
  /** Its number, counted as the parameter does. */
  page?: number | undefined;
  hasNext: boolean;
  hasPrevious: boolean;
  next?: PageStep | undefined;
  previous?: PageStep | undefined;
  first?: PageStep | undefined;
  last?: PageStep | undefined;
};

/** The pages that are asked for by a number: that of a page, or that of an item. */
export type NumberedPaging = Paging & { style: 'page' | 'offset' };

export type NumberedPage = { skip: number; page: number };

/** How many items are before the page that is asked for; a number before the first is the first. */
export function readNumber(
  { style, first }: NumberedPaging,
  text: string | undefined,
  size: number,
): NumberedPage {
  const number = text === undefined ? first : Number(text);
  const above = Number.isFinite(number) ? Math.max(0, Math.floor(number) - first) : 0;
  if (style === 'page')
    return { skip: above === 0 ? 0 : atMost(above * size), page: first + above };
  const page = size > 0 && Number.isFinite(size) ? Math.floor(above / size) : 0;
  return { skip: atMost(above), page: page + 1 };
}

/** The page that begins behind so many items. */
function toNumberedStep(
  { style, first, parameter }: NumberedPaging,
  skip: number,
  size: number,
): PageStep {
  const number = style === 'offset' ? skip : Math.floor(skip / size);
  return { parameter, value: String(first + number) };
}

export type NumberedOptions = {
  paging: NumberedPaging | undefined;
  items: readonly ByteText[];
  size: number;
  skip: number;
  page: number;
  total: number | undefined;
  /** Whether items are behind those of the page. */
  hasNext: boolean;
};

/** A page that is asked for by a number, with the pages around it. */
export function toNumberedPage(options: NumberedOptions): ListPage {
  const { paging, items, size, skip, page, total, hasNext } = options;
  const hasPrevious = skip > 0;
  const base = { items, size, total, skipped: skip, page, hasNext, hasPrevious };
  const isPaged = paging && size > 0 && Number.isFinite(size);
  if (!isPaged) return base;
  const step = (at: number) => toNumberedStep(paging, at, size);
  const lastSkip = total === undefined ? undefined : lastStart({ total, size, skip, paging });
  const end = lastSkip === undefined ? skip : Math.min(skip, lastSkip + size);
  return {
    ...base,
    next: hasNext ? step(skip + size) : undefined,
    previous: hasPrevious ? step(Math.max(0, end - size)) : undefined,
    first: step(0),
    last: lastSkip === undefined ? undefined : step(lastSkip),
  };
}

type LastOptions = { total: number; size: number; skip: number; paging: NumberedPaging };

/** How many items are before the last page, which pages by offset reach from where they are. */
function lastStart({ total, size, skip, paging }: LastOptions): number {
  const shift = paging.style === 'offset' ? skip % size : 0;
  return Math.max(
    0,
    total - 1 - shift < 0 ? 0 : Math.floor((total - 1 - shift) / size) * size + shift,
  );
}

function atMost(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}

/** What is true of a list by one of its pages; null where there is nothing to say. */
type ListFact = string | number | boolean | null;

/** Whether something that an answer says of a list needs the number of all items. */
export function needsTotal(role: ListRole | 'links'): boolean {
  return ['total', 'pages', 'last', 'links'].includes(role);
}

/** What a role says of a page; `as` tells how another page is named. */
export function factOf(
  page: ListPage,
  role: ListRole,
  { as, toUrl }: { as: LinkAs; toUrl: (step: PageStep | undefined) => string },
): ListFact {
  const { items, size, total, skipped } = page;
  const isBounded = Number.isFinite(size);
  const toLink = (step: PageStep | undefined): string => {
    const url = toUrl(step);
    if (as !== 'path' || !URL.canParse(url)) return url;
    const { pathname, search } = new URL(url);
    return pathname + search;
  };
  const link = (step: PageStep | undefined): ListFact => {
    if (!step) return null;
    if (as === 'url' || as === 'path') return toLink(step);
    if (step.value === undefined) return null;
    return as === 'number' && /^\d+$/.test(step.value) ? Number(step.value) : step.value;
  };
  switch (role) {
    case 'total':
      return total ?? null;
    case 'pages':
      if (total === undefined) return null;
      return isBounded && size > 0 ? Math.ceil(total / size) : Math.min(total, 1);
    case 'count':
      return items.length;
    case 'size':
      return isBounded ? size : items.length;
    case 'page':
      return page.page ?? null;
    case 'offset':
      return skipped ?? null;
    case 'from':
      return skipped === undefined || items.length === 0 ? null : skipped + 1;
    case 'to':
      return skipped === undefined || items.length === 0 ? null : skipped + items.length;
    case 'next':
    case 'previous':
      return link(page[role]);
    case 'first':
    case 'last':
      return link(page[role]) ?? (as === 'url' || as === 'path' ? toLink(undefined) : null);
    case 'self':
      return toLink(undefined);
    case 'hasMore':
      return page.hasNext;
    case 'hasPrevious':
      return page.hasPrevious;
    case 'isFirst':
      return !page.hasPrevious;
    case 'isLast':
      return !page.hasNext;
    case 'isEmpty':
      return items.length === 0;
  }
}

/** A place between the items of a list: what is asked for is behind it, or before it. */
export type Cursor = {
  isBefore: boolean;
  /** The serial number of the item beside it. */
  serial: number;
  /** What that item was sorted by; none where the list is in order of creation. */
  values: SortValues;
};

/** The text of a cursor, which callers send back as it is. */
export function toCursorText({ isBefore, serial, values }: Cursor): string {
  return Buffer.from(stringifyExact([isBefore ? 1 : 0, serial, ...values])).toString('base64url');
}

/** The cursor of a text; undefined where it is none of a list that is sorted by so many values. */
export function parseCursor(text: string, sortedBy: number): Cursor | undefined {
  try {
    const parsed: unknown = parseExact(Buffer.from(text, 'base64url').toString()).value;
    if (!Array.isArray(parsed) || parsed.length !== 2 + sortedBy) return undefined;
    const [direction, serial, ...values] = parsed;
    const isKnown = direction === 0 || direction === 1;
    if (!isKnown || !Number.isSafeInteger(serial) || serial < 0) return undefined;
    return { isBefore: direction === 1, serial, values };
  } catch {
    return undefined;
  }
}

/** What of a request tells where its sender found the server, and how its body was sent. */
export type RequestSource = {
  readonly protocol: string;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'content-type'?: string | undefined;
  };
};

/** The URL of another page: that of the request with another page in its query. */
export function toPageUrl(
  url: string,
  step: PageStep | undefined,
  { protocol, headers: { host } }: RequestSource,
): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  if (step) {
    if (step.without !== undefined) asked.delete(step.without);
    if (step.value === undefined) asked.delete(step.parameter);
    else asked.set(step.parameter, step.value);
  }
  const target = asked.size === 0 ? path : `${path}?${asked}`;
  const origin = `${protocol}://${host ?? 'localhost'}`;
  return URL.canParse(target, origin) ? new URL(target, origin).href : target;
}

const relations = [
  ['next', 'next'],
  ['previous', 'prev'],
  ['first', 'first'],
  ['last', 'last'],
] as const;

/** The value of a `Link` header (RFC 8288) to the pages around one; undefined where none is. */
export function toLinkHeader(
  page: ListPage,
  toUrl: (step: PageStep) => string,
): string | undefined {
  const links = relations.flatMap(([key, relation]) => {
    const step = page[key];
    return step ? [`<${toUrl(step)}>; rel="${relation}"`] : [];
  });
  return links.length === 0 ? undefined : links.join(', ');
}
