import { isObject } from '../common/json.ts';
import type { Mark, UnaskedProperties } from './model/unasked.ts';
import {
  alternativesOf,
  createCache,
  type FlatSchema,
  flatten,
  follow,
  type RawDocument,
  resolve,
  type Schema,
  schemaKeywords,
} from './schema.ts';

/** How deep in parts of parts of a schema is looked for what they require. */
const maxDepth = 20;

/**
 * Whether a property has a mark, itself, by what it refers to or by a part of its `allOf`: `x-unique`
 * says that no two items have the same value of it.
 */
export function isMarked(
  raw: RawDocument,
  property: Schema | undefined,
  mark: Mark | 'x-unique',
): boolean {
  if (!isObject(property)) return false;
  const resolved: unknown = resolve(raw, property);
  if (property[mark] === true || !isObject(resolved)) return property[mark] === true;
  return (
    resolved[mark] === true || !!resolved.allOf?.some((part: Schema) => isMarked(raw, part, mark))
  );
}

/** Properties without those that have a mark. */
function without(mark: Mark, raw: RawDocument, flat: FlatSchema): FlatSchema {
  const isLeft = (name: string) => !isMarked(raw, flat.properties[name], mark);
  const names = Object.keys(flat.properties);
  if (names.every(isLeft)) return flat;
  const left = names.filter(isLeft).map((name) => [name, flat.properties[name]]);
  return {
    ...flat,
    properties: Object.fromEntries(left),
    required: flat.required.filter(isLeft),
  };
}

/** Returns the properties of an item that responses may show. */
export function shownOf(raw: RawDocument, schema: FlatSchema): FlatSchema {
  const known = shown.of(raw).get(schema);
  if (known) return known;
  const left = without('writeOnly', raw, schema);
  shown.of(raw).set(schema, left);
  return left;
}

const shown = createCache<FlatSchema>();

/**
 * A schema with its `$ref` followed, beside its properties, its choices of alternatives, and the
 * names of properties that a mark hides.
 */
export type SchemaDescription = FlatSchema & {
  schema: Schema;
  choices: readonly (readonly Schema[])[];
  hidden: readonly string[];
};

/** Describes a schema; `within` is the schema of whose `allOf` it is part. */
export type DescribeSchema = (schema: Schema, within?: Schema) => SchemaDescription;

function describeWithout(mark: Mark | undefined) {
  return (raw: RawDocument, schema: Schema, within?: Schema): SchemaDescription => {
    const resolved: Schema = resolve(raw, schema);
    const whole = flatten(raw, schema);
    const flat = mark ? without(mark, raw, whole) : whole;
    const isHidden = (name: string) => !Object.hasOwn(flat.properties, name);
    return {
      ...flat,
      schema: resolved,
      choices: alternativesOf(raw, resolved, within),
      hidden: flat === whole ? [] : Object.keys(whole.properties).filter(isHidden),
    };
  };
}

/** Describes a schema with all of its properties. */
export const describeSchema = describeWithout(undefined);

/** Describes a schema with the properties that answers may show. */
export const describeShown = describeWithout('writeOnly');

/** Describes a schema with the properties that requests may set. */
export const describeSent = describeWithout('readOnly');

const writeOnly = createCache<boolean>();

/** Whether the schema of an answer, or one that it leads to, marks a property as `writeOnly`. */
export function showsWriteOnly(raw: RawDocument, schema: Schema): boolean {
  const known = writeOnly.of(raw).get(schema);
  if (known !== undefined) return known;
  const seen = new Set<Schema>();
  const left: Schema[] = [schema];
  for (let node = left.pop(); node; node = left.pop()) {
    if (typeof node !== 'object' || seen.has(node)) continue;
    seen.add(node);
    left.push(...referredBy(raw, node));
    left.push(...innerSchemas(node));
  }
  const isMarking = [...seen].some((node) => node.writeOnly === true);
  writeOnly.of(raw).set(schema, isMarking);
  return isMarking;
}

/**
 * Creates a search for required properties that need not be there by a mark: `readOnly` ones in
 * requests, `writeOnly` ones in answers. It gives, by schema, those of all schemas searched so far,
 * so that schemas that share much are gone through once.
 */
export function createFindUnasked(
  raw: RawDocument,
  mark: Mark,
): (schema: Schema) => UnaskedProperties {
  const unasked = new Map<unknown, ReadonlySet<string>>();
  const seen = new Set<unknown>();
  const partsOf = ({ allOf = [], oneOf = [], anyOf = [], ...node }: RawDocument) =>
    [...allOf, ...oneOf, ...anyOf, ...referredBy(raw, node)].filter(isObject);
  const free = (node: RawDocument, names: ReadonlySet<string>, depth = 0) => {
    if (names.size === 0 || depth > maxDepth) return;
    const freed = names.intersection(new Set(node.required));
    if (freed.size > 0) unasked.set(node, freed.union(unasked.get(node) ?? new Set()));
    // A part may require what another part describes.
    for (const part of partsOf(node)) free(part, names, depth + 1);
  };
  const visit = (node: Schema): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    for (const one of referredBy(raw, node)) visit(one);
    if (partsOf(node).length > 0 || (node.properties && node.required)) {
      const described = Object.entries(flatten(raw, node).properties);
      const marked = described.filter(([, property]) => isMarked(raw, property, mark));
      free(node, new Set(marked.map(([name]) => name)));
    }
    for (const inner of innerSchemas(node)) visit(inner);
  };
  return (schema) => {
    visit(schema);
    return unasked;
  };
}

/** Returns the schema that a reference names, one step on; empty without a reference. */
function referredBy(raw: RawDocument, { $ref }: Schema): Schema[] {
  const target = typeof $ref === 'string' ? follow(raw, $ref) : undefined;
  return isObject(target) ? [target] : [];
}

/** The schemas that a schema is made of, without those that it refers to. */
function innerSchemas(schema: Schema): Schema[] {
  const { one, list, map } = schemaKeywords;
  const values = (keyword: string) => Object.values((schema[keyword] ?? {}) as object);
  const inner = [...one.map((keyword) => schema[keyword]), ...[...list, ...map].flatMap(values)];
  return inner.filter((each): each is Schema => typeof each === 'object' && each !== null);
}

/** The properties of which no two items of a collection have the same value, besides the id. */
export function uniquePropertiesOf(
  raw: RawDocument,
  { item, idProperty }: { item: FlatSchema; idProperty: string },
): string[] {
  return Object.entries(item.properties).flatMap(([name, property]) =>
    name !== idProperty && isMarked(raw, property, 'x-unique') ? [name] : [],
  );
}
