import { valueIn } from '../../common/property-path.ts';
import type { ListRules, Paging } from '../../openapi/index.ts';
import { type Answer, headerValue } from './exchange.ts';
import { countOf, idOf, isList, itemsIn, textOf } from './items.ts';

/** The page after some pages: its query, no page, or unknown. */
export type NextPage = { query: URLSearchParams } | 'none' | 'unknown';

/** No server takes an address with a longer query. */
const maxQuery = 4000;

/** How a document says that a list is asked for another page. */
export type PageWays = {
  /** Whether a field or a header of an answer is the address of the next page. */
  isLinked: boolean;
  paging: Paging | undefined;
};

/** The ways to other pages that do not rest on a guess. */
export function pageWaysOf({ form, headers, paging }: ListRules): PageWays {
  const isLinked =
    headers.some(({ role }) => role === 'links') ||
    form.fields.some(({ role, as }) => role === 'next' && (as === 'url' || as === 'path'));
  return { isLinked, paging: paging.find(({ isGuess }) => !isGuess) };
}

/** Returns the page after these pages of a list; the first was requested without a number. */
export function nextPage(
  rules: ListRules,
  { idProperty }: { idProperty: string },
  pages: readonly Answer[],
): NextPage {
  const { form, headers, pageSize } = rules;
  const { paging } = pageWaysOf(rules);
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || last.response.status >= 300 || !isList(last)) return 'unknown';
  const says = (role: string) => {
    const field = form.fields.find((one) => one.role === role);
    return field && valueIn(last.response.json, field.path);
  };
  if (says('hasMore') === false || says('isLast') === true) return 'none';
  // Where no page had it, a member or a header that is not there may never be.
  const afterNothing = (value: unknown) =>
    value === undefined && pages.length === 1 ? 'unknown' : 'none';
  const next = form.fields.find(({ role }) => role === 'next');
  const value = says('next');
  if (next && (next.as === 'url' || next.as === 'path'))
    return typeof value === 'string' && value !== '' ? queryOf(value, last) : afterNothing(value);
  if (headers.some(({ role }) => role === 'links')) {
    const link = linkedBy(headerValue(last, 'Link'), 'next');
    if (link !== undefined) return queryOf(link, last);
    if (pages.some((page) => linkedBy(headerValue(page, 'Link'), 'next') !== undefined))
      return 'none';
  }
  if (!paging) return 'unknown';
  const asked = new URLSearchParams(last.request.path.split('?')[1]);
  const asking = (text: string): NextPage => {
    asked.set(paging.parameter, text);
    return text.length > maxQuery ? 'unknown' : { query: asked };
  };
  if (paging.style === 'cursor' && !paging.isId) {
    const header = headers.find(({ role }) => role === 'next');
    const cursor = value === undefined && header ? headerValue(last, header.name) : value;
    return textOf(cursor) ? asking(String(cursor)) : afterNothing(cursor);
  }
  const size = pageSize && Number(asked.get(pageSize.name) ?? Number.NaN);
  // A deployment may show fewer items at once than were asked for.
  const respectsSize = size !== undefined && countOf(first) >= size;
  if (countOf(last) === 0 || (respectsSize && countOf(last) < size)) return 'none';
  if (paging.style === 'cursor') {
    const id = idOf(itemsIn(last).at(-1), idProperty);
    return id === undefined ? 'unknown' : asking(id);
  }
  // Pages are counted from 0 or 1. Page 1 is the first one again or the second.
  if (paging.style === 'page') return asking(String(pages.length));
  return asking(String(paging.first + pages.reduce((sum, page) => sum + countOf(page), 0)));
}

/** The query of an address, on whichever host it is; only the same list is asked again. */
function queryOf(address: string, { request }: Answer): NextPage {
  if (address.length > maxQuery) return 'unknown';
  const [path = '', query] = address.split('#')[0]?.split('?') ?? [];
  const nameOf = (text: string) => text.split('?')[0]?.split('/').at(-1);
  const isSameList = path === '' || nameOf(path) === nameOf(request.path);
  return query !== undefined && isSameList ? { query: new URLSearchParams(query) } : 'unknown';
}

/** The address that a `Link` header gives for a relation such as `next` (RFC 8288). */
function linkedBy(header: string | undefined, relation: string): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, relations = ''] = /;\s*rel=("[^"]*"|[^\s;,"]+)/i.exec(parameters) ?? [];
    if (relations.toLowerCase().replaceAll('"', '').split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
