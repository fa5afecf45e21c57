import type { LinkAs, ListRole } from '../../contracts/description/collections/list-fields.ts';
import type { ByteText } from '../json/exact-json.ts';

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
  /** How many items a page has at most. */
  size: number;
  /** How many items there are on all pages. */
  total: number;
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

/** What is true of a list by one of its pages; null where there is nothing to say. */
type ListFact = string | number | boolean | null;

/** What a role says of a page; `as` tells how another page is named. */
export function factOf(
  page: ListPage,
  role: ListRole,
  { as, toUrl }: { as: LinkAs; toUrl: ToUrl },
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
    if (step.value === undefined) return null;
    return as === 'number' && /^\d+$/.test(step.value) ? Number(step.value) : step.value;
  };
  const countFrom = (first: number): ListFact =>
    skipped === undefined || items.length === 0 ? null : skipped + first;
  const facts: Readonly<Record<ListRole, () => ListFact>> = {
    total: () => total,
    pages: () => (isBounded && size > 0 ? Math.ceil(total / size) : Math.min(total, 1)),
    count: () => items.length,
    size: () => (isBounded ? size : items.length),
    page: () => page.page ?? null,
    offset: () => skipped ?? null,
    from: () => countFrom(1),
    to: () => countFrom(items.length),
    next: () => link(page.next),
    previous: () => link(page.previous),
    first: () => link(page.first) ?? (isLink ? toLink(undefined) : null),
    last: () => link(page.last) ?? (isLink ? toLink(undefined) : null),
    self: () => toLink(undefined),
    hasMore: () => page.hasNext,
    hasPrevious: () => page.hasPrevious,
    isFirst: () => !page.hasPrevious,
    isLast: () => !page.hasNext,
    isEmpty: () => items.length === 0,
  };
  return facts[role]();
}

/** What of a request tells where its sender found the server, and how its body was sent. */
export type RequestSource = {
  readonly protocol: string;
  readonly headers: {
    readonly host?: string | undefined;
    readonly 'content-type'?: string | undefined;
    readonly 'idempotency-key'?: string | string[] | undefined;
    readonly authorization?: string | undefined;
    readonly [name: string]: string | string[] | undefined;
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
  if (step?.without !== undefined) asked.delete(step.without);
  if (step?.value !== undefined) asked.set(step.parameter, step.value);
  else if (step) asked.delete(step.parameter);
  const target = asked.size === 0 ? path : `${path}?${asked}`;
  const origin = `${protocol}://${host ?? 'localhost'}`;
  return URL.canParse(target, origin) ? new URL(target, origin).href : target;
}

/** The value of a `Link` header (RFC 8288) to the pages around one; undefined where none is. */
export function toLinkHeader(page: ListPage, toUrl: ToUrl): string | undefined {
  const { next, previous: prev, first, last } = page;
  const links = Object.entries({ next, prev, first, last }).flatMap(([relation, step]) =>
    step ? [`<${toUrl(step)}>; rel="${relation}"`] : [],
  );
  return links.length === 0 ? undefined : links.join(', ');
}
