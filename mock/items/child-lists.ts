import { isObject, isSame } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { valueAt, withAt } from '../../common/property-path.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import type { Scope } from '../../openapi/model/resource.ts';
import { type ByteText, toIdText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import { createToScopeMembers, filterOf, type ScopeValue, scopeValuesOf } from '../state/scopes.ts';
import type { ItemStore, NewItem, StoredItem } from '../state/store.ts';
import { mapNewItem, toScopedStore, withMembers } from './scoped-store.ts';
import { type Fields, fieldsOf, toItemId, toItemNumber, toStoredItem } from './stored-item.ts';

/** A list in items that has the items below them: the `lines` of orders with `/orders/{id}/lines`. */
export type ChildList = {
  property: string;
  child: Resource;
  scope: readonly Scope[];
  /** The properties that the list shows. */
  names: readonly string[];
  /** Whether the list may be empty. */
  mayBeEmpty: boolean;
};

/** Returns the lists of a collection's items that have the items below them. */
export const childListsOf = oncePer((document: Api) => {
  const { schemas, resources } = document;
  const children = resources
    .filter(({ linksTo, isSingle }) => linksTo === undefined && !isSingle)
    .flatMap((child) =>
      placementsOf(child).map(({ path, scope }) => ({ child, scope, word: lastWordOf(path) })),
    );
  const byParent = Map.groupBy(children, ({ scope }) => {
    const { parent, isOpen } = scope.at(-1) ?? {};
    return isOpen ? undefined : parent;
  });
  return oncePer((owner: Resource): readonly ChildList[] => {
    const below = byParent.get(owner.name) ?? [];
    return below.flatMap(({ child, scope, word }): ChildList[] => {
      const called = ([name]: [string, unknown]) => toPlainName(name) === toPlainName(word);
      const [property = '', schema = {}] = Object.entries(owner.item.properties).find(called) ?? [];
      const { items } = schemas.objectAlternative(schema) ?? {};
      const names = items ? Object.keys(schemas.describeShown(items).properties) : [];
      if (!names.includes(child.idProperty)) return [];
      return [{ property, child, scope, names, mayBeEmpty: fits(document, schema, []) }];
    });
  });
});

/** Returns an item without what a store has below it, as it is stored. */
export function withoutChildren(document: Api, resource: Resource, item: StoredItem): StoredItem {
  const lists = childListsOf(document)(resource);
  if (lists.length === 0) return item;
  const fields = fieldsOf(item.json);
  const emptied = lists.filter(
    ({ property, mayBeEmpty }) => mayBeEmpty && Object.hasOwn(fields, property),
  );
  return withMembers(
    resource,
    item,
    Object.fromEntries(emptied.map(({ property }) => [property, []])),
  );
}

type Options = { document: Api; resource: Resource; bodies: readonly Fields[] };

/**
 * A store that shows in the lists of items the items below these, and that adds, changes and removes
 * those where a list of an item is set.
 */
export function toParentStore(store: ItemStore, options: Options): ItemStore {
  const { document, resource, bodies } = options;
  const lists = childListsOf(document)(resource);
  if (lists.length === 0) return store;
  const { name } = resource;
  const childrenOf = (inner: ItemStore, item: Fields, list: ChildList) =>
    toStoreBelow(inner, { document, owner: resource, item, list });
  const show = async (inner: ItemStore, json: ByteText): Promise<ByteText> => {
    const fields = fieldsOf(json);
    const values: Record<string, unknown> = {};
    for (const list of lists) {
      const { property, child, names } = list;
      const stored = (await childrenOf(inner, fields, list).list(child.name)).map(fieldsOf);
      const ids = new Set(stored.map((one) => toIdText(valueAt(one, child.idProperty))));
      const own = [fields[property] ?? []].flat();
      const given = own.filter(
        (one) => !ids.has(toIdText(valueAt(one as Fields, child.idProperty))),
      );
      const isShown = stored.length > 0 || Object.hasOwn(fields, property);
      const toShown = (one: Fields) =>
        Object.fromEntries(Object.entries(one).filter(([key]) => names.includes(key)));
      if (isShown) values[property] = [...given, ...stored.map(toShown)];
    }
    return withMembers(resource, { id: '', json, filters: {} }, values).json;
  };
  const showItem = async (inner: ItemStore, item: StoredItem): Promise<StoredItem> => ({
    ...item,
    json: await show(inner, item.json),
  });
  /** Has the items below one be the elements of its lists, of which those before keep their ids. */
  const save = async (inner: ItemStore, item: Fields, set: Fields, before: Fields = {}) => {
    for (const list of lists) {
      const { property, child, mayBeEmpty } = list;
      const elements = set[property];
      if (!mayBeEmpty || !Array.isArray(elements)) continue;
      const below = childrenOf(inner, item, list);
      const idOf = (one: unknown) => toIdText(valueAt(one as Fields, child.idProperty));
      const stored = (await below.list(child.name)).map(fieldsOf);
      const known = new Map(stored.map((one) => [idOf(one), one]));
      const kept = new Set([before[property] ?? []].flat().map(idOf));
      for (const id of known.keys())
        if (!elements.some((one) => idOf(one) === id)) await below.remove(child.name, id);
      for (const element of elements.filter(isObject)) {
        const id = idOf(element);
        const whole = { ...known.get(id), ...element };
        if (!known.has(id))
          await below.addAll(child.name, [toNewChild(child, element, kept.has(id))]);
        else if (!isSame(whole, known.get(id)))
          await below.change(child.name, id, () => toStoredItem(child, whole));
      }
    }
  };
  return {
    ...store,
    async addAll(collection, items, ensure) {
      if (collection !== name) return store.addAll(collection, items, ensure);
      return store.transact(async (inner) => {
        const made: Fields[] = [];
        const noted = items.map(
          (one, index): NewItem =>
            mapNewItem(one, (item) => {
              const isSent = ([property]: [string, unknown]) =>
                bodies[index]?.[property] !== undefined;
              made[index] = Object.fromEntries(Object.entries(fieldsOf(item.json)).filter(isSent));
              return withoutChildren(document, resource, item);
            }),
        );
        const added = await inner.addAll(name, noted, ensure);
        if (!added.items) return added;
        const shown: StoredItem[] = [];
        for (const [index, item] of added.items.entries()) {
          await save(inner, fieldsOf(item.json), made[index] ?? {});
          shown.push(await showItem(inner, item));
        }
        return { items: shown };
      });
    },
    async change(collection, id, toItem, ensure) {
      if (collection !== name) return store.change(collection, id, toItem, ensure);
      return store.transact(async (inner) => {
        const json = await inner.get(name, id);
        const whole = json && (await show(inner, json));
        if (whole === undefined) return undefined;
        let after: Fields = {};
        const toEmptied = () => {
          const item = toItem(whole);
          after = fieldsOf(item.json);
          return { ...item, ...withoutChildren(document, resource, item) };
        };
        const item = await inner.change(name, id, toEmptied, ensure);
        if (item) await save(inner, fieldsOf(item.json), after, fieldsOf(json as ByteText));
        return item && showItem(inner, item);
      });
    },
    async get(collection, id) {
      const json = await store.get(collection, id);
      return json && collection === name ? show(store, json) : json;
    },
    async list(collection, query) {
      const all = await store.list(collection, query);
      return collection === name ? Promise.all(all.map((json) => show(store, json))) : all;
    },
    async listSerial(collection, query) {
      const all = await store.listSerial(collection, query);
      if (collection !== name) return all;
      return Promise.all(
        all.map(async ({ serial, json }) => ({ serial, json: await show(store, json) })),
      );
    },
    transact: (act) => store.transact((inner) => act(toParentStore(inner, options))),
  };
}

/** The part of a store with the items of a list, which may have such lists themselves. */
function toStoreBelow(
  store: ItemStore,
  of: { document: Api; owner: Resource; item: Fields; list: ChildList },
): ItemStore {
  const { document, owner, item, list } = of;
  const { child, scope } = list;
  const above = new Map(scopeValuesOf(owner, item).map((one) => [filterOf(one.scope), one.text]));
  const id = toIdText(valueAt(item, owner.idProperty));
  const values = scope.map(
    (one, index): ScopeValue => ({
      scope: one,
      text: index === scope.length - 1 ? id : (above.get(filterOf(one)) ?? ''),
    }),
  );
  const members = createToScopeMembers(document, child)(values);
  return toScopedStore(store, child, { values, members });
}

function toNewChild(child: Resource, element: Fields, isKept: boolean): NewItem {
  const { idProperty, idSchema, givenId } = child;
  const toItem = (n: number, within = n) =>
    toStoredItem(child, withAt(element, idProperty, toItemId(within, idSchema)));
  if (!isKept && givenId === undefined) return { toItem };
  const item = toStoredItem(child, element);
  return { given: { item, number: toItemNumber(item.id, idSchema) }, toItem };
}
