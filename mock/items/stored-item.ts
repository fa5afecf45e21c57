import { defined } from '../../common/defined.ts';
import { stringifyExact } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { lastSegmentOf } from '../../common/path-template.ts';
import { hasAt, topOf, valueAt, withAll, withAt } from '../../common/property-path.ts';
import type { Resource, Schema } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import { idFormOfText, repeatedIn } from '../../openapi/model/id-form.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import {
  type ByteText,
  parseExact,
  parseInteger,
  toByteText,
  toComparable,
  toIdText,
  toText,
} from '../json/exact-json.ts';
import {
  filterOf,
  hiddenMembersOf,
  isInScopes,
  memberOf,
  pickHidden,
  type ScopeValue,
  scopesOf,
  scopeValuesOf,
} from '../state/scopes.ts';
import { endOfNumbers, type ItemStore, type StoredItem } from '../state/store.ts';

/** The fields of an item. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an item that a store holds. */
export function fieldsOf(json: ByteText): Fields {
  return parseExact(toText(json)) as Fields;
}

/**
 * The item as stores hold it: its id first (that of the fields unless another is given), then the
 * properties that the document describes, in its order. Fields that it does not describe are
 * dropped, unless items of the resource may have any. What it is scoped by stays in any case.
 */
export function toStoredItem(
  resource: Resource,
  given: Fields,
  id: unknown = valueAt(given, resource.idProperty),
): StoredItem {
  return toStoredOf(resource)(given, id);
}

/** Creates {@link toStoredItem} of a collection; the id is that of the item. */
export const toStoredOf = oncePer((resource: Resource) => {
  const { idProperty, idHolder, item, isOpen, composed } = resource;
  const own = idHolder ? topOf(idProperty) : idProperty;
  const names = Object.keys(item.properties).filter((name) => name !== own || idHolder);
  const keys = keysOf(resource);
  const hasHidden = hiddenMembersOf(resource).length > 0;
  const filterValues = filterValuesFrom(resource);
  const toWhole = toWholeIds(resource);
  const begin = (fields: Fields, id: unknown): Record<string, unknown> => {
    if (isOpen) return { ...withAt(fields, idProperty, id) };
    const hidden = hasHidden ? pickHidden(resource, fields) : {};
    // An object that holds the id stands where the document describes it.
    return idHolder ? { ...hidden } : { ...hidden, [idProperty]: id };
  };
  return (given: Fields, givenId: unknown): StoredItem => {
    const id = toWhole ? toWhole(givenId, given) : givenId;
    const fields = keys.length === 0 ? given : withKeys(keys, given, id);
    const described = begin(fields, id);
    for (const name of names)
      if (name === own) Object.assign(described, holderOf(resource, fields, id));
      else if (Object.hasOwn(fields, name)) described[name] = fields[name];
    if (item.others)
      for (const name in fields)
        if (!Object.hasOwn(described, name) && describes(item, name))
          described[name] = fields[name];
    if (composed) Object.assign(described, composedOf(resource, described));
    const json = toByteText(stringifyExact(described));
    return { id: toIdText(id), json, filters: filterValues(described) };
  };
});

/**
 * Creates the conversion of the ids of items to those that repeat the names in their paths, such as
 * `shelves/7/books/2` below shelf 7; undefined where ids repeat none.
 */
export const toWholeIds = oncePer(({ path, idSchema, ...resource }: Resource) => {
  const segments = repeatedIn(`${path}/{}`, idSchema)?.slice(0, -1) ?? [];
  const scopes = scopesOf({ path, idSchema, ...resource });
  const parts = segments.map(
    (one) => scopes.find((scope) => one === `{${scope.parameter}}`) ?? one,
  );
  if (parts.every((one) => typeof one === 'string')) return undefined;
  return (id: unknown, fields: Fields): unknown => {
    const names = parts.map((one) =>
      typeof one === 'string' ? one : valueAt(fields, memberOf(one)),
    );
    if (names.includes(undefined)) return id;
    return [...names, id].map((one) => lastSegmentOf(toIdText(one))).join('/');
  };
});

