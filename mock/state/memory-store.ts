import type { ByteText } from '../json/byte-text.ts';
import { bytesOfItem, createSumBytes } from './memory-bytes.ts';
import type { Collections, Contents, Store, StoredItem, Stores } from './store.ts';

/**
 * Opens stores in memory. Contents are indexed once, however many stores hold them: as items are
 * only ever added, a store keeps nothing but those that were added to it. Each filter value has an
 * index, so a rare one is found as fast among a million items as among ten.
 */
export function createMemoryStores(): Stores {
  const known = new WeakMap<Contents, Shared>();
  const opened = new WeakMap<Store | Collections, () => Iterable<Collection>>();
  const sumBytes = createSumBytes();

  const toCollection = (contents: Contents): Collection => {
    let shared = known.get(contents);
    if (!shared)
      known.set(
        contents,
        (shared = { base: toBase(contents.items), added: [], count: 0, next: contents.next }),
      );
    const { base, added, count, next } = shared;
    if (count === 0) return { base, next };
    const layer = emptyLayer();
    for (let at = 0; at < count; at++) insert(layer, added[at] as StoredItem);
    return { base, next, added: layer };
  };
  const toContents = ({ base, added: layer, next }: Collection): Contents => {
    const added = layer?.items ?? [];
    // Items are only ever added behind these, so they need no copy.
    const shared = { base, added, count: added.length, next };
    const contents = {
      next,
      get items() {
        return [...base.items, ...added.slice(0, shared.count)];
      },
    };
    known.set(contents, shared);
    return contents;
  };
  const listsOf = (holder: Store | Collections): ItemList[] => {
    const collections = opened.get(holder)?.();
    if (collections)
      return [...collections].flatMap(({ base, added }) =>
        added ? [base.source, added.items] : [base.source],
      );
    return Object.values(holder as Collections).flatMap((contents) => {
      const shared = known.get(contents);
      return shared ? [shared.base.source, shared.added] : [contents.items];
    });
  };
  const listsOfAll = (held: Iterable<Store | Collections>) => new Set([...held].flatMap(listsOf));
  const fill = (collections: Collections) =>
    new Map(Object.entries(collections).map(([name, contents]) => [name, toCollection(contents)]));

  const open: Stores['open'] = (initial, admit) => {
    let collections = fill(initial);
    const store: Store = {
      async add(name, toItem) {
        let collection = collections.get(name);
        if (!collection) collections.set(name, (collection = { base: toBase([]), next: 1 }));
        const item = toItem(collection.next);
        admit?.(bytesOfItem(item));
        collection.next += 1;
        collection.added ??= emptyLayer();
        insert(collection.added, { ...item, filters: { ...item.filters } });
        return item;
      },
      async get(name, id) {
        const collection = collections.get(name);
        return (collection?.added?.byId.get(id) ?? collection?.base.byId.get(id))?.json;
      },
      async list(name, { filters, limit }) {
        const collection = collections.get(name);
        if (!collection) return [];
        const values = Object.entries(filters);
        const found = select(collection.base, values, limit, []);
        return collection.added ? select(collection.added, values, limit, found) : found;
      },
      async count(name) {
        const collection = collections.get(name);
        return collection
          ? collection.base.items.length + (collection.added?.items.length ?? 0)
          : 0;
      },
      async save() {
        return Object.fromEntries(
          [...collections].map(([name, collection]) => [name, toContents(collection)]),
        );
      },
      async load(loaded) {
        collections = fill(loaded);
      },
      async close() {},
    };
    opened.set(store, () => collections.values());
    return store;
  };
  return {
    open,
    bytesOf: (held, besides = []) => sumBytes(listsOfAll(held).difference(listsOfAll(besides))),
  };
}

/** Items in memory; other stores and contents may have the same list. It may only be added to. */
type ItemList = readonly StoredItem[];

/** Items with their indexes. */
type Layer = {
  items: StoredItem[];
  byId: Map<string, StoredItem>;
  /** Filter name, then value, then the items that have it. */
  indexes: Map<string, Map<string, StoredItem[]>>;
};

/** A layer that no store changes, and what one of them added to it. */
type Collection = { readonly base: BaseLayer; added?: Layer; next: number };

/** The layer of the items of contents; `source` is their own list, by which it is known. */
type BaseLayer = Layer & { source: ItemList };

/**
 * Contents that several stores may begin with: a layer, and the first so many of the items that
 * were added to it.
 */
type Shared = {
  readonly base: BaseLayer;
  readonly added: ItemList;
  readonly count: number;
  readonly next: number;
};

function emptyLayer(): Layer {
  return { items: [], byId: new Map(), indexes: new Map() };
}

function toBase(source: ItemList): BaseLayer {
  const layer = emptyLayer();
  for (const item of source) insert(layer, item);
  return { ...layer, source };
}

function insert({ items, byId, indexes }: Layer, item: StoredItem): void {
  items.push(item);
  byId.set(item.id, item);
  for (const [filter, value] of Object.entries(item.filters)) {
    let index = indexes.get(filter);
    if (!index) indexes.set(filter, (index = new Map()));
    const having = index.get(value);
    if (having) having.push(item);
    else index.set(value, [item]);
  }
}

/** Adds to `found` the JSON of the items that equal all filters, until it holds `limit`. */
function select(
  { items, indexes }: Layer,
  filters: [string, string][],
  limit: number,
  found: ByteText[],
): ByteText[] {
  const candidates = filters
    .map(([filter, value]) => indexes.get(filter)?.get(value) ?? [])
    .reduce((shortest, having) => (having.length < shortest.length ? having : shortest), items);
  for (let at = 0; at < candidates.length && found.length < limit; at++) {
    const item = candidates[at] as StoredItem;
    if (filters.length < 2 || filters.every(([filter, value]) => item.filters[filter] === value))
      found.push(item.json);
  }
  return found;
}
