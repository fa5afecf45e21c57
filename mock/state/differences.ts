import type { Collections, Contents, StoredItem } from './store.ts';
import { createPauses, doAtOnce, doInTurns, type Pausing } from './turns.ts';

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

/** All items differ from these, so what differs can be read whatever the seeds are by then. */
export const noSeeds: Collections = {};

/** Gives the place of a seed by its id, in order from 0. */
type PlaceOf = (contents: Contents, id: string) => number | undefined;

/** What differs about collections from their seeds. */
export function findDifferences(
  collections: Collections,
  seeds: Collections,
  placeOf: PlaceOf,
): Differences {
  return doAtOnce(compareAll(collections, seeds, placeOf));
}

/** The same, found in several turns of the event loop where there are very many items. */
export function findDifferencesInTurns(
  collections: Collections,
  seeds: Collections,
  placeOf: PlaceOf,
): Differences | Promise<Differences> {
  return doInTurns(compareAll(collections, seeds, placeOf));
}

function* compareAll(
  collections: Collections,
  seeds: Collections,
  placeOf: PlaceOf,
): Pausing<Differences> {
  const names = new Set([...Object.keys(seeds), ...Object.keys(collections)]);
  const differing: [name: string, CollectionDifferences][] = [];
  for (const name of names) {
    const [before, now] = [ownOf(seeds, name), ownOf(collections, name)];
    if (before === now) continue;
    if (!now) differing.push([name, { next: 1, isEmptied: true, items: [] }]);
    else differing.push([name, yield* compare(now, before, placeOf)]);
  }
  return Object.fromEntries(differing);
}

function ownOf(collections: Collections, name: string): Contents | undefined {
  return Object.hasOwn(collections, name) ? collections[name] : undefined;
}

function* compare(
  { items: now, next }: Contents,
  before: Contents | undefined,
  placeOf: PlaceOf,
): Pausing<CollectionDifferences> {
  const seeds = before?.items ?? [];
  const isPause = createPauses();
  const found: Difference[] = [];
  let at = 0;
  let index = 0;
  for (; index < now.length; index++) {
    const item = now[index] as StoredItem;
    const place = before && placeOf(before, item.id);
    if (place === undefined || place < at) break;
    for (; at < place; at++) found.push({ id: (seeds[at] as StoredItem).id });
    if (!isSame(item, seeds[place] as StoredItem)) found.push({ id: item.id, item });
    at = place + 1;
    if (isPause()) yield;
  }
  const isAddedTo = index > 0;
  const added: Difference[] = [];
  const addedIds = new Set<string>();
  for (let place = 1; index < now.length; index++, place++) {
    const item = now[index] as StoredItem;
    added.push({ id: item.id, item, place });
    if (isAddedTo) addedIds.add(item.id);
    if (isPause()) yield;
  }
  if (!isAddedTo) return { next, isEmptied: true, items: added };
  for (; at < seeds.length; at++) {
    found.push({ id: (seeds[at] as StoredItem).id });
    if (isPause()) yield;
  }
  const items: Difference[] = [];
  for (const difference of found) {
    // One that was removed and added again is found twice.
    if (!addedIds.has(difference.id)) items.push(difference);
    if (isPause()) yield;
  }
  for (const difference of added) {
    items.push(difference);
    if (isPause()) yield;
  }
  return { next, items };
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