/** Returns the values of filters and scopes by which stores find an item. */
export function filterValuesOf(resource: Resource, item: Fields): StoredItem['filters'] {
  return filterValuesFrom(resource)(item);
}

const filterValuesFrom = oncePer((resource: Resource) => {
  const scopes = scopesOf(resource).map((one) => [filterOf(one), memberOf(one)] as const);
  const { filters, forms } = listRulesOf(resource.operations.list);
  return (item: Fields): StoredItem['filters'] => {
    const values: Record<string, string> = {};
    for (const name of filters)
      if (Object.hasOwn(item, name)) values[name] = toComparable(item[name], forms[name]);
    for (const [filter, member] of scopes)
      if (hasAt(item, member)) values[filter] = toIdText(valueAt(item, member));
    return values;
  };
});

/**
 * Returns the texts that are composed of other properties, by name. Empty without any, or if a part
 * is missing.
 */
export function composedOf({ composed }: Resource, fields: Fields): Fields {
  const values = composed?.parts.map((part) => valueAt(fields, part)) ?? [];
  if (!composed || values.some((one) => one === undefined)) return {};
  return { [composed.property]: values.join('/') };
}

/** An item with the properties that name it together, such as its owner's name and its own. */
function withKeys(keys: readonly Key[], fields: Fields, id: unknown): Fields {
  const missing = keys.filter(({ property }) => !hasAt(fields, property));
  if (missing.length === 0) return fields;
  const made = missing.map(({ property, example }) => [property, example ?? `${property}-${id}`]);
  return withAll(fields, Object.fromEntries(made));
}

/** A property that names items together with others, and a value of it. */
type Key = { property: string; example?: string };

function keysOf(resource: Resource): Key[] {
  return placementsOf(resource).flatMap(({ path, key, scope }) => {
    if (key === undefined || !path.endsWith('}')) return [];
    const held = scope.flatMap(({ property, example }) =>
      property === undefined ? [] : [defined({ property, example })],
    );
    return [{ property: key }, ...held];
  });
}

/** The object that holds the id of an item. */
function holderOf({ idProperty }: Resource, fields: Fields, id: unknown): Fields {
  const own = topOf(idProperty);
  return withAt(Object.hasOwn(fields, own) ? { [own]: fields[own] } : {}, idProperty, id);
}

/** Whether a value can be an id: a text, or a number. */
export function isId(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value);
}

/**
 * The id that the service gives to the n-th item: n itself, counted from the minimum on where that
 * is greater than 1, or a text of the form that the schema describes.
 */
export function toItemId(n: number, schema: Schema): number | string {
  if (schema.type !== 'string') return n + offsetOf(schema);
  return formOf(schema)?.toText(n) ?? String(n);
}

/**
 * The n whose item gets this id from {@link toItemId}; undefined for an id that no item gets from
 * it.
 */
export function toItemNumber(id: string, schema: Schema): number | undefined {
  const counted = schema.type === 'string' ? formOf(schema)?.toNumber(id) : parseInteger(id);
  if (typeof counted !== 'number') return undefined;
  const n = schema.type === 'string' ? counted : counted - offsetOf(schema);
  return n > 0 && Number.isSafeInteger(n) && String(toItemId(n, schema)) === id ? n : undefined;
}

const formOf = oncePer(idFormOfText);

function offsetOf({ minimum, exclusiveMinimum }: Schema): number {
  if (minimum === undefined && exclusiveMinimum === undefined) return 0;
  const min = Math.max(Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1);
  return Math.max(Math.ceil(min), 1) - 1;
}

/** Holds the key of an item in its store, or the index of an earlier item with that key. */
type NotedKey = { key: string; first?: never } | { first: number; key?: never };

/** The ids that the items of a collection were given from outside. */
export class IdLedger {
  readonly #resource: Resource;
  readonly #byId = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  #greatest = 0;
  #counted = 0;

