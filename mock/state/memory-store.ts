import type { FilterValues } from './layer.ts';
import { bytesOfItem, createSumBytes, type Part } from './layer.ts';
import {
  addItem,
  buildSharedContents,
  bytesToFree,
  type Collection,
  changeItem,
  emptyCollection,
  findSerialItems,
  hasOtherThan,
  itemOf,
  itemsOf,
  openCollection,
  partsOfCollection,
  partsOfContents,
  removeItems,
  type SharedContents,
  saveCollection,
  serialOfItem,
  shareContents,
  tidy,
} from './memory-collection.ts';
import { planItems } from './plan-items.ts';
import { countItems, fillPage, type Page } from './read-layer.ts';
import {
  type Admit,
  type Collections,
  type Contents,
  endOfNumbers,
  outOfNumbers,
  type Store,
  type StoredItem,
  type Stores,
} from './store.ts';
import { doInTurns, type Pausing } from './turns.ts';

/** Stores in memory, which others can be built on that hold the same elsewhere too. */
export interface MemoryStores extends Stores {
  openMemory(collections: Collections, admit?: Admit): OpenedMemory;
  /** Counts the memory of a store as that of one that is built on it. */
  countFor(store: Store, memory: OpenedMemory): void;
  /** Indexes collections, in turns where they are large, so that loading them takes no time. */
  index(collections: Collections): void | Promise<void>;
  /** The place of an item among contents, by its id; from 0. */
  placeOf(contents: Contents, id: string): number | undefined;
}

/** A store in memory, and what it holds, to be read and changed at once. */
export type OpenedMemory = {
  store: Store;
  /** What it holds of a collection, if anything. */
  find(collection: string): Collection | undefined;
  /** The same, made where there is none. */
  get(collection: string): Collection;
  set(collection: string, held: Collection): void;
  save(): Collections;
  load(collections: Collections): void;
  /** An item that its caller no longer changes, once there is room for it. */
  admit(item: StoredItem, toFree?: () => number): StoredItem;
};

/**
 * Opens stores in memory. Contents are indexed once, however many stores hold them: a store keeps
 * nothing but what it added to them, and what it changed of them. Each filter value has an index, so
 * a rare one is found as fast among a million items as among ten.
 */
