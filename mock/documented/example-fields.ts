import { isObject, stringifyExact } from '../../common/json.ts';
import { hasAt, valueAt, withAll, withoutAt } from '../../common/property-path.ts';
import { namesLike, toPlainName } from '../../common/words.ts';
import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
import { idFormOfText } from '../../openapi/model/id-form.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { generateNamed } from '../../openapi/values/generate.ts';
import { type Fields, fieldsOf } from '../items/stored-item.ts';
import { type ByteText, parseInteger, toIdText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import type { Store } from '../state/store.ts';

export type ExampleSources = {
  document: Api;
  store: Pick<Store, 'get' | 'list' | 'listSerial'>;
  /** Makes a value that fits a schema, of these examples if possible. */
  make: (schema: Schema, examples?: readonly unknown[]) => unknown;
};

/** Adds the operation and the collection of a body, and the item that the body changes, if any. */
export type BodySources = ExampleSources & {
  operation: Operation;
  resource: Resource;
  own: Fields | undefined;
};

/** A body that the twin takes: with the id of its item, and with what it refers to. */
export async function toUsable(
  value: unknown,
  schema: Schema,
  sources: BodySources,
): Promise<unknown> {
  const { document, operation, resource, own } = sources;
  const storable = isObject(value) ? toStorable(value, schema, sources) : value;
  const { idProperty } = resource;
  const id = valueAt(own, idProperty);
  const isNamed = idParameterOf(operation) !== undefined;
  const names = distinctOf(sources);
  const used = new Set<string>();
  return mapFields(document, operation, storable, async (fields) => {
    const isKept = id === undefined || (isNamed && !hasAt(fields, idProperty));
    const withId = isKept ? fields : withAll(fields, { [idProperty]: id });
    const fresh = await withFreshValues(withId, { names, used, id }, sources);
    return withKnownReferences(fresh, sources);
  });
}

/**
 * Changes the fields of the item that a body holds, or of each of its items, one after another: in
 * the body itself, in a list, or in a property such as `{"article": {...}}`.
 */
async function mapFields(
  document: Api,
  operation: Operation,
  body: unknown,
  change: (fields: Fields) => Promise<Fields>,
): Promise<unknown> {
  const [wrapper] = document.schemas.findWrappedBody(operation)?.pointer ?? [];
  if (wrapper !== undefined && isObject(body) && isObject(body[wrapper]))
    return { ...body, [wrapper]: await change(body[wrapper]) };
  if (!Array.isArray(body)) return isObject(body) ? change(body) : body;
  const changed: unknown[] = [];
  for (const one of body) changed.push(isObject(one) ? await change(one) : one);
  return changed;
}

/**
 * Leaves out of the body of an update what it need not have and an item cannot have: its schema may
 * allow what the item's does not.
 */
function toStorable(
  body: Fields,
  schema: Schema,
  { document, operation, resource }: BodySources,
): Fields {
  if (operation.kind !== 'update') return body;
  const { properties } = resource.item;
  const { required } = document.schemas.describeSchema(schema);
  const isStorable = ([name, value]: [string, unknown]) =>
    required.includes(name) || fits(document, properties[name] ?? {}, value);
  return Object.fromEntries(Object.entries(body).filter(isStorable));
}

/** The properties of a body in which no item may be like another. */
function distinctOf({ document, resource, operation: { kind } }: BodySources): string[] {
  const { givenId, idProperty } = resource;
  const isChosen = rowOf(kind).adds && (givenId === 'always' || givenId === 'sometimes');
  const unique = document.schemas.uniquePropertiesOf(resource);
  return isChosen ? [idProperty, ...unique] : unique;
}

/** Bounds the attempts to find a free value before a property is left out. */
const maxAttempts = 50;

/**
 * Has fields set no unique value, and a new item no id, that another item has than the one with the
 * `id`, or that was `used` in the same body.
 */
async function withFreshValues(
  fields: Fields,
  { names, used, id }: { names: readonly string[]; used: Set<string>; id: unknown },
  { document, store, resource }: BodySources,
): Promise<Fields> {
  const { name, idProperty } = resource;
  const isFree = async (property: string, value: unknown): Promise<boolean> => {
    const text = stringifyExact(value ?? null);
    if (used.has(`${property}:${text}`)) return false;
    const isMatch = (json: ByteText) => {
      const item = fieldsOf(json);
      const isOwn = id !== undefined && String(valueAt(item, idProperty)) === String(id);
      return !isOwn && stringifyExact(valueAt(item, property) ?? null) === text;
    };
    return (await store.listSerial(name, { limit: 1, isMatch })).length === 0;
  };
  let fresh: Fields = { ...fields };
  for (const property of names) {
    let value = valueAt(fields, property);
    if (value === undefined || value === null) continue;
    let n = 0;
    while (n < maxAttempts && !(await isFree(property, value)))
      value = toOther(document, resource, property, ++n);
    fresh = n < maxAttempts ? withAll(fresh, { [property]: value }) : withoutAt(fresh, property);
    used.add(`${property}:${stringifyExact(value ?? null)}`);
  }
  return fresh;
}

/** The n-th of other values of a property: an id as they are counted, or a made value. */
function toOther(
  document: Api,
  { idProperty, idSchema, item }: Resource,
  property: string,
  n: number,
): unknown {
  if (property === idProperty)
    return idSchema.type === 'string' ? idFormOfText(idSchema)?.toText(n) : n;
  return generateNamed(property, item.properties[property] ?? {}, {
    seed: n,
    describe: document.schemas.describeSent,
  });
}

/** Has fields refer to items that are there: the first one in place of each that is not. */
async function withKnownReferences(
  fields: Fields,
  { document, store, resource: { references = [], scope = [] } }: BodySources,
): Promise<Fields> {
  // Properties of a nested collection hold the ids of parents.
  const parents = scope.map(({ property, parent }) => ({ property, collection: parent }));
  const filled: Record<string, unknown> = { ...fields };
  for (const { property, collection } of [...references, ...parents]) {
    if (property === undefined || collection === undefined) continue;
    const [name = property] = namesLike(filled, toPlainName(property));
    const value = filled[name];
    if (value === undefined || value === null) continue;
    if ((await store.get(collection, toIdText(value))) !== undefined) continue;
    const target = document.resources.find(({ name }) => name === collection);
    const [first] = await store.list(collection, { limit: 1 });
    const id = target && first && valueAt(fieldsOf(first), target.idProperty);
    // A body may have as a number what is the id of an item as a text.
    filled[name] = (typeof value === 'number' ? parseInteger(toIdText(id)) : id) ?? value;
  }
  return filled;
}
