import type { Resource } from '../../contracts/description/document.ts';
import { type ByteText, toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import type { Behaviour } from './behaviour.ts';

type Filters = Record<string, string>;

/**
 * Lists items in order of creation: those that equal every filter given, at most as many as the
 * page size. What is not among the `indexed` filters is looked for in each item.
 */
export function createListBehaviour(
  resource: Resource,
  indexed: ReadonlySet<string> = new Set(resource.filters),
): Behaviour {
  const { filters: filterNames, pageSize } = resource;
  const sizeName = pageSize?.name;
  const defaultSize = pageSize?.default ?? pageSize?.max ?? Number.POSITIVE_INFINITY;
  return async ({ store, query }) => {
    const filters: Filters = {};
    const unindexed: Filters = {};
    for (const name of filterNames)
      if (query[name] !== undefined) (indexed.has(name) ? filters : unindexed)[name] = query[name];
    const limit =
      sizeName !== undefined && query[sizeName] !== undefined
        ? Number(query[sizeName])
        : defaultSize;
    const isIndexed = Object.keys(unindexed).length === 0;
    const found = await store.list(resource.name, {
      filters,
      limit: isIndexed ? limit : Number.POSITIVE_INFINITY,
    });
    const items = isIndexed ? found : filterItems(found, Object.entries(unindexed), limit);
    return { status: 200, json: `[${items.join(',')}]` as ByteText };
  };
}

/** The first items that equal all filters, each parsed to compare it. */
function filterItems(
  items: readonly ByteText[],
  filters: readonly [name: string, value: string][],
  limit: number,
): ByteText[] {
  const equal = (json: ByteText) => {
    const item = parseExact(toText(json)).value as Record<string, unknown>;
    return filters.every(
      ([name, value]) => Object.hasOwn(item, name) && String(item[name]) === value,
    );
  };
  return items.values().filter(equal).take(limit).toArray();
}
