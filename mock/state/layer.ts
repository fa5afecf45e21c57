import type { StoredItem } from './store.ts';
import { createPauses, type Pausing } from './turns.ts';

/** Places of items, by the name of a filter and then by its value, in order. */
export type Indexes = Map<string, Map<string, number[]>>;

/** Items with their indexes. It is only ever added to; a store keeps what it changes beside it. */
export type Layer = {
  readonly items: StoredItem[];
  /** The place of the last item that was added with an id. */
  readonly byId: Map<string, number>;
  readonly indexes: Indexes;
};

/** The values that items must have, by the names of filters. */
export type FilterValues = readonly (readonly [name: string, value: string])[];

/** Makes a layer of items, in their order. */
export function createLayer(items: Iterable<StoredItem> = []): Layer {
  const layer: Layer = { items: [], byId: new Map(), indexes: new Map() };
  for (const item of items) insert(layer, item);
  return layer;
}

/** The same, with pauses where there are very many. */
export function* buildLayer(items: Iterable<StoredItem>): Pausing<Layer> {
  const layer = createLayer();
  const isPause = createPauses();
  for (const item of items) {
    insert(layer, item);
    if (isPause()) yield;
  }
  return layer;
}

/** Adds an item behind all others. */
export function insert({ items, byId, indexes }: Layer, item: StoredItem): void {
  const place = items.length;
  items.push(item);
  byId.set(item.id, place);
  for (const [filter, value] of Object.entries(item.filters)) {
    let index = indexes.get(filter);
    if (!index) indexes.set(filter, (index = new Map()));
    const places = index.get(value);
    if (places) places.push(place);
    else index.set(value, [place]);
  }
}

/** The places among which those are that equal all filters; undefined for all places. */
export function findPlaces(indexes: Indexes, filters: FilterValues): readonly number[] | undefined {
  let shortest: readonly number[] | undefined;
  for (const [filter, value] of filters) {
    const places = indexes.get(filter)?.get(value) ?? nowhere;
    if (!shortest || places.length < shortest.length) shortest = places;
  }
  return shortest;
}

/** Where a place is, or belongs, among places in order. */
export function indexOfPlace(places: readonly number[], place: number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((places[middle] as number) < place) from = middle + 1;
    else to = middle;
  }
  return from;
}

const nowhere: readonly number[] = [];

/** Whether an item equals all filters. */
export function isEqual({ filters: values }: StoredItem, filters: FilterValues): boolean {
  return filters.every(([filter, value]) => values[filter] === value);
}

/**
 * The serial numbers of the items of a layer, which grow from place to place: those from `first` on
 * without a gap, unless all are listed.
 */
export type Serials = { readonly first: number; listed?: number[] };

/** The serial number at a place. */
export function serialAt({ first, listed }: Serials, place: number): number {
  return listed ? (listed[place] as number) : first + place;
}

/** The place of the first serial number above another, or the one behind all. */
export function placeAfter({ first, listed }: Serials, serial: number): number {
  return listed ? indexOfPlace(listed, serial + 1) : Math.max(0, serial + 1 - first);
}

/** Notes the serial number of an item that is added behind `count` others. */
export function noteSerial(serials: Serials, count: number, serial: number): void {
  if (!serials.listed) {
    if (serials.first + count === serial) return;
    serials.listed = Array.from({ length: count }, (_, place) => serials.first + place);
  }
  serials.listed.push(serial);
}

/**
 * The bytes that an item and its place in the indexes take besides its texts: no less than V8 was
 * seen to take.
 */
const overhead = 256;

/**
 * The memory of an item, in bytes; a value that lists find it by is a text of its own, of up to two
 * bytes a character.
 */
export function bytesOfItem({ json, filters }: StoredItem): number {
  let bytes = overhead + json.length;
  for (const name in filters) bytes += 2 * (filters[name]?.length ?? 0);
  return bytes;
}

/** What takes memory: items in a list that only grows, or what a store has changed of one. */
export type Part = readonly StoredItem[] | { readonly bytes: number };

/** Sums the memory of parts; it looks at each item of a list once, and not before. */
export function createSumBytes(): (parts: Iterable<Part>) => number {
  const known = new WeakMap<readonly StoredItem[], { count: number; bytes: number }>();
  const bytesOf = (part: Part): number => {
    if ('bytes' in part) return part.bytes;
    let seen = known.get(part);
    if (!seen) known.set(part, (seen = { count: 0, bytes: 0 }));
    for (; seen.count < part.length; seen.count++)
      seen.bytes += bytesOfItem(part[seen.count] as StoredItem);
    return seen.bytes;
  };
  return (parts) => {
    let bytes = 0;
    for (const part of parts) bytes += bytesOf(part);
    return bytes;
  };
}
