import { toExactInteger } from '../../../common/json.ts';
import { oncePer } from '../../../common/once-per.ts';
import type { Api, Schema } from '../../../openapi/index.ts';
import { elementOf } from '../../../openapi/values/plain-schema.ts';
import { parseExact, parseInteger } from '../../json/exact-json.ts';
import type { CompileSchema } from '../../json/validator.ts';
import type { Shape, TextTree } from './read-written.ts';

/**
 * Reads a written value by the types of its schema, large integers as bigints; values that do not fit
 * stay text.
 */
export type ToTyped = (schema: Schema, tree: TextTree) => unknown;

/** Creates a reader of texts by the types of the schemas of a document. */
export function createToTyped(document: Api, compile: CompileSchema): ToTyped {
  const typesOf = typesIn(document);
  const toTyped: ToTyped = (schema, tree) => {
    if (typeof tree === 'string') return readText(schema, tree);
    if (Array.isArray(tree)) return toList(schema, tree);
    const entries = Object.entries(tree);
    const types = typesOf(schema);
    const isNumbered = entries.every(([name]) => /^\d{0,4}$/.test(name));
    if (isNumbered && types.has('array') && !types.has('object')) {
      const items = entries.flatMap(([name, inner]) => (name === '' ? inner : [inner]));
      return toList(schema, items);
    }
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, toTyped(memberOf(document, schema, name), inner)]),
    );
  };
  const toList = (schema: Schema, items: readonly TextTree[]): unknown[] =>
    items.map((inner, at) => toTyped(itemsOf(document, schema, at), inner));
  const readText = (schema: Schema, text: string): unknown => {
    const types = typesOf(schema);
    const candidates = candidatesFor(text, types);
    if (types.has('array')) candidates.push(toList(schema, [text]));
    if (candidates.length === 1) return candidates[0];
    const validate = compile(schema);
    const fitting = candidates.find((candidate) => !validate(candidate));
    return fitting === undefined ? candidates[0] : fitting;
  };
  return toTyped;
}

/** Returns the possible values of a text, the narrowest type first. */
function candidatesFor(text: string, types: ReadonlySet<string>): unknown[] {
  const candidates: unknown[] = [];
  const isAny = types.size === 0;
  if (types.has('integer') || types.has('number')) {
    const integer = parseInteger(text);
    const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
    if (integer !== undefined) candidates.push(integer);
    else if (types.has('number') && isNumber) candidates.push(toExactInteger(text) ?? Number(text));
  }
  if (types.has('boolean') && (text === 'true' || text === 'false'))
    candidates.push(text === 'true');
  if (types.has('null') && (text === '' || text === 'null')) candidates.push(null);
  if (isAny || types.has('string')) candidates.push(text);
  const json = parseMembers(text, types);
  if (json !== undefined) candidates.push(json);
  if (candidates.length === 0 && !types.has('array')) candidates.push(text);
  return candidates;
}

/** A list or an object that a text has as JSON, if its schema allows one. */
function parseMembers(text: string, types: ReadonlySet<string>): unknown {
  const mayBe =
    (types.has('object') && text.startsWith('{')) || (types.has('array') && text.startsWith('['));
  if (!mayBe) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Returns the types that a schema allows, also in its alternatives; none where it allows any. */
export const typesIn = oncePer(({ schemas }: Api) => {
  const collect = oncePer((schema: Schema) => new Set(schemas.allTypesOf(schema) as string[]));
  return (schema: Schema): ReadonlySet<string> =>
    typeof schema === 'object' && schema !== null ? collect(schema) : new Set();
});

/** Returns the shapes that the schema of a parameter allows, the likeliest first. */
export function shapesOf(document: Api, schema: Schema): Shape[] {
  const types = typesIn(document)(schema);
  const shapes: Shape[] = [];
  if (types.size === 0 || [...types].some((type) => type !== 'array' && type !== 'object'))
    shapes.push('text');
  if (types.has('array')) shapes.push('list');
  if (types.has('object')) shapes.push('object');
  return shapes;
}

/** The schema of an item of a list, by its place; any value where none is given. */
export function itemsOf(document: Api, schema: Schema, at: number): Schema {
  return findPart(document, schema, (one) => elementOf(one, at)) ?? {};
}

/** The schema of a member of an object. */
export function memberOf(document: Api, schema: Schema, name: string): Schema {
  const found = findPart(document, schema, ({ properties, additionalProperties }) =>
    properties !== undefined && Object.hasOwn(properties as object, name)
      ? (properties as Record<string, Schema>)[name]
      : additionalProperties,
  );
  return found ?? {};
}

/** Finds a part in a schema or in the schemas that it combines. */
function findPart(
  document: Api,
  node: Schema,
  partOf: (schema: Schema) => unknown,
  seen = new Set<Schema>(),
): Schema | undefined {
  const { schema } = document.schemas.describeSchema(node);
  if (typeof schema !== 'object' || seen.has(schema)) return undefined;
  seen.add(schema);
  const own = partOf(schema);
  if (typeof own === 'object' && own !== null) return own as Schema;
  for (const keyword of ['allOf', 'oneOf', 'anyOf'])
    for (const part of (schema[keyword] ?? []) as Schema[]) {
      const found = findPart(document, part, partOf, seen);
      if (found) return found;
    }
  return undefined;
}

/** The names of the members that a schema gives an object, and whether it may have others. */
export function membersOf(
  document: Api,
  schema: Schema,
): { names: ReadonlySet<string>; isOpen: boolean } {
  const { schema: own, properties } = document.schemas.describeSchema(schema);
  const parts = ['oneOf', 'anyOf'].flatMap((keyword) => own[keyword] ?? []) as Schema[];
  const names = new Set(Object.keys(properties));
  for (const part of parts)
    for (const name of Object.keys(document.schemas.describeSchema(part).properties))
      names.add(name);
  const { additionalProperties } = own;
  const isOpen =
    (typeof additionalProperties === 'object' && additionalProperties !== null) ||
    additionalProperties === true ||
    names.size === 0;
  return { names, isOpen };
}
