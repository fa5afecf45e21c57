import type { Paging } from '../../contracts/description/collections/paging.ts';
import type { ByteText } from '../json/byte-text.ts';

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
