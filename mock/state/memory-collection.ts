import {
  buildLayer,
  bytesOfItem,
  createLayer,
  type FilterValues,
  insert,
  type Layer,
  noteSerial,
  type Part,
  placeAfter,
  type Serials,
  serialAt,
} from './layer.ts';
import { createLayerChanges, type LayerChanges } from './layer-changes.ts';
import { currentItems, findItem, visit } from './read-layer.ts';
import type { Contents, HasOther, SerialItem, StoredItem } from './store.ts';
import type { Pausing } from './turns.ts';

/** Items in memory; other stores and contents may have the same list. It may only be added to. */
export type ItemList = readonly StoredItem[];

/**
 * What a store holds of a collection: a layer that several stores may begin with, what this one
 * changed of it, and what it added, likewise.
 */
export type Collection = {
  base: OwnSlice & { layer: BaseLayer };
  added: AddedSlice | undefined;
  next: number;
  /** The last serial number that was given. */
  lastSerial: number;
};

/** The layer of the items of contents; `source` is their own list, by which it is known. */
export type BaseLayer = Layer & { readonly source: ItemList };

/** What was saved has the changes too, where `isSaved`; then a copy of them is changed. */
type OwnSlice = { layer: Layer; changes: LayerChanges | undefined; isSaved: boolean };

/** `saved` is what was last saved of the layer, as long as it is held. */
type AddedSlice = OwnSlice & { serials: Serials; saved?: WeakRef<SharedContents> };

/**
 * Contents that several stores may begin with: a layer, the first so many of the items that were
 * added to it, and what was changed of either.
 */
export type SharedContents = {
  readonly base: BaseLayer;
  readonly baseChanges: LayerChanges | undefined;
  readonly added: ItemList;
  readonly addedChanges: LayerChanges | undefined;
  readonly count: number;
  readonly next: number;
};

/** Contents that stores may begin with, indexed. */
export function shareContents({ items: source, next }: Contents): SharedContents {
  return toSharedContents({ ...createLayer(source), source }, next);
}

/** The same, with pauses where there are very many items. */
export function* buildSharedContents({ items: source, next }: Contents): Pausing<SharedContents> {
  return toSharedContents({ ...(yield* buildLayer(source)), source }, next);
}

function toSharedContents(base: BaseLayer, next: number): SharedContents {
  return {
    base,
    baseChanges: undefined,
    added: [],
    addedChanges: undefined,
    count: 0,
    next,
  };
}

/** What a store holds that begins with contents. */
export function openCollection(shared: SharedContents): Collection {
  const { base, baseChanges, added, addedChanges, count, next } = shared;
  const own = count === 0 ? [] : currentItems(added, addedChanges, count);
  const ofBase = base.items.length;
  return {
    base: { layer: base, changes: baseChanges, isSaved: true },
    added: own.length === 0 ? undefined : toSlice(createLayer(own), { first: ofBase + 1 }),
    next,
    lastSerial: ofBase + own.length,
  };
}

/** A collection that holds nothing, and whose next item has this number; serial numbers go on. */
export function emptyCollection(next = 1, lastSerial = 0): Collection {
  return { ...openCollection(shareContents({ items: [], next })), lastSerial };
}

/** What a collection holds at this moment. It shares with the collection what is there. */
export function saveCollection({ base, added, next }: Collection): SharedContents {
  base.isSaved = true;
  const items = added?.layer.items ?? [];
  const shared: SharedContents = {
    base: base.layer,
    baseChanges: base.changes,
    // Items are only ever added behind these, so they need no copy.
    added: items,
    addedChanges: added?.changes,
    count: items.length,
    next,
  };
  if (added) {
    added.isSaved = true;
    added.saved = new WeakRef(shared);
  }
  return shared;
}

/** The items of contents, in order of creation. */
export function itemsOf(shared: SharedContents): StoredItem[] {
  const { base, baseChanges, added, addedChanges, count } = shared;
  return [...currentItems(base.items, baseChanges), ...currentItems(added, addedChanges, count)];
}

/** What of contents takes memory. */
export function partsOfContents(shared: SharedContents): Part[] {
  const { base, baseChanges, added, addedChanges } = shared;
  return [base.source, baseChanges, added, addedChanges].filter((part) => part !== undefined);
}

/** What of a collection takes memory. */
export function partsOfCollection({ base, added }: Collection): Part[] {
  return [base.layer.source, base.changes, added?.layer.items, added?.changes].filter(
    (part) => part !== undefined,
  );
}

/** Adds an item behind all others; its serial number is this one, or the next where that is greater. */
export function addItem(collection: Collection, item: StoredItem, serial = 0): void {
  const own = Math.max(serial, collection.lastSerial + 1);
  collection.lastSerial = own;
  collection.added ??= toSlice(createLayer(), { first: own });
  const { layer, serials } = collection.added;
  noteSerial(serials, layer.items.length, own);
  insert(layer, item);
}

/** The serial number of the item that has an id. */
export function serialOfItem({ base, added }: Collection, id: string): number | undefined {
  if (added && findItem(added, id))
    return serialAt(added.serials, added.layer.byId.get(id) as number);
  return findItem(base, id) ? serialAt(ofBase, base.layer.byId.get(id) as number) : undefined;
}

