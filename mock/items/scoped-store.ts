import type { Resource } from '../../contracts/description/document.ts';
import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import {
  createShow,
  filterOf,
  isInScopes,
  memberOf,
  pickHidden,
  type ScopeValue,
  scopesOf,
  toScopeFilters,
} from '../state/scopes.ts';
import type { Filters, NewItem, Store, StoredItem, ToItem } from '../state/store.ts';

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
  const isSeen = (json: ByteText) => values.length === 0 || isInScopes(parse(json), values);
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
  const get: Store['get'] = async (name, id) => {
    const json = await store.get(name, id);
    return json !== undefined && isSeen(json) ? json : undefined;
  };
  return {
    ...store,
    async add(name, toItem) {
      return shown(await store.add(name, making(toItem)));
    },
    async addAll(name, items) {
      const added = await store.addAll(name, items.map(toScoped));
      return added.items ? { items: added.items.map(shown) } : added;
    },
    async put(name, item, options) {
      return store.put(name, scoped(item), options);
    },
    async change(name, id, toItem) {
      if ((await get(name, id)) === undefined) return undefined;
      const item = await store.change(name, id, (json) => {
        const hidden = pickHidden(resource, parse(json));
        return withMembers(resource, toItem(show(json)), { ...hidden, ...members });
      });
      return item && shown(item);
    },
    async remove(name, id) {
      return (await get(name, id)) !== undefined && store.remove(name, id);
    },
    async get(name, id) {
      const json = await get(name, id);
      return json === undefined ? undefined : show(json);
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
  const fields: Fields = { ...hidden, ...parse(item.json), ...members };
  const filters: Record<string, string> = { ...item.filters };
  for (const name of resource.filters)
    if (Object.hasOwn(fields, name)) filters[name] = String(fields[name]);
  for (const scope of scopesOf(resource))
    if (Object.hasOwn(fields, memberOf(scope)))
      filters[filterOf(scope)] = String(fields[memberOf(scope)]);
  return { ...item, json: toByteText(stringifyExact(fields)), filters };
}
