import { isObject, isSame } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { hasAt, topOf, valueAt, withAt } from '../../common/property-path.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, FlatSchema, HeldItem, Resource, Schema } from '../../openapi/index.ts';
import { listsIn, standInFor } from '../../openapi/values/plain-schema.ts';
import { type ByteText, toByteText, toIdText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import { memberOf, scopeValuesOf, withoutHidden } from '../state/scopes.ts';
import type { ItemStore, StoredItem } from '../state/store.ts';
import { childListsOf } from './child-lists.ts';
import { namesOfObjects } from './field-policies.ts';
import { mapNewItem, withMembers } from './scoped-store.ts';
import { distinctIdOf, type Fields, fieldsOf, findInScopes, isId } from './stored-item.ts';

/** A property of items that holds those of another collection, and how it shows them. */
export type Holder = HeldItem & {
  owner: Resource;
  target: Resource;
  schema: Schema;
  /** The property of the owner that has the ids of what is held, if it shows them. */
  ids: string | undefined;
  /** The properties that it shows of what is held. */
  shown: FlatSchema['properties'];
  /** Returns the part of an item that the property shows. */
  toCopy: (json: ByteText) => Fields;
};

/** The properties of a document that hold items, by the collections that have and that are in them. */
export const holdersOf = oncePer((document: Api) => {
  const { resources, schemas } = document;
  const toHolder = (owner: Resource, held: HeldItem): Holder[] => {
    const target = resources.find(({ name }) => name === held.collection);
    const schema = owner.item.properties[held.property];
    if (!target || !schema) return [];
    // A read may show more of what is held than a list does.
    const answers = schemas.answeredItems(owner).map((one) => schemas.flatten(one).properties);
    const described = [...answers, owner.item.properties].map((one) => {
      const outer = schemas.objectAlternative(one[held.property] ?? {}) ?? {};
      return schemas.describeShown((held.isList ? outer.items : outer) ?? {});
    });
    const isOpen = described.every((one) => one.schema.additionalProperties !== false);
    const own = isOpen ? described : described.slice(-1);
    const properties: Holder['shown'] = Object.assign({}, ...own.map((one) => one.properties));
    const required = own.flatMap((one) => one.required);
    const idSchema = held.isList ? { type: 'array', items: target.idSchema } : target.idSchema;
    const isIdOf = (one: Schema) => schemas.shareType(one, idSchema);
    const isOwnId = ([name, one]: [string, Schema]) =>
      held.idNames.includes(toPlainName(name)) &&
      !schemas.isMarked(one, 'writeOnly') &&
      isIdOf(one);
    const [ids] = Object.entries(owner.item.properties).find(isOwnId) ?? [];
    let lists: ReturnType<typeof listsIn> | undefined;
    const toCopy = (json: ByteText) => {
      const fields = fieldsOf(withoutHidden(json));
      const listed = (lists ??= listsIn(properties, schemas.describeShown));
      const toShown = (name: string, value: unknown) =>
        standInFor(value, listed.get(name) ?? []) ?? value;
      const shown = Object.entries(fields)
        .filter(([name]) => Object.hasOwn(properties, name))
        .map(([name, value]) => [name, listed.size === 0 ? value : toShown(name, value)]);
      const seen = [owner.name, target.name];
      return withoutCycles(Object.fromEntries(shown), target, { required, seen });
    };
    return [{ ...held, owner, target, schema, ids, shown: properties, toCopy }];
  };
  /** Leaves out of what an item holds the collections that it is in itself. */
  const withoutCycles = (
    fields: Fields,
    { held = [] }: Resource,
    { required, seen }: { required: readonly string[]; seen: readonly string[] },
  ): Fields => {
    const kept: Record<string, unknown> = { ...fields };
    for (const { property, collection } of held) {
      const target = resources.find(({ name }) => name === collection);
      if (kept[property] === undefined || !target) continue;
      const inner = { required: [], seen: [...seen, collection] };
      const clean = (one: unknown) => (isObject(one) ? withoutCycles(one, target, inner) : one);
      const value = kept[property];
      if (!seen.includes(collection))
        kept[property] = Array.isArray(value) ? value.map(clean) : clean(value);
      else if (!required.includes(property)) delete kept[property];
      else if (Array.isArray(value)) kept[property] = [];
    }
    return kept;
  };
  const toHolders = oncePer((owner: Resource) =>
    (owner.held ?? [])
      .filter(
        (held) => !childListsOf(document)(owner).some((one) => one.property === held.property),
      )
      .flatMap((held) => toHolder(owner, held)),
  );
  return {
    of: (name: string) => resources.filter((one) => one.name === name).flatMap(toHolders),
    holding: (name: string) =>
      resources.flatMap(toHolders).filter(({ target }) => target.name === name),
  };
});

/** The items that a body names: objects or ids, null for none; undefined if it says nothing. */
type Names = readonly unknown[] | null | undefined;

function meantBy({ property, idNames, isList, target }: Holder, sent: Fields): Names {
  const names = Object.keys(sent).filter((one) => idNames.includes(toPlainName(one)));
  const id = names.map((one) => sent[one]).find((one) => one !== undefined);
  const own = sent[property];
  // What is sent of items says more than their ids.
  if ([own].flat().some(isObject)) {
    const isNamed = isList || !isId(id) || valueAt(own as Fields, target.idProperty) !== undefined;
    return isNamed ? [own].flat() : [withAt(own as Fields, target.idProperty, id)];
  }
  const value = id === undefined ? own : id;
  if (value === undefined || value === null) return value;
  return isList && Array.isArray(value) ? value : [value];
}

/** The item by which the path of a new one names that: the user of a membership. */
function meantByPath({ owner, property, isList }: Holder, item: Fields): Names {
  const id = topOf(owner.idProperty) === property ? valueAt(item, owner.idProperty) : undefined;
  return isList || id === undefined ? undefined : [id];
}

const idIn = (value: unknown, { target }: Holder): unknown =>
  isObject(value) ? valueAt(value, target.idProperty) : value;

/** Returns an id as the JSON of items has it, without quotes. */
const toNeedle = (id: string): ByteText => toByteText(JSON.stringify(id).slice(1, -1));

/** Finds an item by its id, or by another property that names it, and gives what is shown of it. */
async function findCopy(
  store: ItemStore,
  holder: Holder,
  id: unknown,
): Promise<Fields | undefined> {
  if (id === undefined || id === null || typeof id === 'object') return undefined;
  const { name, item } = holder.target;
  const own = await store.get(name, toIdText(id));
  if (own !== undefined) return holder.toCopy(own);
  const names = namesOfObjects.filter((one) => Object.hasOwn(item.properties, one));
  if (typeof id !== 'string' || names.length === 0) return undefined;
  const isMatch = (json: ByteText) => {
    const fields = json.includes(toNeedle(id)) ? fieldsOf(json) : {};
    return names.some((one) => fields[one] === id);
  };
  const [found] = await store.listSerial(name, { limit: 1, isMatch });
  return found && holder.toCopy(found.json);
}

/** The items of other collections that the items of a call hold, as these show them. */
type Copies = {
  meant: Names;
  found: readonly (Fields | undefined)[];
  /** The item that the path names. */
  above: Fields | undefined;
  any: Fields | undefined;
};

async function readCopies(
  store: ItemStore,
  holder: Holder,
  { sent, item }: { sent: Fields; item: Fields },
): Promise<Copies> {
  const said = meantBy(holder, sent);
  const meant = said === undefined ? meantByPath(holder, item) : said;
  const ids = (meant ?? []).map((one) => idIn(one, holder));
  const found = await Promise.all(ids.map((id) => findCopy(store, holder, id)));
  const { scope, target } = holder;
  const above = scope && (await findCopy(store, holder, valueAt(item, memberOf(scope))));
  const isAsked = meant === undefined && !above;
  const [any] = isAsked ? await store.list(target.name, { limit: 1 }) : [];
  return { meant, found, above, any: any && holder.toCopy(any) };
}

/** An item before a change, and whether that replaces the whole item. */
type Earlier = { before: Fields; isWhole: boolean };

/**
 * Returns the properties of an item that hold others and their ids, so that both say the same: as
 * sent, and what was not sent of a held item as that is stored.
 */
function toLinked(document: Api, holder: Holder, item: Fields, copies: Copies, earlier?: Earlier) {
  const { property, ids, isList, schema, target, owner } = holder;
  const { before, isWhole = false } = earlier ?? {};
  const { meant, found, above, any } = copies;
  const fitting = (value: unknown) => (fits(document, schema, value) ? value : undefined);
  const own = item[property];
  const isRequired = owner.item.required.includes(property);
  const set = (value: unknown, held: unknown) => ({
    ...(value !== undefined && { [property]: value }),
    ...(ids !== undefined && held !== undefined && { [ids]: held }),
  });
  if (meant === undefined && before) {
    const isLost = isWhole && Object.hasOwn(item, property) && Object.hasOwn(before, property);
    return isLost ? set(before[property], ids === undefined ? undefined : before[ids]) : {};
  }
  if (meant === undefined) {
    const isShown = own !== undefined && own !== null;
    if (!isShown && (isList || !above)) return {};
    if (isList) return fitting([]) ? set([], ids === undefined ? undefined : []) : {};
    // An item that needs no other one of its kind stands at the top.
    if (target === owner && !above && fits(document, schema, null)) return { [property]: null };
    const first = above ?? any;
    const isHeld = first && fitting(first);
    return isHeld ? set(first, valueAt(first, target.idProperty)) : {};
  }
  if (meant === null) {
    const none = [null, isList ? [] : undefined].find((one) => fitting(one) !== undefined);
    const isShown = fitting(null) !== undefined;
    return { [property]: isShown ? null : isRequired ? own : none };
  }
  const elements: unknown[] = isList ? (Array.isArray(own) ? own : []) : [own];
  const values = meant.map((one, index) => {
    const copy = found[index];
    const made = isObject(elements[index]) ? elements[index] : {};
    const id = idIn(one, holder);
    if (!isObject(one)) {
      const isOld = !isRequired && isSame(made, before?.[property]);
      return copy ?? withAt(isOld ? {} : made, target.idProperty, id);
    }
    const old = before?.[property];
    // A patch of what is held already leaves the rest of it as it is.
    if (!isWhole && isObject(old) && isSame(idIn(old, holder), id)) return { ...copy, ...made };
    const kept = Object.entries(made).filter(([name, value]) => has(value, one[name]));
    const stored = { ...copy, ...Object.fromEntries(kept) };
    return copy && fits(document, schema, isList ? [stored] : stored)
      ? stored
      : { ...made, ...stored };
  });
  const heldIds = values.map((one) => valueAt(one, target.idProperty));
  const isKnown = heldIds.every((one) => one !== undefined);
  const shown = isList ? values : values[0];
  // What is stored is shown as it is, whatever the schema says of it.
  const isStored = found.length > 0 && found.every((one) => one !== undefined);
  const value = isStored ? shown : (fitting(shown) ?? (isRequired ? own : undefined));
  return { [property]: value, ...(isKnown && set(undefined, isList ? heldIds : heldIds[0])) };
}

/** Whether a value has all that was sent, at any depth. */
function has(value: unknown, sent: unknown): boolean {
  return isObject(value) && isObject(sent)
    ? Object.entries(sent).every(([name, one]) => has(value[name], one))
    : isSame(value, sent);
}

/**
 * Holds the collection that a call changes, the bodies that it sends, whether these are whole items,
 * and whether new items are copies, which hold what is not sent already.
 */
export type HoldingOptions = {
  document: Api;
  resource: Resource;
  bodies: readonly Fields[];
  isWhole: boolean;
  isCopy?: boolean;
};

/**
 * A store whose items of a collection hold those of others as these are stored: at once, and after
 * these change.
 */
export function toHoldingStore(store: ItemStore, options: HoldingOptions): ItemStore {
  const { document, resource, bodies, isWhole, isCopy = false } = options;
  const { of, holding } = holdersOf(document);
  const holders = of(resource.name);
  const read = (sent: Fields, item: Fields) =>
    Promise.all(
      holders.map(async (one) => [one, await readCopies(store, one, { sent, item })] as const),
    );
  const link = (copies: Awaited<ReturnType<typeof read>>, earlier?: Earlier) => {
    return <Item extends StoredItem>(item: Item): Item => {
      const fields = fieldsOf(item.json);
      const linked = copies.map(([one, found]) => toLinked(document, one, fields, found, earlier));
      const changed = Object.assign({}, ...linked);
      return { ...item, ...withMembers(resource, item, changed) };
    };
  };
  return {
    ...store,
    async addAll(name, items, ensure) {
      if (name !== resource.name) return store.addAll(name, items, ensure);
      const linked = items.map(async (one, index) => {
        const item = one.given?.item ?? one.toItem?.(1);
        const fields = item ? fieldsOf(item.json) : {};
        const copies = await read(bodies[index] ?? {}, fields);
        const earlier = isCopy ? { before: fields, isWhole } : undefined;
        return mapNewItem(one, link(copies, earlier));
      });
      return store.addAll(name, await Promise.all(linked), ensure);
    },
    async change(name, id, toItem, ensure) {
      if (name !== resource.name) return store.change(name, id, toItem, ensure);
      const copies = await read(bodies[0] ?? {}, {});
      const act = async (inner: ItemStore) => {
        let before: ByteText | undefined;
        const toLinkedItem = (json: ByteText) => {
          before = json;
          return link(copies, { before: fieldsOf(json), isWhole })(toItem(json));
        };
        const item = await inner.change(name, id, toLinkedItem, ensure);
        if (item && before) await refresh(inner, document, { resource, before, after: item.json });
        return item;
      };
      return holding(name).length > 0 ? store.transact(act) : act(store);
    },
    transact: (act) => store.transact((inner) => act(toHoldingStore(inner, options))),
  };
}

type Change = { resource: Resource; before: ByteText; after: ByteText };

/** Has what showed an item show it as it is after a change, also in what is held elsewhere again. */
async function refresh(
  store: ItemStore,
  document: Api,
  { resource, before, after }: Change,
  seen: readonly string[] = [],
): Promise<void> {
  const known = [...seen, keyOf(resource, before)];
  for (const holder of holdersOf(document).holding(resource.name)) {
    const { owner, property, ids, target } = holder;
    const [old, current] = [holder.toCopy(before), holder.toCopy(after)];
    if (isSame(old, current)) continue;
    const [oldId, id] = [old, current].map((one) => valueAt(one, target.idProperty));
    const update = (held: unknown): unknown => {
      if (Array.isArray(held)) return held.map(update);
      if (!isObject(held)) return held;
      if (toIdText(valueAt(held, target.idProperty)) !== toIdText(oldId)) return held;
      const names = Object.keys({ ...held, ...current });
      const entries = names.map((name) => [
        name,
        isSame(held[name], old[name]) ? current[name] : held[name],
      ]);
      return Object.fromEntries(entries);
    };
    const needle = toNeedle(toIdText(oldId));
    for (const json of await store.list(owner.name)) {
      if (!json.includes(needle)) continue;
      const fields = fieldsOf(json);
      const updated = update(fields[property]);
      if (isSame(updated, fields[property])) continue;
      const isRenamed = ids !== undefined && isSame(fields[ids], oldId);
      const values = { [property]: updated, ...(isRenamed && { [ids]: id }) };
      const own = toIdText(valueAt(fields, owner.idProperty));
      const found = await findInScopes(store, owner, {
        id: own,
        values: scopeValuesOf(owner, fields),
      });
      if (!found) continue;
      const item = await store.change(owner.name, found.key, (one) =>
        withMembers(owner, { id: found.key, json: one, filters: {} }, values),
      );
      if (item && !known.includes(keyOf(owner, json)))
        await refresh(store, document, { resource: owner, before: json, after: item.json }, known);
    }
  }
}

/** Returns a text that names an item among those of all collections. */
function keyOf(resource: Resource, json: ByteText): string {
  return `${resource.name} ${distinctIdOf(resource, fieldsOf(json))}`;
}

/** The items that a collection begins with, which hold the ones that others begin with. */
export function linkHeld(
  fields: Fields,
  holder: Holder,
  { document, targets, index }: { document: Api; targets: readonly StoredItem[]; index: number },
): Fields {
  const { property, ids, isList, scope, schema, target } = holder;
  const value = fields[property];
  // What has the id of its item is that of this one alone.
  const isOwn = topOf(holder.owner.idProperty) === property;
  if (targets.length === 0 || value === undefined || isOwn || topOf(property) !== property)
    return fields;
  const above =
    scope && hasAt(fields, memberOf(scope))
      ? toIdText(valueAt(fields, memberOf(scope)))
      : undefined;
  const at = (n: number) => targets[(index + n) % targets.length] as StoredItem;
  // An item would be among what is below itself.
  const isBelow = isList && holder.owner.name === target.name && fits(document, schema, []);
  const count = Array.isArray(value) ? Math.min(value.length, targets.length) : 1;
  const chosen = Array.from({ length: value === null || isBelow ? 0 : count }, (_, n) => at(n));
  const parent = above === undefined ? undefined : targets.find(({ id }) => id === above);
  const copies = (parent ? [parent] : chosen).map(({ json }) => holder.toCopy(json));
  const heldIds = copies.map((one) => valueAt(one, target.idProperty));
  const held = isList ? copies : copies[0];
  if (value !== null && !fits(document, schema, held)) return fields;
  const hasIds = ids !== undefined && Object.hasOwn(fields, ids);
  return {
    ...fields,
    ...(value !== null && { [property]: held }),
    ...(hasIds && { [ids]: isList ? heldIds : (heldIds[0] ?? null) }),
  };
}
