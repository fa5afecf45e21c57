import type { Change } from './change-log.ts';
import { bytesToFree, hasOtherThan, itemOf } from './memory-collection.ts';
import type { OpenedMemory } from './memory-store.ts';
import { endOfNumbers, type HasOther, outOfNumbers, type StoredItem } from './store.ts';

/** Changes that are computed one after another, over what a store in memory holds. */
export type OpenRound = {
  readonly changes: readonly Change[];
  itemOf(collection: string, id: string): StoredItem | undefined;
  /** What tells whether a collection has another item than these. */
  hasOtherThan(collection: string, items: readonly StoredItem[]): HasOther;
  /** The number of the next item. Throws OutOfRoomError where none is left. */
  nextOf(collection: string): number;
  /** Puts an item behind all others, which gets a number. */
  add(collection: string, item: StoredItem): void;
  /** Puts an item in the place of the one with its id, or behind all others; counts on above `number`. */
  put(collection: string, item: StoredItem, number?: number): void;
  remove(collection: string, id: string): void;
  clear(collection: string): void;
  /** Takes all changes of the round back. */
  undo(): void;
};

export type RoundOptions = {
  memory: OpenedMemory;
  /** The last place of a collection that was given. */
  lastPlaceOf: (collection: string) => number;
  /** Whether an item with this id was there at the start. */
  isSeed: (collection: string, id: string) => boolean;
};

type Pending = {
  next: number;
  lastPlace: number;
  /** Items by their ids; undefined for one that was removed. */
  items: Map<string, StoredItem | undefined>;
};

/** Begins a round that nothing sees before it is applied. */
export function openRound({ memory, lastPlaceOf, isSeed }: RoundOptions): OpenRound {
  const changes: Change[] = [];
  const pending = new Map<string, Pending>();
  const pendingOf = (name: string): Pending => {
    let found = pending.get(name);
    if (!found) {
      const next = memory.find(name)?.next ?? 1;
      pending.set(name, (found = { next, lastPlace: lastPlaceOf(name), items: new Map() }));
    }
    return found;
  };
  const currentOf = (name: string, id: string): StoredItem | undefined => {
    const items = pending.get(name)?.items;
    if (items?.has(id)) return items.get(id);
    const held = memory.find(name);
    return held && itemOf(held, id);
  };
  const admit = (name: string, item: StoredItem) =>
    memory.admit(item, () => {
      const held = memory.find(name);
      return held ? bytesToFree(held, item.id) : 0;
    });
  const store = (name: string, own: StoredItem, isBehind: boolean) => {
    const { next, items } = pendingOf(name);
    items.set(own.id, own);
    const place = isBehind ? ++pendingOf(name).lastPlace : undefined;
    const change = { act: 'put' as const, collection: name, next, item: own };
    changes.push(place === undefined ? change : { ...change, place });
  };
  return {
    changes,
    itemOf: currentOf,
    hasOtherThan(name, items) {
      const changed = pending.get(name)?.items ?? new Map<string, StoredItem | undefined>();
      const ids = new Set(items.map(({ id }) => id));
      const isOther = (item: StoredItem | undefined): item is StoredItem =>
        item !== undefined && !ids.has(item.id);
      const own = [...changed.values()].filter(isOther);
      const known = [...changed.keys()].map((id) => ({ id }));
      const hasHeld = hasOtherThan(memory.find(name), [...items, ...known]);
      return (isMeant) => own.some(({ json }) => isMeant(json)) || hasHeld(isMeant);
    },
    nextOf(name) {
      const { next } = pendingOf(name);
      if (next >= endOfNumbers) throw outOfNumbers(name);
      return next;
    },
    add(name, item) {
      const own = admit(name, item);
      pendingOf(name).next += 1;
      store(name, own, true);
    },
    put(name, item, number = 0) {
      const isBehind = currentOf(name, item.id) === undefined;
      const own = admit(name, item);
      const state = pendingOf(name);
      if (number < endOfNumbers) state.next = Math.max(state.next, number + 1);
      store(name, own, isBehind);
    },
    remove(name, id) {
      const { next, items } = pendingOf(name);
      items.set(id, undefined);
      changes.push({ act: 'remove', collection: name, next, id, isSeed: isSeed(name, id) });
    },
    clear(name) {
      changes.push({ act: 'clear', collection: name, next: pendingOf(name).next });
    },
    undo() {
      changes.length = 0;
      pending.clear();
    },
  };
}
