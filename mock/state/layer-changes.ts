import { bytesOfItem, type Indexes, indexOfPlace } from './layer.ts';
import type { StoredItem } from './store.ts';

/** What a store has changed of a layer: which items it removed, and what it put in their places. */
export interface LayerChanges {
  /** The places of the items that are in the places of others. */
  readonly indexes: Indexes;
  /** How many places were changed. */
  readonly size: number;
  /** How many items were removed. */
  readonly removed: number;
  /** The memory that it takes. */
  readonly bytes: number;
  has(place: number): boolean;
  get(place: number): StoredItem | undefined;
  /** Puts an item in the place of another, or removes the one that is there. */
  set(place: number, item: StoredItem | undefined): void;
  copy(): LayerChanges;
}

/** The memory that a change takes besides the item that it puts in place, in bytes. */
const overhead = 64;

/** From so many removed items on, a bit for each place tells which they are. */
const minForBits = 1024;

/** Bits take no more room than this many for each removed item, when they are made. */
const maxBitsEach = 64;

/** Makes changes that go on from others; `before` changes no more. */
export function createLayerChanges(before?: {
  byPlace: ReadonlyMap<number, StoredItem | undefined>;
  bits: Uint32Array;
  changes: LayerChanges;
}): LayerChanges {
  const byPlace = new Map(before?.byPlace);
  let bits = new Uint32Array(before?.bits ?? []);
  const { indexes, size = 0, removed = 0, bytes = 0 } = before?.changes ?? {};
  const count = (place: number, sign: 1 | -1) => {
    const item = byPlace.get(place);
    changes.size += sign;
    changes.removed += item ? 0 : sign;
    changes.bytes += sign * (overhead + (item ? bytesOfItem(item) : 0));
  };
  // Lists pass by what was removed, place after place, which a map is too slow for.
  const isMarked = (place: number) => ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  const mark = (place: number, isRemoved: boolean) => {
    const word = place >>> 5;
    if (word >= bits.length) return;
    if (isRemoved) bits[word] = (bits[word] as number) | (1 << (place & 31));
    else bits[word] = (bits[word] as number) & ~(1 << (place & 31));
  };
  const growBits = (place: number) => {
    if (changes.removed < minForBits || changes.removed * maxBitsEach < place) return;
    const grown = new Uint32Array(Math.max((place >>> 5) + 1, 2 * bits.length));
    changes.bytes += grown.byteLength - bits.byteLength;
    bits = grown;
    for (const [at, item] of byPlace) mark(at, !item);
  };
  const changes = {
    indexes: copyIndexes(indexes),
    size,
    removed,
    bytes,
    has: (place: number) => isMarked(place) || byPlace.has(place),
    get: (place: number) => (isMarked(place) ? undefined : byPlace.get(place)),
    set(place: number, item: StoredItem | undefined) {
      if (byPlace.has(place)) count(place, -1);
      const replaced = byPlace.get(place);
      if (replaced) removeFrom(changes.indexes, replaced, place);
      byPlace.set(place, item);
      if (item) addTo(changes.indexes, item, place);
      count(place, 1);
      if (!item && place >= 32 * bits.length) growBits(place);
      mark(place, !item);
    },
    copy: () => createLayerChanges({ byPlace, bits, changes }),
  };
  return changes;
}

function copyIndexes(indexes: Indexes = new Map()): Indexes {
  const copy: Indexes = new Map();
  for (const [filter, index] of indexes)
    copy.set(filter, new Map(index.entries().map(([value, places]) => [value, [...places]])));
  return copy;
}

function addTo(indexes: Indexes, { filters }: StoredItem, place: number): void {
  for (const [filter, value] of Object.entries(filters)) {
    let index = indexes.get(filter);
    if (!index) indexes.set(filter, (index = new Map()));
    const places = index.get(value);
    if (places) places.splice(indexOfPlace(places, place), 0, place);
    else index.set(value, [place]);
  }
}

/** Leaves nothing empty behind, since an item may have a new value at each change. */
function removeFrom(indexes: Indexes, { filters }: StoredItem, place: number): void {
  for (const [filter, value] of Object.entries(filters)) {
    const index = indexes.get(filter);
    const places = index?.get(value);
    places?.splice(indexOfPlace(places, place), 1);
    if (places?.length === 0) index?.delete(value);
    if (index?.size === 0) indexes.delete(filter);
  }
}
