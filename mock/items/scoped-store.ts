import { stringifyExact } from '../../common/json.ts';
import { valueAt, withAll } from '../../common/property-path.ts';
import type { Resource } from '../../openapi/index.ts';
import { type ByteText, toByteText, toIdText } from '../json/exact-json.ts';
import {
  createShow,
  creatorMember,
  pickHidden,
  type ScopeValue,
  toScopeFilters,
} from '../state/scopes.ts';
import type { Filters, ItemStore, ListQuery, NewItem, StoredItem } from '../state/store.ts';
import {
  canRepeatIds,
  composedOf,
  type Fields,
  fieldsOf,
  filterValuesOf,
  findInScopes,
  isNumberedWithin,
  keyInScopes,
  toItemNumber,
  toWholeIds,
} from './stored-item.ts';

/** A call's scopes: their values, and the members of items that hold them. */
export type CallScopes = { values: readonly ScopeValue[]; members: Fields };

/**
 * The part of a store that one call sees of a collection: the items of its scopes, as the API shows
 * them. What it adds gets the members that hold the scopes, and what it changes keeps them.
 */
export function toScopedStore(store: ItemStore, resource: Resource, scopes: CallScopes): ItemStore {
  const { values, members } = scopes;
  // Items of other scopes may have the same ids.
  const repeats = canRepeatIds(resource, values);
  const show = createShow(resource) ?? ((json: ByteText) => json);
  const shown = (item: StoredItem): StoredItem => ({ ...item, json: show(item.json) });
  const within = (filters: Filters = {}): Filters => ({ ...filters, ...toScopeFilters(values) });
  const narrowed = ({ filters, isMatch, ...query }: ListQuery = {}): ListQuery => ({
    ...query,
    filters: within(filters),
    isMatch: isMatch && ((json) => isMatch(show(json))),
  });
  const find = (id: string) => findInScopes(store, resource, { id, values });
  const toStored = (item: StoredItem, { [creatorMember]: creator, ...hidden }: Fields = {}) =>
    withMembers(resource, item, {
      ...{ ...hidden, ...members },
      ...(creator !== undefined && { [creatorMember]: creator }),
    });
  /** An item as a store takes it, with an id of its own where an item of another scope has its id. */
  const withFreeKey = async (item: StoredItem): Promise<StoredItem> => {
    const known = repeats ? await find(item.id) : undefined;
    if (known) return { ...item, id: known.key };
    if (!repeats || (await store.get(resource.name, item.id)) === undefined) return item;
    return { ...item, id: keyInScopes(item.id, values) };
  };
  const toNew = async (one: NewItem): Promise<NewItem> => {
    const { given } = one;
    const free = given ? { ...one, given: { ...given, item: await withFreeKey(given.item) } } : one;
    return mapNewItem(free, (item) => toStored(item));
  };
  /** New items with the numbers that follow those of the scopes. */
  const numbered = async (items: readonly NewItem[]): Promise<NewItem[]> => {
    const { name, idProperty, idSchema } = resource;
    const all = await store.list(name, { filters: within() });
    const ids = all.map((json) => toIdText(valueAt(fieldsOf(json), idProperty)));
    const next = 1 + Math.max(0, ...ids.map((id) => toItemNumber(id, idSchema) ?? 0));
    return items.map((one, index): NewItem => {
      const { toItem } = one;
      const make = toItem && ((n: number) => toKeyed(toItem(n, next + index)));
      return make ? { ...one, toItem: make } : one;
    });
  };
  const toKeyed = (item: StoredItem) => ({ ...item, id: keyInScopes(item.id, values) });
  return {
    async addAll(name, given) {
      const items = isNumberedWithin(resource, values) ? await numbered(given) : given;
      let own = await Promise.all(items.map(toNew));
      let added = await store.addAll(name, own);
      if (repeats && added.taken !== undefined) {
        // An item of another scope may have got the id meanwhile.
        own = await Promise.all(items.map(toNew));
        added = await store.addAll(name, own);
      }
      if (added.items) return { items: added.items.map(shown) };
      const index = own.findIndex(({ given }) => given?.item.id === added.taken);
      return { taken: items[index]?.given?.item.id ?? added.taken };
    },
    async put(name, item, options) {
      return store.put(name, toStored(await withFreeKey(item)), options);
    },
    async change(name, id, toItem) {
      const found = await find(id);
      if (!found) return undefined;
      const { key } = found;
      const item = await store.change(name, key, (json) => {
        const hidden = pickHidden(resource, fieldsOf(json));
        const { number, ...changed } = toItem(show(json));
        // Nobody has such a key who does not have the id, as callers look for that first.
        const renamed = repeats ? keyInScopes(changed.id, values) : changed.id;
        return { ...toStored(changed, hidden), number, id: changed.id === id ? key : renamed };
      });
      return item && shown(item);
    },
    async remove(name, id) {
      const found = await find(id);
      return found !== undefined && store.remove(name, found.key);
    },
    async get(name, id) {
      if (name !== resource.name) return store.get(name, id);
      const found = await find(id);
      return found && show(found.json);
    },
    async list(name, query) {
      return (await store.list(name, narrowed(query))).map(show);
    },
    async listSerial(name, query) {
      const found = await store.listSerial(name, narrowed(query));
      return found.map(({ serial, json }) => ({ serial, json: show(json) }));
    },
    removeAll: (name, meant) => store.removeAll(name, narrowed(meant)),
    count: (name, filters) => store.count(name, within(filters)),
    nextNumber: (name) => store.nextNumber(name),
    transact: (act) => store.transact((inner) => act(toScopedStore(inner, resource, scopes))),
  };
}

/** Applies a change to each item that a new item may become. */
export function mapNewItem(
  { given, toItem }: NewItem,
  change: (item: StoredItem, n?: number) => StoredItem,
): NewItem {
  const making = toItem && ((n: number, within?: number) => change(toItem(n, within), n));
  const own = given && { ...given, item: change(given.item, given.number) };
  return { given: own, toItem: making } as NewItem;
}

/** An item with other members; those that are hidden come first. */
export function withMembers(resource: Resource, item: StoredItem, members: Fields): StoredItem {
  if (Object.keys(members).length === 0) return item;
  const hidden = pickHidden(resource, members);
  const added = withAll(fieldsOf(item.json), members);
  const { idProperty } = resource;
  const id = toWholeIds(resource)?.(valueAt(added, idProperty), added);
  const own = id === undefined ? added : withAll(added, { [idProperty]: id });
  const fields = { ...hidden, ...own, ...composedOf(resource, own) };
  const filters = filterValuesOf(resource, fields);
  const json = toByteText(stringifyExact(fields));
  return { ...item, ...(id !== undefined && { id: toIdText(id) }), json, filters };
}