  constructor(resource: Resource) {
    this.#resource = resource;
  }

  /** Notes the id of an item; ids may have to differ only below the same parent. */
  note(item: Fields, id: string, index: number): NotedKey {
    const key = distinctIdOf(this.#resource, item, id);
    const first = this.#byKey.get(key);
    if (first !== undefined) return { first };
    this.#byKey.set(key, index);
    if (this.#byId.has(id)) return { key };
    this.#byId.set(id, index);
    const n = toItemNumber(id, this.#resource.idSchema) ?? 0;
    if (n < endOfNumbers) this.#greatest = Math.max(this.#greatest, n);
    return { key: id };
  }

  /** The greatest number that an id stands for, of those below {@link endOfNumbers}; or 0. */
  get last(): number {
    return Math.max(this.#greatest, this.#counted);
  }

  /** An id that no item was given, and that this was not called for before. */
  nextFree(): number | string {
    const { idSchema } = this.#resource;
    do this.#counted += 1;
    while (this.#byId.has(String(toItemId(this.#counted, idSchema))));
    return toItemId(this.#counted, idSchema);
  }
}

/** An item, and the id by which a store knows it. */
export type FoundItem = { key: string; json: ByteText };

/** Returns the key of an item whose id another scope has taken. */
export function keyInScopes(id: string, values: readonly ScopeValue[]): string {
  return [...values.map(({ text }) => text), id].map(encodeURIComponent).join('/');
}

/**
 * Returns the text that identifies an item in its collection: the id, behind its scopes if these
 * may share ids.
 */
export function distinctIdOf(
  resource: Resource,
  item: Fields,
  id = toIdText(valueAt(item, resource.idProperty)),
): string {
  const values = scopeValuesOf(resource, item);
  return canRepeatIds(resource, values) ? keyInScopes(id, values) : id;
}

/** Whether these are all scopes of a collection, and items of several scopes may share an id. */
export function canRepeatIds(resource: Resource, values: readonly ScopeValue[]): boolean {
  const repeats = resource.givenId !== undefined || hasOtherId(resource);
  return repeats && areAllScopes(resource, values);
}

/** Whether the items of these scopes are numbered by themselves, as the issues of a repository. */
export function isNumberedWithin(resource: Resource, values: readonly ScopeValue[]): boolean {
  return resource.givenId === undefined && canRepeatIds(resource, values);
}

/** Whether paths name items below a parent by a number beside the `id` that is theirs alone. */
function hasOtherId({ idProperty, idSchema, item, scope = [] }: Resource): boolean {
  const isNumber = idSchema.type === 'integer' && idProperty !== 'id';
  const isBelow = scope.some(({ parent }) => parent !== undefined);
  return isNumber && isBelow && Object.hasOwn(item.properties, 'id');
}

function areAllScopes({ scope = [] }: Resource, values: readonly ScopeValue[]): boolean {
  return (
    scope.length > 0 &&
    scope.length === values.length &&
    scope.every((one, index) => filterOf(one) === filterOf((values[index] as ScopeValue).scope))
  );
}

/** Finds the item of some scopes that has an id. */
export async function findInScopes(
  store: ItemStore,
  resource: Resource,
  { id, values }: { id: string; values: readonly ScopeValue[] },
): Promise<FoundItem | undefined> {
  const { name, idProperty } = resource;
  const repeats = canRepeatIds(resource, values);
  const find = async (key: string): Promise<FoundItem | undefined> => {
    const json = await store.get(name, key);
    if (json === undefined || values.length === 0) return json && { key, json };
    const item = fieldsOf(json);
    const isMatch = !repeats || toIdText(valueAt(item, idProperty)) === id;
    return isMatch && isInScopes(item, values) ? { key, json } : undefined;
  };
  return (await find(id)) ?? (repeats ? find(keyInScopes(id, values)) : undefined);
}
