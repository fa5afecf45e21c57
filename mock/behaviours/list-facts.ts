import type { LinkAs, ListRole } from '../../contracts/description/collections/list-fields.ts';
import type { ListPage, PageStep } from './list-page.ts';

/** What is true of a list by one of its pages; null where there is nothing to say. */
export type ListFact = string | number | boolean | null;

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
