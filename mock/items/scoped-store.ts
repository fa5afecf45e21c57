import type { Resource } from '../../contracts/description/document.ts';
import { withAll } from '../../contracts/description/property-path.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { createShow, pickHidden, type ScopeValue, toScopeFilters } from '../state/scopes.ts';
import type { AddedAll, Filters, NewItem, Store, StoredItem, ToItem } from '../state/store.ts';
import {
  canRepeatIds,
  composedOf,
  type Fields,
  type FoundItem,
  fieldsOf,
  filterValuesOf,
  findInScopes,
  keyInScopes,
} from './stored-item.ts';

/** A call's scopes: their values, and the members of items that hold them. */
export type CallScopes = { values: readonly ScopeValue[]; members: Fields };

/** The items of a collection that one call sees, and how it stores and shows them. */
class Scoped {
  /** Whether items of other scopes may have the same ids. */
  readonly repeats: boolean;
  readonly show: (json: ByteText) => ByteText;
  readonly #store: Store;
  readonly #resource: Resource;
  readonly #scopes: CallScopes;

  constructor(store: Store, resource: Resource, scopes: CallScopes) {
    this.#store = store;
    this.#resource = resource;
    this.#scopes = scopes;
    this.repeats = canRepeatIds(resource, scopes.values);
    this.show = createShow(resource) ?? ((json) => json);
  }

  find(id: string): Promise<FoundItem | undefined> {
    return findInScopes(this.#store, this.#resource, { id, values: this.#scopes.values });
  }

  within(filters: Filters = {}): Filters {
    return { ...filters, ...toScopeFilters(this.#scopes.values) };
  }

  shown(item: StoredItem): StoredItem {
    return { ...item, json: this.show(item.json) };
  }

  toStored(item: StoredItem, hidden: Fields = {}): StoredItem {
    return withMembers(this.#resource, item, { ...hidden, ...this.#scopes.members });
  }

  making(toItem: ToItem): ToItem {
    return (n) => this.toStored(toItem(n));
  }

  /** An item as a store takes it, with an id of its own where an item of another scope has its id. */
  async withFreeKey(item: StoredItem): Promise<StoredItem> {
    const { name } = this.#resource;
    if (!this.repeats || (await this.#store.get(name, item.id)) === undefined) return item;
    if (await this.find(item.id)) return item;
    return { ...item, id: keyInScopes(item.id, this.#scopes.values) };
  }

  async toNew({ given, toItem }: NewItem): Promise<NewItem> {
    if (!given) return { toItem: this.making(toItem) };
    const item = this.toStored(await this.withFreeKey(given.item));
    return { given: { ...given, item }, ...(toItem && { toItem: this.making(toItem) }) };
  }

  async addAll(name: string, items: readonly NewItem[]): Promise<AddedAll> {
    const own = await Promise.all(items.map((one) => this.toNew(one)));
    const added = await this.#store.addAll(name, own);
    if (added.items) return { items: added.items.map((one) => this.shown(one)) };
    const index = own.findIndex(({ given }) => given?.item.id === added.taken);
    return { taken: items[index]?.given?.item.id ?? added.taken };
  }

  async put(name: string, item: StoredItem, options: Parameters<Store['put']>[2]) {
    if (!this.repeats) return this.#store.put(name, this.toStored(item), options);
    const known = await this.find(item.id);
    if (known && options?.ifFree) return 'taken';
    const own = known ? { ...item, id: known.key } : await this.withFreeKey(item);
    return this.#store.put(name, this.toStored(own), options);
  }

  async change(name: string, id: string, toItem: (json: ByteText) => StoredItem) {
    const found = await this.find(id);
    if (!found) return undefined;
    const { key } = found;
    const item = await this.#store.change(name, key, (json) => {
      const hidden = pickHidden(this.#resource, fieldsOf(json));
      return { ...this.toStored(toItem(this.show(json)), hidden), id: key };
    });
    return item && this.shown(item);
  }
}

/**
 * The part of a store that one call sees of a collection: the items of its scopes, as the API shows
 * them. What it adds gets the members that hold the scopes, and what it changes keeps them.
 */
export function toScopedStore(store: Store, resource: Resource, scopes: CallScopes): Store {
  const scoped = new Scoped(store, resource, scopes);
  const { show } = scoped;
  return {
    ...store,
    add: async (name, toItem) => scoped.shown(await store.add(name, scoped.making(toItem))),
    addAll: (name, items) => scoped.addAll(name, items),
    put: (name, item, options) => scoped.put(name, item, options),
    change: (name, id, toItem) => scoped.change(name, id, toItem),
    async remove(name, id) {
      const found = await scoped.find(id);
      return found !== undefined && store.remove(name, found.key);
    },
    async get(name, id) {
      if (name !== resource.name) return store.get(name, id);
      const found = await scoped.find(id);
      return found && show(found.json);
    },
    async list(name, { filters, ...query }) {
      return (await store.list(name, { ...query, filters: scoped.within(filters) })).map(show);
    },
    async listSerial(name, { filters, isMeant, ...query }) {
      const found = await store.listSerial(name, {
        ...query,
        filters: scoped.within(filters),
        isMeant: isMeant && ((json) => isMeant(show(json))),
      });
      return found.map(({ serial, json }) => ({ serial, json: show(json) }));
    },
    count: (name, filters) => store.count(name, scoped.within(filters)),
  };
}

/** An item with other members; those that are hidden come first. */
function withMembers(resource: Resource, item: StoredItem, members: Fields): StoredItem {
  if (Object.keys(members).length === 0) return item;
  const hidden = pickHidden(resource, members);
  const own = withAll(fieldsOf(item.json), members);
  const fields = { ...hidden, ...own, ...composedOf(resource, own) };
  const filters = filterValuesOf(resource, fields);
  return { ...item, json: toByteText(stringifyExact(fields)), filters };
}
