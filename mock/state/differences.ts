import type { Collections, Contents, StoredItem } from './store.ts';

/**
 * What differs about an id from the items that a store began with: another item in its place, an
 * item behind all others in the order of places, or that it is gone.
 */
export type Difference = { id: string; item?: StoredItem; place?: number };

/** What differs about a collection; where it `isEmptied`, nothing of the start is left. */
export type CollectionDifferences = {
  next: number;
  isEmptied?: true;
  items: readonly Difference[];
};

/** What differs from the start, by the name of the collection; others are as at the start. */
export type Differences = Readonly<Record<string, CollectionDifferences>>;

/**
 * What differs about collections from their seeds. `placeOf` gives the place of a seed by its id, in
 * order from 0.
 */
export function findDifferences(
  collections: Collections,
  seeds: Collections,
  placeOf: (contents: Contents, id: string) => number | undefined,
): Differences {
  const names = new Set([...Object.keys(seeds), ...Object.keys(collections)]);
  const differing: [name: string, CollectionDifferences][] = [];
  for (const name of names) {
    const [before, now] = [ownOf(seeds, name), ownOf(collections, name)];
    if (before === now) continue;
    if (!now) differing.push([name, { next: 1, isEmptied: true, items: [] }]);
    else differing.push([name, compare(now, before, (id) => before && placeOf(before, id))]);
  }
  return Object.fromEntries(differing);
}

function ownOf(collections: Collections, name: string): Contents | undefined {
  return Object.hasOwn(collections, name) ? collections[name] : undefined;
}

function compare(
  { items: now, next }: Contents,
  before: Contents | undefined,
  placeOf: (id: string) => number | undefined,
): CollectionDifferences {
  const seeds = before?.items ?? [];
  const items: Difference[] = [];
  const dropSeeds = (from: number, to: number) => {
    for (let at = from; at < to; at++) items.push({ id: (seeds[at] as StoredItem).id });
  };
  let at = 0;
  let index = 0;
  for (; index < now.length; index++) {
    const item = now[index] as StoredItem;
    const place = placeOf(item.id);
    if (place === undefined || place < at) break;
    dropSeeds(at, place);
    if (!isSame(item, seeds[place] as StoredItem)) items.push({ id: item.id, item });
    at = place + 1;
  }
  if (index === 0) return { next, isEmptied: true, items: toAdded(now) };
  const added = toAdded(now.slice(index));
  const again = new Set(added.map(({ id }) => id));
  dropSeeds(at, seeds.length);
  return { next, items: [...items.filter(({ id }) => !again.has(id)), ...added] };
}

function toAdded(items: readonly StoredItem[]): Difference[] {
  return items.map((item, index) => ({ id: item.id, item, place: index + 1 }));
}

function isSame(left: StoredItem, right: StoredItem): boolean {
  if (left === right) return true;
  const names = Object.keys(left.filters);
  return (
    left.json === right.json &&
    names.length === Object.keys(right.filters).length &&
    names.every((name) => left.filters[name] === right.filters[name])
  );
}
