import { isObject, isSame } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { valueAt, withoutAt } from '../../common/property-path.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { type ByteText, toIdText } from '../json/exact-json.ts';
import { createToScopeMembers, filterOf, type ScopeValue, scopeValuesOf } from '../state/scopes.ts';
import type { ItemStore, NewItem, StoredItem } from '../state/store.ts';
import { type ChildList, childListsOf, withoutChildren } from './child-lists.ts';
import { holdersOf, toHoldingStore } from './held-items.ts';
import { mapNewItem, toScopedStore, withMembers } from './scoped-store.ts';
import { type Fields, fieldsOf, toItemId, toItemNumber, toStoredItem } from './stored-item.ts';
import { createTakeItem } from './take-fields.ts';

type Options = {
  document: Api;
  resource: Resource;
  bodies: readonly Fields[];
  now: number;
  /** Whether new items are copies, which have what their bodies do not name, too. */
  isCopy?: boolean | undefined;
  /** Names the collections whose lists are shown already. */
  above?: readonly string[];
};

/**
 * A store that shows in the lists of items the items below these, and that adds, changes and removes
 * those where a list of an item is set.
 */
export function toParentStore(store: ItemStore, options: Options): ItemStore {
  const { document, resource, bodies, now, isCopy = false, above = [] } = options;
  const lists = childListsOf(document)(resource);
  if (lists.length === 0) return store;
  const { name } = resource;
  const childrenOf = (inner: ItemStore, item: Fields, list: ChildList, body?: Fields) => {
    const of = { document, now, above: [...above, name], bodies: body ? [body] : [] };
    return toStoreBelow(inner, { ...of, resource: list.child }, { owner: resource, item, list });
  };
  /** Shows an item with the items below it, or below what it was before. */
  const show = async (inner: ItemStore, json: ByteText, before?: Fields): Promise<ByteText> => {
    const fields = fieldsOf(json);
    const values: Record<string, unknown> = {};
    for (const list of lists) {
      const { property, child, names } = list;
      const stored = (await childrenOf(inner, before ?? fields, list).list(child.name)).map(
        fieldsOf,
      );
      const ids = new Set(stored.map((one) => idOf(child, one)));
      const given = elementsIn(fields, property).filter((one) => !ids.has(idOf(child, one)));
      const toShown = (one: Fields) =>
        Object.fromEntries(Object.entries(one).filter(([key]) => names.includes(key)));
      if (stored.length > 0 || Array.isArray(fields[property]))
        values[property] = [...given, ...stored.map(toShown)];
    }
    return withMembers(resource, { id: '', json, filters: {} }, values).json;
  };
  /** Has the items below one be the elements that its lists are set to, and shows the item. */
  const save = async (
    inner: ItemStore,
    item: StoredItem,
    { set, sent = {}, before }: { set: Fields; sent?: Fields | undefined; before?: Fields },
  ): Promise<StoredItem> => {
    for (const list of lists) {
      const { property, child } = list;
      if (![set, before].some((one) => Array.isArray(one?.[property]))) continue;
      const shown = elementsIn(before ?? {}, property);
      const own = elementsIn(sent, property);
      const elements = withoutMadeIds(child, { all: elementsIn(set, property), own, shown });
      const below = (body?: Fields) => childrenOf(inner, before ?? fieldsOf(item.json), list, body);
      await setItems(below, { document, child, elements, own, shown, now });
    }
    return { ...item, json: await show(inner, item.json, before) };
  };
  /** The lists of a new item that its body sets, and those that it copies, without their ids. */
  const newLists = (fields: Fields, body: Fields = {}): Fields => {
    const entries = lists.flatMap(({ property, child }): [string, unknown][] => {
      const elements = elementsIn(fields, property);
      if (body[property] !== undefined) return [[property, fields[property]]];
      return isCopy ? [[property, elements.map((one) => withoutId(child, one))]] : [];
    });
    return Object.fromEntries(entries);
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
              made[index] = newLists(fieldsOf(item.json), bodies[index]);
              return withoutChildren(document, resource, item);
            }),
        );
        const added = await inner.addAll(name, noted, ensure);
        if (!added.items) return added;
        const shown: StoredItem[] = [];
        for (const [index, item] of added.items.entries())
          shown.push(await save(inner, item, { set: made[index] ?? {}, sent: bodies[index] }));
        return { items: shown };
      });
    },
    async change(collection, id, toItem, ensure) {
      if (collection !== name) return store.change(collection, id, toItem, ensure);
      return store.transact(async (inner) => {
        const json = await inner.get(name, id);
        const whole = json && (await show(inner, json));
        if (whole === undefined) return undefined;
        let set: Fields = {};
        const toEmptied = () => {
          const item = toItem(whole);
          set = fieldsOf(item.json);
          return { ...item, ...withoutChildren(document, resource, item) };
        };
        const item = await inner.change(name, id, toEmptied, ensure);
        return item && save(inner, item, { set, sent: bodies[0], before: fieldsOf(whole) });
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
  options: Options & { above: readonly string[] },
  { owner, item, list }: { owner: Resource; item: Fields; list: ChildList },
): ItemStore {
  const { child, scope } = list;
  const known = new Map(scopeValuesOf(owner, item).map((one) => [filterOf(one.scope), one.text]));
  const id = toIdText(valueAt(item, owner.idProperty));
  const values = scope.map(
    (one, index): ScopeValue => ({
      scope: one,
      text: index === scope.length - 1 ? id : (known.get(filterOf(one)) ?? ''),
    }),
  );
  const members = createToScopeMembers(options.document, child)(values);
  const isShown = options.above.includes(child.name);
  const shown = isShown ? store : toParentStore(store, options);
  const scoped = toScopedStore(shown, child, { values, members });
  // Bodies name what the items hold.
  const { document, bodies } = options;
  const holds = bodies.length > 0 && holdersOf(document).of(child.name).length > 0;
  return holds
    ? toHoldingStore(scoped, { document, resource: child, bodies, isWhole: false })
    : scoped;
}

type Elements = readonly unknown[];

/** Returns elements without the ids that were made for them, but for the ones in their place before. */
function withoutMadeIds(
  child: Resource,
  { all, own, shown }: { all: Elements; own: Elements; shown: Elements },
): Elements {
  const sent = own.map((one) => idOf(child, one));
  return all.map((one, index) => {
    const id = idOf(child, one);
    // An id alone names an element, too.
    const isSent = !isObject(own[index]) || own.length !== all.length || sent[index] !== undefined;
    const stays = id === idOf(child, shown[index]) && !sent.includes(id);
    return isSent || stays ? one : withoutId(child, one);
  });
}

/**
 * Has the items of a store, which knows what was sent, be such elements in their order. Those that a
 * list showed keep their ids.
 */
async function setItems(
  below: (body?: Fields) => ItemStore,
  of: Readonly<Record<'elements' | 'own' | 'shown', Elements>> & {
    document: Api;
    child: Resource;
    now: number;
  },
): Promise<void> {
  const { document, child, elements, own, shown, now } = of;
  const {
    name,
    idProperty,
    idSchema,
    item: { properties },
  } = child;
  const isSettable = !document.schemas.isMarked(properties[idProperty], 'readOnly');
  const store = below();
  const take = takeElementOf(document)(child);
  const idsIn = (all: Elements) => all.map((one) => idOf(child, one));
  const list = async () => (await store.list(name)).map(fieldsOf);
  const known = new Map((await list()).map((one) => [idOf(child, one), one]));
  const [kept, left] = [new Set(idsIn(shown)), new Set(idsIn(elements))];
  const toEmpty = (json: ByteText) =>
    withoutChildren(document, child, toStoredItem(child, fieldsOf(json)));
  for (const id of known.keys()) {
    if (id === undefined || left.has(id)) continue;
    // The items in its lists go with it.
    if (childListsOf(document)(child).length > 0) await store.change(name, id, toEmpty);
    await store.remove(name, id);
  }
  const order: string[] = [];
  for (const [index, element] of elements.entries()) {
    if (!isObject(element)) continue;
    const sent = own.length === elements.length ? own[index] : element;
    const changed = below(isObject(sent) ? sent : element);
    const id = idOf(child, element);
    const old = known.get(id);
    const whole = { ...old, ...(isObject(sent) || !old ? element : {}) };
    if (old && id !== undefined) {
      const toItem = () => take(whole, { id: old[idProperty], now, before: old, isPatch: true });
      if (!isSame(whole, old)) await changed.change(name, id, toItem);
      order.push(id);
      continue;
    }
    const toItem = (n: number, within = n) =>
      take(element, { id: toItemId(within, idSchema), seed: n, now });
    const isGiven = id !== undefined && (isSettable || kept.has(id));
    const item = isGiven ? take(element, { id: element[idProperty], now }) : undefined;
    const given = item && { item, number: toItemNumber(item.id, idSchema) };
    const { items = [] } = await changed.addAll(name, [given ? { given, toItem } : { toItem }]);
    order.push(...items.flatMap(({ json }) => idOf(child, fieldsOf(json)) ?? []));
  }
  const all = await list();
  if (isSame(idsIn(all), order)) return;
  // A store has items in the order in which they are added.
  const byId = new Map(all.map((one) => [idOf(child, one), toStoredItem(child, one)]));
  for (const item of new Set(order.map((id) => byId.get(id)))) {
    if (!item) continue;
    await store.remove(name, item.id);
    const given = { item, number: toItemNumber(item.id, idSchema) };
    await store.addAll(name, [{ given }]);
  }
}

/** The conversion of elements to items of their own, which a body sets as a whole. */
const takeElementOf = oncePer((document: Api) =>
  oncePer((child: Resource) => {
    const schema = { type: 'object', ...child.item };
    const body = { required: true, mediaType: 'application/json', examples: {}, schema };
    return createTakeItem(document, child, { path: child.path, parameters: [], body });
  }),
);

function elementsIn(fields: Fields, property: string): Elements {
  const value = fields[property];
  return Array.isArray(value) ? value : [];
}

function withoutId({ idProperty }: Resource, one: unknown): unknown {
  return isObject(one) ? withoutAt(one, idProperty) : one;
}

function idOf({ idProperty }: Resource, one: unknown): string | undefined {
  const id = isObject(one) ? valueAt(one, idProperty) : undefined;
  return id === undefined ? undefined : toIdText(id);
}
