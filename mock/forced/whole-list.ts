import { findListRules } from '../../contracts/description/collections/list-rules.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type ResponseDescription,
} from '../../contracts/description/document.ts';
import { createRenderList } from '../behaviours/list-answer.ts';
import { itemsAt } from '../documented/items-at.ts';
import { toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';

/** What generated content of a list says of its pages, made true of the items in it. */
export type ToWholeList = (response: ResponseDescription, value: unknown, url: string) => unknown;

/**
 * Makes what has counts and links fit generated items, which are all that there are: one page.
 * Undefined of operations whose answers say nothing of pages.
 */
export function createToWholeList(
  operation: Operation,
  document: ApiDocument,
): ToWholeList | undefined {
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  if (!resource) return undefined;
  const { form, paging } = findListRules(document.raw, operation, resource.item);
  const first = paging.find(({ style }) => style === 'page')?.first ?? 1;
  if (form.fields.length === 0) return undefined;
  return ({ schema }, value, url) => {
    const items = itemsAt(value, form.pointer);
    if (!schema || !items) return value;
    const options = { document, schema, form, example: value, defaultAs: 'url' } as const;
    const { length: total } = items;
    const texts = items.map((item) => toByteText(stringifyExact(item)));
    const page = { items: texts, size: Math.max(1, total), total, skipped: 0, page: first };
    const only = { ...page, hasNext: false, hasPrevious: false };
    const json = createRenderList({ ...options, isFull: true })(only, () => url);
    return parseExact(toText(json)).value;
  };
}