/** The serial numbers of the items that a collection begins with. */
const ofBase: Serials = { first: 1 };

export type SerialSearch = {
  filters: FilterValues;
  limit: number;
  after: number;
  isMeant: ((item: StoredItem) => boolean) | undefined;
};

/** The first items that equal all filters and that `isMeant` holds for, behind a serial number. */
export function findSerialItems(
  { base, added }: Collection,
  { filters, limit, after, isMeant }: SerialSearch,
): SerialItem[] {
  const found: SerialItem[] = [];
  const slices = added ? [{ ...base, serials: ofBase }, added] : [{ ...base, serials: ofBase }];
  for (const slice of slices) {
    if (found.length >= limit) break;
    const take = (item: StoredItem, place: number): boolean => {
      if (isMeant?.(item) ?? true)
        found.push({ serial: serialAt(slice.serials, place), json: item.json });
      return found.length < limit;
    };
    visit(slice, filters, take, placeAfter(slice.serials, after));
  }
  return found;
}

/** What tells whether there is another item than these. */
export function hasOtherThan(
  collection: Collection | undefined,
  items: readonly Pick<StoredItem, 'id'>[],
): HasOther {
  const ids = new Set(items.map(({ id }) => id));
  return (isMeant) =>
    collection !== undefined &&
    findSerialItems(collection, {
      filters: [],
      limit: 1,
      after: 0,
      isMeant: ({ id, json }) => !ids.has(id) && isMeant(json),
    }).length > 0;
}

/** The item that has an id. */
export function itemOf({ base, added }: Collection, id: string): StoredItem | undefined {
  return (added && findItem(added, id)) ?? findItem(base, id);
}

/** The bytes that are free once the item that has an id is replaced, after a tidy at the latest. */
export function bytesToFree({ base, added }: Collection, id: string): number {
  const slice = added && findItem(added, id) ? added : base;
  const item = findItem(slice, id);
  if (!item) return 0;
  const place = slice.layer.byId.get(id) as number;
  const isAddedSince = slice === added && place >= countOfSaved(added);
  const isOwnChange = !slice.isSaved && slice.changes?.has(place);
  return isAddedSince || isOwnChange ? bytesOfItem(item) : 0;
}

/** Puts an item in the place of the one that has an id, or removes that one. */
export function changeItem(collection: Collection, id: string, item: StoredItem | undefined): void {
  const { base, added } = collection;
  const slice = added && findItem(added, id) ? added : base;
  changesOf(slice).set(slice.layer.byId.get(id) as number, item);
  tidyInTime(collection);
}

/** The ids of the items that equal all filters and that `isMeant` holds for. */
export function idsOfItems(
  { base, added }: Collection,
  filters: FilterValues,
  isMeant: (item: StoredItem) => boolean,
): string[] {
  const ids: string[] = [];
  for (const slice of added ? [base, added] : [base])
    visit(slice, filters, (item) => {
      if (isMeant(item)) ids.push(item.id);
      return true;
    });
  return ids;
}

/** Removes the items that equal all filters and that `isMeant` holds for, and counts them. */
export function removeItems(
  collection: Collection,
  filters: FilterValues,
  isMeant: (item: StoredItem) => boolean,
): number {
  const { base, added } = collection;
  let count = 0;
  for (const slice of added ? [base, added] : [base]) {
    const places: number[] = [];
    visit(slice, filters, (item, place) => {
      if (isMeant(item)) places.push(place);
      return true;
    });
    for (const place of places) changesOf(slice).set(place, undefined);
    count += places.length;
  }
  tidyInTime(collection);
  return count;
}

function toSlice(layer: Layer, serials: Serials): AddedSlice {
  return { layer, serials, changes: undefined, isSaved: false };
}

function changesOf(slice: OwnSlice): LayerChanges {
  if (!slice.changes) slice.changes = createLayerChanges();
  else if (slice.isSaved) slice.changes = slice.changes.copy();
  slice.isSaved = false;
  return slice.changes;
}

/** How many items of the layer remain in any case, as what was saved has them. */
function countOfSaved({ saved }: AddedSlice): number {
  return saved?.deref()?.count ?? 0;
}

/**
 * Makes the layer of what was added anew once that lets go of an eighth of its items. The items of
 * a saved layer would count twice, so fewer are let go of than were changed.
 */
function tidyInTime(collection: Collection): void {
  const { layer, changes } = collection.added ?? {};
  if (layer && changes && changes.size * 8 >= layer.items.length)
    tidy(collection, layer.items.length / 8);
}

/**
 * Lets go of what was added and then removed or replaced, in a layer that is made anew, if that
 * frees the places of `min` items. Whether it did.
 */
export function tidy(collection: Collection, min = 1): boolean {
  const { added } = collection;
  if (!added?.changes || added.changes.size - countOfSaved(added) < min) return false;
  const { changes, layer, serials } = added;
  const items = currentItems(layer.items, changes);
  const listed: number[] = [];
  for (let place = 0; place < layer.items.length; place++)
    if (!changes.has(place) || changes.get(place)) listed.push(serialAt(serials, place));
  collection.added =
    items.length === 0
      ? undefined
      : toSlice(createLayer(items), { first: listed[0] as number, listed });
  return true;
}
