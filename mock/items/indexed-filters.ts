import type { Resource } from '../../contracts/description/document.ts';

/**
 * The filters by which a store can find each item of a collection, by the name of the collection.
 */
export type IndexedFilters = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Of the filters of each collection those that all documents so far had: by others, items made
 * before are not found.
 */
export function toIndexedFilters(
  resources: readonly Resource[],
  before?: IndexedFilters,
): IndexedFilters {
  const indexed = new Map(before);
  for (const { name, filters } of resources)
    indexed.set(name, new Set(filters).intersection(before?.get(name) ?? new Set(filters)));
  return indexed;
}
