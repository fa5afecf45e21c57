import type { Seeds, Store, StoredItem } from './store.ts';

/** A store in memory. Each filter value has an index, so a rare value is found as fast among a million items as among ten. */
export function createMemoryStore(seeds: Readonly<Record<string, Seeds>>): Store {
  const kept = Object.entries(seeds).map(([name, { items, next }]) => [name, { items: [...items], next }] as const);
  const fill = () => new Map(kept.map(([name, seed]) => [name, createCollection(seed)]));
  let collections = fill();
  return {
    async add(name, toItem) {
      let collection = collections.get(name);
      if (!collection) collections.set(name, (collection = createCollection({ items: [], next: 1 })));
      const item = toItem(collection.next);
      collection.next += 1;
      insert(collection, { ...item, filters: { ...item.filters } });
      return item;
    },
    async get(name, id) {
      return collections.get(name)?.byId.get(id)?.json;
    },
    async list(name, { filters, limit }) {
      const collection = collections.get(name);
      return collection ? select(collection, Object.entries(filters), limit) : [];
    },
    async count(name) {
      return collections.get(name)?.items.length ?? 0;
    },
    async reset() {
      collections = fill();
    },
    async close() {},
  };
}

type Collection = {
  items: StoredItem[];
  byId: Map<string, StoredItem>;
  /** Filter name, then value, then the items that have it. */
  indexes: Map<string, Map<string, StoredItem[]>>;
  next: number;
};

function createCollection({ items, next }: Seeds): Collection {
  const collection: Collection = { items: [], byId: new Map(), indexes: new Map(), next };
  for (const item of items) insert(collection, item);
  return collection;
}

function insert({ items, byId, indexes }: Collection, item: StoredItem): void {
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

function select(collection: Collection, filters: [string, string][], limit: number): string[] {
  const candidates = filters
    .map(([filter, value]) => collection.indexes.get(filter)?.get(value) ?? [])
    .reduce((shortest, items) => (items.length < shortest.length ? items : shortest), collection.items);
  const found: string[] = [];
  for (let at = 0; at < candidates.length && found.length < limit; at++) {
    const item = candidates[at] as StoredItem;
    if (filters.length < 2 || filters.every(([filter, value]) => item.filters[filter] === value)) found.push(item.json);
  }
  return found;
}
