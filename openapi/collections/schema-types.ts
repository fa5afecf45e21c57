import { isObject, typeOf } from '../../common/json.ts';
import { isNumber, typesOf } from '../model/id-form.ts';
import {
  asksNothing,
  type FlatSchema,
  flatten,
  type RawDocument,
  resolve,
  type Schema,
} from '../schema.ts';

/** Returns the types of a value, those of its alternatives and parts included; none where any will do. */
export function allTypesOf(
  raw: RawDocument,
  schema: Schema | undefined,
  seen?: Set<unknown>,
): unknown[] {
  const one = scalarOf(raw, schema);
  if (seen?.has(one)) return [];
  seen?.add(one);
  if (one.type !== undefined) return Array.isArray(one.type) ? one.type : [one.type];
  const values = 'const' in one ? [one.const] : one.enum;
  if (Array.isArray(values)) return [...new Set(values.map(jsonTypeOf))];
  const parts = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword): Schema[] => one[keyword] ?? []);
  const within = seen ?? new Set<unknown>([one]);
  const types = parts.flatMap((part) => allTypesOf(raw, part, within));
  if (types.length > 0) return types;
  return one.properties ? ['object'] : one.items ? ['array'] : [];
}

function jsonTypeOf(value: unknown): string {
  return Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : typeOf(value);
}

/** A schema, its `$ref` followed; nothing where it is `true` or `false`. */
export function scalarOf(raw: RawDocument, schema: Schema | undefined): RawDocument {
  const resolved: unknown = schema && resolve(raw, schema);
  return typeof resolved === 'object' && resolved !== null ? resolved : {};
}

/**
 * Whether a value other than null may fit what two schemas name: types, of which an integer is a
 * number, and values.
 */
export function shareType(raw: RawDocument, one?: Schema, other?: Schema): boolean {
  const [left, right] = [scalarOf(raw, one), scalarOf(raw, other)];
  if (left === right || (left.type === right.type && isOneType(left) && isOneType(right)))
    return true;
  const toTypes = (schema?: Schema): unknown[] =>
    allTypesOf(raw, schema)
      .filter((type) => type !== 'null')
      .map((type) => (type === 'integer' ? 'number' : type));
  const toValues = (schema?: Schema): unknown[] => scalarOf(raw, schema).enum ?? [];
  return [toTypes, toValues].every((find) => {
    const [left, right] = [find(one), find(other)];
    return left.length === 0 || right.length === 0 || left.some((each) => right.includes(each));
  });
}

function isOneType({ type, enum: values }: RawDocument): boolean {
  return typeof type === 'string' && values === undefined;
}

/** Whether two schemas of objects say nothing else of a property. */
export function agrees(raw: RawDocument, one: FlatSchema, other: FlatSchema): boolean {
  return Object.entries(one.properties).every(
    ([name, schema]) =>
      schema === other.properties[name] || shareType(raw, schema, other.properties[name]),
  );
}

/** Whether a value is a flag, which says nothing of a property of another type. */
export function isOtherThanFlag(raw: RawDocument, flag: Schema, property: Schema): boolean {
  const [left, right] = [flag, property].map((one) =>
    allTypesOf(raw, one).filter((type) => type !== 'null'),
  ) as [unknown[], unknown[]];
  return left.join() === 'boolean' && right.length > 0 && !right.includes('boolean');
}

export function isNullable(raw: RawDocument, node: Schema): boolean {
  const schema = resolve(raw, node);
  if (!isObject(schema)) return false;
  if ([schema.type].flat().includes('null') || schema.const === null) return true;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((one: Schema) =>
    isNullable(raw, one),
  );
}

/**
 * Returns a schema, its `$ref` followed; of alternatives that are objects all of them, which `flatten`
 * folds, and of others the first that is not null.
 */
export function objectAlternative(
  raw: RawDocument,
  node: Schema | undefined,
  depth = 0,
): RawDocument | undefined {
  const schema = node && resolve(raw, node);
  if (!isObject(schema) || depth > 5) return undefined;
  if (schema.properties) return schema;
  const [only, ...more] = schema.allOf ?? [];
  if (only && more.length === 0) return objectAlternative(raw, only, depth + 1);
  const isPlain = schema.allOf || schema.items;
  const alternatives: Schema[] | undefined = isPlain ? undefined : (schema.oneOf ?? schema.anyOf);
  if (!Array.isArray(alternatives)) return schema;
  const found = alternatives
    .map((one) => objectAlternative(raw, one, depth + 1))
    .filter((one) => one !== undefined && one.type !== 'null');
  const areObjects = found
    .slice(0, 2)
    .every((one) => Object.keys(flatten(raw, one).properties).length > 0);
  return found.length > 1 && areObjects ? schema : found[0];
}

/** Whether a schema says no more than that something is an object, or an array of anything. */
export function saysNothing(raw: RawDocument, schema: Schema | undefined): boolean {
  return Object.entries(scalarOf(raw, schema)).every(
    ([keyword, value]) =>
      asksNothing(keyword) ||
      (keyword === 'type' && ['object', 'array'].includes(value)) ||
      (keyword === 'items' && mayBeObject(raw, value)) ||
      (keyword === 'additionalProperties' &&
        (typeof value === 'boolean' || mayBeObject(raw, value))) ||
      (keyword === 'properties' && Object.keys(value).length === 0),
  );
}

/** Whether a schema says nothing that keeps a value from being any object. */
function mayBeObject(raw: RawDocument, schema: Schema): boolean {
  return scalarOf(raw, schema).type !== 'array' && saysNothing(raw, schema);
}

/** How texts stand for a value, if several texts stand for the same one. */
export type ValueForm = 'number' | 'instant' | 'uuid';

/** The form of the values of a schema; undefined if each text is a value of its own. */
function valueFormOf(raw: RawDocument, schema: Schema): ValueForm | undefined {
  const one = objectAlternative(raw, schema) ?? {};
  if (isNumber(one) && !typesOf(one).includes('string')) return 'number';
  if (one.format === 'date-time') return 'instant';
  return one.format === 'uuid' || one.format === 'guid' ? 'uuid' : undefined;
}

/** The form of what items have at a path, of a list that of its elements. */
export function valueFormAt(
  raw: RawDocument,
  { properties }: Pick<FlatSchema, 'properties'>,
  [name = '', ...others]: readonly string[],
): ValueForm | undefined {
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const schema = objectAlternative(raw, own);
  if (!schema) return undefined;
  const held = schema.items === undefined ? schema : schema.items;
  return others.length > 0 ? valueFormAt(raw, flatten(raw, held), others) : valueFormOf(raw, held);
}