export function createMemoryStores(): MemoryStores {
  const known = new WeakMap<Contents, SharedContents>();
  const opened = new WeakMap<Store | Collections, () => Iterable<Collection>>();
  const sumBytes = createSumBytes();
  const places = new WeakMap<Contents, ReadonlyMap<string, number>>();

  const toShared = (contents: Contents): SharedContents => {
    let shared = known.get(contents);
    if (!shared) known.set(contents, (shared = shareContents(contents)));
    return shared;
  };
  function* indexAll(collections: Collections): Pausing<void> {
    for (const contents of Object.values(collections))
      if (!known.has(contents)) known.set(contents, yield* buildSharedContents(contents));
  }
  const index = (collections: Collections) => doInTurns(indexAll(collections));
  const toContents = (collection: Collection): Contents => {
    const shared = saveCollection(collection);
    const contents = {
      next: shared.next,
      get items() {
        return itemsOf(shared);
      },
    };
    known.set(contents, shared);
    return contents;
  };
  const partsOfHolder = (holder: Store | Collections): Part[] => {
    const collections = opened.get(holder)?.();
    if (collections) return [...collections].flatMap(partsOfCollection);
    return Object.values(holder as Collections).flatMap((contents): Part[] => {
      const shared = known.get(contents);
      return shared ? partsOfContents(shared) : [contents.items];
    });
  };
  const partsOfAll = (held: Iterable<Store | Collections>) =>
    new Set([...held].flatMap(partsOfHolder));
  const fill = (collections: Collections) =>
    new Map(
      Object.entries(collections).map(([name, contents]) => [
        name,
        openCollection(toShared(contents)),
      ]),
    );

  const openMemory: MemoryStores['openMemory'] = (initial, admit) => {
    let collections = fill(initial);
    const collectionOf = (name: string) => {
      let collection = collections.get(name);
      if (!collection) collections.set(name, (collection = emptyCollection()));
      return collection;
    };
    const ensureRoom = (bytes: number, toFree?: () => number) => {
      try {
        admit?.(bytes);
      } catch (error) {
        const tidied = collections
          .values()
          .map((collection) => tidy(collection))
          .toArray();
        const freed = toFree?.() ?? 0;
        if (!tidied.includes(true) && freed === 0) throw error;
        admit?.(Math.max(0, bytes - freed));
      }
    };
    /** An item that its caller no longer changes, once there is room for it. */
    const admitted = (item: StoredItem, toFree?: () => number): StoredItem => {
      ensureRoom(bytesOfItem(item), toFree);
      return { ...item, filters: { ...item.filters } };
    };
    const save = (): Collections =>
      Object.fromEntries(
        [...collections].map(([name, collection]) => [name, toContents(collection)]),
      );
    const load = (loaded: Collections) => {
      collections = fill(loaded);
    };
    const store: Store = {
      async add(name, toItem, ensure) {
        const collection = collectionOf(name);
        if (collection.next >= endOfNumbers) throw outOfNumbers(name);
        const item = toItem(collection.next);
        ensure?.([item], hasOtherThan(collection, [item]));
        const own = admitted(item);
        collection.next += 1;
        addItem(collection, own);
        return item;
      },
      async addAll(name, items, ensure) {
        const collection = collectionOf(name);
        const { planned, taken } = planItems(items, {
          collection: name,
          next: collection.next,
          isTaken: (id) => itemOf(collection, id) !== undefined,
        });
        if (!planned) return { taken };
        const added = planned.map(({ item }) => item);
        ensure?.(added, hasOtherThan(collection, added));
        ensureRoom(planned.reduce((bytes, { item }) => bytes + bytesOfItem(item), 0));
        for (const { item, number = 0 } of planned) {
          if (number < endOfNumbers) collection.next = Math.max(collection.next, number + 1);
          addItem(collection, { ...item, filters: { ...item.filters } });
        }
        return { items: added };
      },
      async put(name, item, { number = 0, ifFree = false, ensure } = {}) {
        const collection = collectionOf(name);
        const isTaken = itemOf(collection, item.id) !== undefined;
        if (isTaken && ifFree) return 'taken';
        ensure?.([item], hasOtherThan(collection, [item]));
        const own = admitted(item, () => bytesToFree(collection, item.id));
        if (number < endOfNumbers) collection.next = Math.max(collection.next, number + 1);
        if (isTaken) changeItem(collection, item.id, own);
        else addItem(collection, own);
        return isTaken ? 'replaced' : 'added';
      },
      async change(name, id, toItem, ensure) {
        const collection = collections.get(name);
        const before = collection && itemOf(collection, id);
        if (!before) return undefined;
        const item = toItem(before.json);
        ensure?.([item], hasOtherThan(collection, [item]));
        const own = admitted(item, () => bytesToFree(collection, id));
        changeItem(collection, id, own);
        return item;
      },
      async remove(name, id) {
        const collection = collections.get(name);
        if (!collection || !itemOf(collection, id)) return false;
        changeItem(collection, id, undefined);
        return true;
      },
      async removeAll(name, filters = {}, isMeant) {
        const collection = collections.get(name);
        if (!collection) return 0;
        const values = Object.entries(filters);
        if (values.length > 0 || isMeant)
          return removeItems(collection, values, ({ json }) => isMeant?.(json) ?? true);
        collections.set(name, emptyCollection(collection.next, collection.lastSerial));
        return countOf(collection, values);
      },
      async get(name, id) {
        const collection = collections.get(name);
        return collection && itemOf(collection, id)?.json;
      },
      async list(name, { filters, limit, skip = 0 }) {
        const collection = collections.get(name);
        if (!collection) return [];
        const values = Object.entries(filters);
        const page: Page = { skip, limit, found: [] };
        fillPage(collection.base, values, page);
        if (collection.added) fillPage(collection.added, values, page);
        return page.found;
      },
      async listSerial(name, { filters, limit, after = 0, isMeant }) {
        const collection = collections.get(name);
        if (!collection) return [];
        return findSerialItems(collection, {
          filters: Object.entries(filters),
          limit,
          after,
          isMeant: isMeant && (({ json }) => isMeant(json)),
        });
      },
      async serialOf(name, id) {
        const collection = collections.get(name);
        return collection && serialOfItem(collection, id);
      },
      async count(name, filters = {}) {
        const collection = collections.get(name);
        return collection ? countOf(collection, Object.entries(filters)) : 0;
      },
      save: async () => save(),
      async load(loaded) {
        const indexing = index(loaded);
        if (indexing) await indexing;
        load(loaded);
      },
      async close() {},
    };
    const memory: OpenedMemory = {
      store,
      find: (name) => collections.get(name),
      get: collectionOf,
      set: (name, collection) => void collections.set(name, collection),
      save,
      load,
      admit: admitted,
    };
    opened.set(store, () => collections.values());
    return memory;
  };
  return {
    open: (collections, admit) => openMemory(collections, admit).store,
    openMemory,
    index,
    countFor: (store, memory) => {
      const held = opened.get(memory.store);
      if (held) opened.set(store, held);
    },
    placeOf(contents, id) {
      const { base, baseChanges, count } = toShared(contents);
      if (!baseChanges && count === 0) return base.byId.get(id);
      let byId = places.get(contents);
      if (!byId) {
        byId = new Map(contents.items.map((item, place) => [item.id, place]));
        places.set(contents, byId);
      }
      return byId.get(id);
    },
    bytesOf: (held, besides = []) => sumBytes(partsOfAll(held).difference(partsOfAll(besides))),
  };
}

function countOf({ base, added }: Collection, filters: FilterValues): number {
  return countItems(base, filters) + (added ? countItems(added, filters) : 0);
}
