import type { Resource } from '../../contracts/description/document.ts';
import { hasAt, valueAt, withAll } from '../../contracts/description/property-path.ts';
import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import {
  createShow,
  filterOf,
  memberOf,
  pickHidden,
  type ScopeValue,
  scopesOf,
  toScopeFilters,
} from '../state/scopes.ts';
import type { AddedAll, Filters, NewItem, Store, StoredItem, ToItem } from '../state/store.ts';
import { canRepeatIds, findInScopes, keyInScopes } from './find-in-scopes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A call's scopes: their values, and the members of items that hold them. */
export type CallScopes = { values: readonly ScopeValue[]; members: Fields };

/**
 * The part of a store that one call sees of a collection: the items of its scopes, as the API shows
 * them. What it adds gets the members that hold the scopes, and what it changes keeps them.
 */
export function toScopedStore(
  store: Store,
  resource: Resource,
  { values, members }: CallScopes,
): Store {
  const scoping = toScopeFilters(values);
  const within = (filters: Filters = {}): Filters => ({ ...filters, ...scoping });
  const show = createShow(resource) ?? ((json: ByteText) => json);
  const shown = (item: StoredItem): StoredItem => ({ ...item, json: show(item.json) });
  const scoped = (item: StoredItem) => withMembers(resource, item, members);
  const making =
    (toItem: ToItem): ToItem =>
    (n) =>
      scoped(toItem(n));
  const toScoped = ({ given, toItem }: NewItem): NewItem => {
    if (!given) return { toItem: making(toItem) };
    return {
      given: { ...given, item: scoped(given.item) },
      ...(toItem && { toItem: making(toItem) }),
    };
  };
  const find = (id: string) => findInScopes(store, resource, { id, values });
  const repeats = canRepeatIds(resource, values);
  /** Gives an item whose id an item of another scope has another one for the store. */
  const withFreeKey = async (item: StoredItem): Promise<StoredItem> => {
    if (!repeats || (await store.get(resource.name, item.id)) === undefined) return item;
    return (await find(item.id)) ? item : { ...item, id: keyInScopes(item.id, values) };
  };
  const withKeys = (items: readonly NewItem[]) =>
    Promise.all(
      items.map(async (one): Promise<NewItem> => {
        if (!one.given) return one;
        return { ...one, given: { ...one.given, item: await withFreeKey(one.given.item) } };
      }),
    );
  const toShown = ({ items, taken }: AddedAll): AddedAll =>
    items ? { items: items.map(shown) } : { taken };
  return {
    ...store,
    async add(name, toItem) {
      return shown(await store.add(name, making(toItem)));
    },
    async addAll(name, items) {
      if (!repeats) return toShown(await store.addAll(name, items.map(toScoped)));
      const tryToAdd = async () => {
        const own = await withKeys(items);
        const added = await store.addAll(name, own.map(toScoped));
        const index = own.findIndex(({ given }) => given?.item.id === added.taken);
        return { added, id: items[index]?.given?.item.id ?? added.taken };
      };
      let { added, id } = await tryToAdd();
      // An item of another scope got the id meanwhile.
      if (id === added.taken && id !== undefined && !(await find(id)))
        ({ added, id } = await tryToAdd());
      return id === undefined ? toShown(added) : { taken: id };
    },
    async put(name, item, options) {
      if (!repeats) return store.put(name, scoped(item), options);
      const known = await find(item.id);
      if (known && options?.ifFree) return 'taken';
      const own = known ? { ...item, id: known.key } : await withFreeKey(item);
      const outcome = await store.put(name, scoped(own), options);
      if (outcome !== 'taken' || own.id !== item.id || (await find(item.id))) return outcome;
      // An item of another scope got the id meanwhile.
      return store.put(name, scoped(await withFreeKey(item)), options);
    },
    async change(name, id, toItem) {
      const found = await find(id);
      if (!found) return undefined;
      const { key } = found;
      const item = await store.change(name, key, (json) => {
        const hidden = pickHidden(resource, parse(json));
        const changed = withMembers(resource, toItem(show(json)), { ...hidden, ...members });
        return { ...changed, id: key };
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
      return (await store.list(name, { ...query, filters: within(query.filters) })).map(show);
    },
    async listSerial(name, { isMeant, ...query }) {
      const found = await store.listSerial(name, {
        ...query,
        filters: within(query.filters),
        isMeant: isMeant && ((json) => isMeant(show(json))),
      });
      return found.map(({ serial, json }) => ({ serial, json: show(json) }));
    },
    async serialOf(name, id) {
      return store.serialOf(name, repeats ? ((await find(id))?.key ?? id) : id);
    },
    count: (name, filters) => store.count(name, within(filters)),
  };
}

function parse(json: ByteText): Fields {
  return parseExact(toText(json)).value as Fields;
}

/** An item with other members; those that are hidden come first. */
function withMembers(resource: Resource, item: StoredItem, members: Fields): StoredItem {
  if (Object.keys(members).length === 0) return item;
  const hidden = pickHidden(resource, members);
  const fields = { ...hidden, ...withAll(parse(item.json), members) };
  const filters: Record<string, string> = { ...item.filters };
  for (const name of resource.filters)
    if (Object.hasOwn(fields, name)) filters[name] = String(fields[name]);
  for (const scope of scopesOf(resource))
    if (hasAt(fields, memberOf(scope)))
      filters[filterOf(scope)] = String(valueAt(fields, memberOf(scope)));
  return { ...item, json: toByteText(stringifyExact(fields)), filters };
}
