import { setImmediate } from 'node:timers/promises';
import type { Differences } from './differences.ts';
import { bytesToFree, hasOtherThan, itemOf } from './memory-collection.ts';
import type { OpenedMemory } from './memory-store.ts';
import {
  type Collections,
  endOfNumbers,
  type HasOther,
  outOfNumbers,
  type StoredItem,
} from './store.ts';

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

/** Hands on what comes, in batches, one after another. */
interface Batches<T> {
  add(one: T): void;
  /** Resolves once all that was added is done. */
  idle(): Promise<void>;
}

/** How much is handed on at once, so that no batch keeps the event loop for long. */
const maxBatch = 64;

/**
 * Gathers what comes in one turn of the event loop, or while a batch is under way, for one batch;
 * what is `alone` gets one of its own. `run` must not reject.
 */
export function createBatches<T extends { isAlone: boolean }>(
  run: (batch: readonly T[]) => Promise<void>,
): Batches<T> {
  const waiting: T[] = [];
  let isRunning = false;
  let idle = Promise.resolve();

  const next = () => {
    const alone = waiting.findIndex(({ isAlone }) => isAlone);
    const count = alone === -1 ? waiting.length : Math.max(1, alone);
    return waiting.splice(0, Math.min(count, maxBatch));
  };
  const runAll = async () => {
    await setImmediate();
    while (waiting.length > 0) await run(next());
    isRunning = false;
  };
  return {
    add(one) {
      waiting.push(one);
      if (isRunning) return;
      isRunning = true;
      idle = runAll();
    },
    idle: () => idle,
  };
}

/**
 * A change of a collection, and the number of its next item afterwards. An item that is put with a
 * `place` is behind all others, in the order of places; without one it is in the place of the item
 * that has its id. What is removed was there at the start if `isSeed`; then it has to be known that
 * it is gone.
 */
export type Change = { collection: string; next: number } & (
  | { act: 'put'; item: StoredItem; place?: number }
  | { act: 'remove'; id: string; isSeed: boolean }
  | { act: 'clear' }
);

/** Changes that are stored together, and the version of the whole afterwards. */
export type Round = { version: number; changes: readonly Change[] };

/**
 * What was stored since a version: the rounds in order, or the whole where it was replaced or is too
 * long ago, as what differs from its seeds.
 */
export type Newer =
  | { rounds: readonly Round[]; version?: never }
  | { version: number; seeds: Collections; differences: Differences; rounds?: never };

/** The version that a round made, or what was stored before it came; then nothing is stored. */
export type Appended = { version: number; newer?: never } | { newer: Newer; version?: never };

/**
 * Where the changes of a store are held, in a file or for several processes. The version counts
 * their rounds, and goes on over a replacement.
 *
 * A method that answers at once is not waited for: then the changes are computed, stored and applied
 * without anything between. One that throws or rejects has stored nothing, or leaves it open.
 */
export interface ChangeLog<Extra = undefined> {
  /** Stores changes that were computed at a version, if it is still the newest. */
  append(version: number, changes: readonly Change[]): Appended | Promise<Appended>;
  /** Stores a whole in place of all, likewise; with `extra` where it is given, at one moment. */
  replace(version: number, whole: Whole<Extra>): Appended | Promise<Appended>;
}

/** All that a store holds, as what differs from its seeds. */
export type Whole<Extra> = { seeds: Collections; differences: Differences; extra?: Extra };
