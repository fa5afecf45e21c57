import { findListRules, type ListRules } from '../description/collections/list-rules.ts';
import type { ApiDocument, Operation, Resource } from '../description/document.ts';
import { type Answered, headerValue, isAnswered } from './exchange.ts';
import { idOf } from './ids.ts';
import { countOf, type Item, isList, itemsIn } from './items.ts';
import { valueAt } from './place.ts';
import { type AnsweredFor, answeredFor, type Transcript } from './transcript.ts';

/** The most pages of a list that are asked for one after the other. */
export const maxPages = 12;

const known = new WeakMap<Operation, ListRules>();

/** What the query of a list means, where the document describes a way to its other pages. */
export function pagesOf(
  { raw }: Pick<ApiDocument, 'raw'>,
  { operations: { list }, item }: Resource,
): ListRules | undefined {
  if (!list) return undefined;
  const rules = known.get(list) ?? findListRules(raw, list, item);
  known.set(list, rules);
  const isLinked =
    rules.headers.some(({ role }) => role === 'links') ||
    rules.form.fields.some(({ role, as }) => role === 'next' && (as === 'url' || as === 'path'));
  return rules.paging.length > 0 || isLinked ? rules : undefined;
}

/** The query that asks for the page after these; undefined where they are all. */
export function nextPage(
  { form, headers, paging: [paging], pageSize }: ListRules,
  { idProperty }: Pick<Resource, 'idProperty'>,
  pages: readonly Answered[],
): URLSearchParams | undefined {
  const last = pages.at(-1);
  if (!last || last.response.status >= 300 || !isList(last)) return undefined;
  const field = (role: string) => form.fields.find((one) => one.role === role);
  const says = (role: string) => valueAt(last.response.json, field(role)?.path ?? ['']);
  if (says('hasMore') === false || says('isLast') === true) return undefined;
  const asked = new URLSearchParams(last.request.path.split('?')[1]);
  const next = field('next');
  const value = says('next');
  if (next && (next.as === 'url' || next.as === 'path'))
    return typeof value === 'string' && value !== '' ? queryOf(value) : undefined;
  if (headers.some(({ role }) => role === 'links')) {
    const link = toNextLink(headerValue(last, 'Link'));
    if (link !== undefined || pages.length > 1 || !paging) return queryOf(link ?? '');
  }
  if (!paging) return undefined;
  const asking = (text: string) => {
    asked.set(paging.parameter, text);
    return asked;
  };
  if (paging.style === 'cursor' && !paging.isId)
    return typeof value === 'string' && value !== '' ? asking(value) : undefined;
  const count = countOf(last);
  const size = pageSize && Number(asked.get(pageSize.name) ?? Number.NaN);
  if (count === 0 || (size !== undefined && count < size)) return undefined;
  if (paging.style === 'cursor') {
    const id = idOf(itemsIn(last).at(-1), idProperty);
    return id === undefined ? undefined : asking(id);
  }
  const items = pages.reduce((sum, page) => sum + countOf(page), 0);
  return asking(String(paging.first + (paging.style === 'page' ? pages.length : items)));
}

/** The query of an address, wherever it is: only the same list is asked again. */
function queryOf(address: string): URLSearchParams | undefined {
  const [, query] = address.split('#')[0]?.split('?') ?? [];
  return query === undefined ? undefined : new URLSearchParams(query);
}

/** The address of the next page in a `Link` header (RFC 8288). */
function toNextLink(header = ''): string | undefined {
  return header.match(/<([^<>]*)>\s*;[^<]*\brel="?(?:[^"<]*\s)?next\b/i)?.[1];
}

/** A list that was read page by page. */
export type PageWalk = {
  pages: readonly AnsweredPage[];
  /** The first page that shows only what the pages before it show, though it is not empty. */
  repeated: AnsweredPage | undefined;
  /** Items that the run created and that more than one page shows, each with the second page. */
  again: readonly { page: AnsweredPage; item: Item; id: string }[];
  /** The items that the run created and that no page shows. */
  missing: readonly string[];
};

type AnsweredPage = AnsweredFor<'page'>;

/** The last walk through the pages of a collection; undefined where none was made. */
export function readLastWalk(transcript: Transcript, resource: Resource): PageWalk | undefined {
  const all = answeredFor(transcript, 'page').filter(
    ({ case: { operation } }) => operation === resource.operations.list,
  );
  const walk = all.at(-1)?.case.purpose.walk;
  const pages = all.filter(({ case: { purpose } }) => purpose.walk === walk);
  const rules = pagesOf(transcript.document, resource);
  const isWhole = pages.every((page) => page.response.status < 300 && isList(page));
  const isRefused = transcript.exchanges.some(
    (exchange) =>
      exchange.case.operation === resource.operations.list &&
      exchange.case.purpose.kind === 'page' &&
      exchange.case.purpose.walk === walk &&
      (!isAnswered(exchange) || exchange.response.status === 429),
  );
  if (!rules || pages.length === 0 || !isWhole || isRefused) return undefined;
  const expected = new Set(pages[0]?.case.purpose.expected);
  const seen = new Set<string>();
  const again: { page: AnsweredPage; item: Item; id: string }[] = [];
  let repeated: AnsweredPage | undefined;
  for (const page of pages) {
    const items = itemsIn(page).map((item) => ({ item, id: idOf(item, resource.idProperty) }));
    const isOld = items.length > 0 && items.every(({ id }) => id !== undefined && seen.has(id));
    if (isOld) repeated ??= page;
    for (const { item, id } of items) {
      if (id === undefined) continue;
      if (expected.has(id) && seen.has(id)) again.push({ page, item, id });
      seen.add(id);
    }
  }
  const hasEnded = nextPage(rules, resource, pages) === undefined;
  const isSelection = resource.listed === 'selection';
  const missing = hasEnded && !isSelection ? [...expected].filter((id) => !seen.has(id)) : [];
  return { pages, repeated, again, missing };
}

/** Whether a walk shows that something is wrong. */
export function isFaulty({ repeated, again, missing }: PageWalk): boolean {
  return repeated !== undefined || again.length > 0 || missing.length > 0;
}
