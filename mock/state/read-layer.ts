import type { ByteText } from '../json/exact-json.ts';
import { type FilterValues, findPlaces, indexOfPlace, isEqual, type Layer } from './layer.ts';
import type { LayerChanges } from './layer-changes.ts';
import type { StoredItem } from './store.ts';

/** A layer, and what a store has changed of it. */
export type Slice = { readonly layer: Layer; readonly changes: LayerChanges | undefined };

/** A page of a list that is being filled: how many items to skip first, and how many it may hold. */
export type Page = { skip: number; readonly limit: number; readonly found: ByteText[] };

/** Adds the JSON of the items that equal all filters to a page. */
export function fillPage(slice: Slice, filters: FilterValues, page: Page): void {
  const { found, limit } = page;
  const place = (item: StoredItem): boolean => {
    if (page.skip > 0) page.skip -= 1;
    else found.push(item.json);
    return found.length < limit;
  };
  if (found.length >= limit) return;
  if (slice.changes || filters.length > 1) {
    visit(slice, filters, place);
    return;
  }
  const { items, indexes } = slice.layer;
  const places = findPlaces(indexes, filters);
  const count = places ? places.length : items.length;
  let at = Math.min(page.skip, count);
  page.skip -= at;
  for (; at < count && found.length < limit; at++)
    found.push((items[places ? (places[at] as number) : at] as StoredItem).json);
}

/** How many items equal all filters. */
export function countItems(slice: Slice, filters: FilterValues): number {
  const { layer, changes } = slice;
  if (filters.length === 0) return layer.items.length - (changes?.removed ?? 0);
  if (filters.length === 1 && !changes) return findPlaces(layer.indexes, filters)?.length ?? 0;
  let count = 0;
  visit(slice, filters, () => {
    count += 1;
    return true;
  });
  return count;
}

/** The item that has an id now. */
export function findItem({ layer, changes }: Slice, id: string): StoredItem | undefined {
  const place = layer.byId.get(id);
  return place === undefined ? undefined : itemAt(layer.items, changes, place);
}

/**
 * Calls `act` with the items that equal all filters now and their places, in order, until it gives
 * false; from a place on.
 */
export function visit(
  { layer: { items, indexes }, changes }: Slice,
  filters: FilterValues,
  act: (item: StoredItem, place: number) => boolean,
  from = 0,
): void {
  const places = findPlaces(indexes, filters);
  if (!places) {
    for (let place = from; place < items.length; place++) {
      const item = itemAt(items, changes, place);
      if (item && !act(item, place)) return;
    }
    return;
  }
  const goesOnAt = (place: number) => {
    const item = itemAt(items, changes, place);
    return !item || !isEqual(item, filters) || act(item, place);
  };
  const replaced = (changes && findPlaces(changes.indexes, filters)) ?? [];
  let next = from === 0 ? 0 : indexOfPlace(replaced, from);
  for (let at = from === 0 ? 0 : indexOfPlace(places, from); at < places.length; at++) {
    const place = places[at] as number;
    for (; next < replaced.length && (replaced[next] as number) < place; next++)
      if (!goesOnAt(replaced[next] as number)) return;
    // What an index of the layer leads to is what was there before.
    if (!changes?.has(place) && !goesOnAt(place)) return;
  }
  for (; next < replaced.length; next++) if (!goesOnAt(replaced[next] as number)) return;
}

/** The items of a layer, or the first so many, as they are with changes. */
export function currentItems(
  items: readonly StoredItem[],
  changes: LayerChanges | undefined,
  count = items.length,
): StoredItem[] {
  if (!changes) return items.slice(0, count);
  const current: StoredItem[] = [];
  for (let place = 0; place < count; place++) {
    const item = itemAt(items, changes, place);
    if (item) current.push(item);
  }
  return current;
}

function itemAt(
  items: readonly StoredItem[],
  changes: LayerChanges | undefined,
  place: number,
): StoredItem | undefined {
  return changes?.has(place) ? changes.get(place) : items[place];
}
