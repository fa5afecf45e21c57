import { isDeepStrictEqual } from 'node:util';
import { DocumentError } from '../common/cli/usage-error.ts';
import { isObject, type JsonObject } from '../common/json.ts';
import { fromFragmentToken, toToken } from '../common/json-pointer.ts';
import { remembered } from '../common/remembered.ts';
import { namesOf } from '../common/words.ts';
import { mergeSchemas, merges, type Schema } from './merge-schemas.ts';

export type { Schema } from './merge-schemas.ts';

/**
 * The properties of an object schema, with `$ref`, `allOf` and alternatives folded into one level;
 * `others` are patterns of further names that it allows in so many words.
 */
export type FlatSchema = {
  properties: Record<string, Schema>;
  required: string[];
  others?: readonly string[];
};

export type RawDocument = JsonObject;

/** Follows a local `$ref` by one step; undefined if it leads nowhere. */
export function follow(raw: RawDocument, $ref: string): unknown {
  let node: RawDocument | undefined = raw;
  for (const key of keysOf($ref)) node = node?.[key];
  return node === raw ? undefined : node;
}

const nowhere: readonly string[] = [];

/** Reads the keys that a local `$ref` names. */
const keysOf = remembered(($ref): readonly string[] => {
  if (!$ref.startsWith('#/')) return nowhere;
  try {
    return $ref.slice(2).split('/').map(fromFragmentToken);
  } catch (error) {
    if (error instanceof URIError) return nowhere;
    throw error;
  }
});

const prose = namesOf('$comment title summary description deprecated externalDocs');
const annotations = new Set([
  ...prose,
  ...namesOf('default example examples readOnly writeOnly xml'),
]);

/** Whether any value fits, whatever a keyword holds. */
export function asksNothing(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-');
}

/** The keywords beside a `$ref` that do not change the referenced schema. */
const silent = new Set(['$ref', '$defs', ...prose]);

/** Whether a reference says more of values than what it leads to. */
export function saysMore(reference: RawDocument): boolean {
  for (const one in reference) if (!silent.has(one) && !one.startsWith('x-')) return true;
  return false;
}

/** Keeps values by nodes of a document, for each document. */
export function createCache<Value>() {
  const byDocument = new WeakMap<RawDocument, WeakMap<Schema, Value>>();
  return {
    of(raw: RawDocument): WeakMap<Schema, Value> {
      let known = byDocument.get(raw);
      if (!known) byDocument.set(raw, (known = new WeakMap()));
      return known;
    },
    forget: (raw: RawDocument) => void byDocument.delete(raw),
  };
}

const merged = createCache<RawDocument>();

/** Forgets the nodes that {@link resolve} made, after a change of the document. */
export const forgetMerged = merged.forget;

/**
 * Returns the node that a `$ref` leads to, one step at a time, with the keywords beside each on the
 * way. Each such node is made once for a document. Throws {@link DocumentError} on a dead or circular one.
 */
export function resolve(raw: RawDocument, node: RawDocument): RawDocument {
  // Most nodes are no references, and most others lead to a node that is none.
  if (typeof node?.$ref !== 'string') return node;
  const next = follow(raw, node.$ref) as RawDocument | undefined;
  if (next !== undefined && typeof next?.$ref !== 'string' && !saysMore(node)) return next;
  const seen: string[] = [];
  const steps: RawDocument[] = [];
  let current = node;
  while (typeof current?.$ref === 'string') {
    const ref: string = current.$ref;
    if (seen.includes(ref)) throw new DocumentError(`$ref "${ref}" is circular`);
    seen.push(ref);
    if (saysMore(current)) steps.push(current);
    const target = follow(raw, ref) as RawDocument | undefined;
    if (target === undefined) throw new DocumentError(`$ref "${ref}" points to nothing`);
    current = target;
  }
  if (steps.length === 0 || !isObject(current)) return current;
  const known = merged.of(raw);
  for (const step of steps.toReversed()) {
    const whole: RawDocument = known.get(step) ?? mergeBeside(current, step);
    known.set(step, whole);
    current = whole;
  }
  return current;
}

/** Keywords that are read together. */
const groups = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
];

/** Merges a schema and what stands beside a `$ref` to it; keywords that do not merge become a part. */
function mergeBeside(target: RawDocument, { $ref: _, ...beside }: RawDocument): RawDocument {
  const differing = asking.filter(
    (one) =>
      Object.hasOwn(target, one) &&
      Object.hasOwn(beside, one) &&
      !merges(one) &&
      !isDeepStrictEqual(target[one], beside[one]),
  );
  const apart = new Set([
    ...differing,
    ...groups.flatMap((all) => (all.some((one) => differing.includes(one)) ? all : [])),
  ]);
  const [own, left] = [true, false].map((is) =>
    Object.fromEntries(Object.entries(target).filter(([one]) => apart.has(one) === is)),
  ) as [RawDocument, RawDocument];
  const parts = [...(left.allOf ?? []), ...(beside.allOf ?? []), ...(apart.size > 0 ? [own] : [])];
  return { ...mergeSchemas(left, beside), ...(parts.length > 0 && { allOf: parts }) };
}

/** The object or list that a part is or leads to; none of other values, and where it leads nowhere. */
export function resolveQuietly(root: RawDocument, part: unknown): RawDocument | undefined {
  try {
    const found: unknown = isObject(part) ? resolve(root, part) : undefined;
    return typeof found === 'object' && found !== null ? found : undefined;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/**
 * Returns one level of properties of a schema: its own, those of its `allOf`, and those of all its
 * alternatives, of which those are required that each requires. Throws {@link DocumentError} on a
 * circle of `$ref`s.
 */
export function flatten(raw: RawDocument, schema: Schema | undefined): FlatSchema {
  if (!schema) return { properties: {}, required: [] };
  const known = flattened.of(raw);
  const before = known.get(schema);
  if (before) return before;
  const { asked, ...flat } = flattenWithin(raw, schema, new Map());
  // What an object must have beside others is a property of it, described or not.
  if (!flat.others) for (const name of asked) flat.properties[name] ??= {};
  known.set(schema, flat);
  return flat;
}

const flattened = createCache<FlatSchema>();

/** A flat schema, and the names of all properties that it or an alternative asks for. */
type Flattened = FlatSchema & { asked: Set<string> };

/** Flattens a schema; `known` are alternatives that were flattened before, and nothing of those gone into. */
function flattenWithin(
  raw: RawDocument,
  schema: Schema,
  known: Map<RawDocument, Flattened | undefined>,
): Flattened {
  const flat: Flattened = { properties: Object.create(null), required: [], asked: new Set() };
  const others: string[] = [];
  const choices: Schema[][] = [];
  const folded = new Set<RawDocument>();
  const add = (node: Schema, within?: RawDocument) => {
    const resolved = resolve(raw, node);
    if (!isObject(resolved) || folded.has(resolved)) return;
    folded.add(resolved);
    for (const part of resolved.allOf ?? []) add(part, resolved);
    Object.assign(flat.properties, resolved.properties);
    flat.required.push(...(resolved.required ?? []));
    for (const names of Object.values<string[]>(resolved.dependentRequired ?? {}))
      for (const name of names) flat.asked.add(name);
    others.push(...namesBeyond(resolved));
    choices.push(...alternativesOf(raw, resolved, within));
  };
  add(schema);
  for (const choice of choices) {
    const kinds = choice.flatMap((one) => {
      const resolved = resolve(raw, one);
      if (!isObject(resolved) || !mayBeObject(resolved)) return [];
      if (!known.has(resolved)) {
        known.set(resolved, undefined);
        known.set(resolved, flattenWithin(raw, one, known));
      }
      return known.get(resolved) ?? [];
    });
    for (const [name, all] of Object.entries(groupByName(kinds)))
      if (!Object.hasOwn(flat.properties, name)) flat.properties[name] = eitherOf(all);
    const [first, ...rest] = kinds.map(({ required }) => new Set(required));
    flat.required.push(
      ...rest.reduce((left, right) => left.intersection(right), first ?? new Set()),
    );
    others.push(...kinds.flatMap((one) => one.others ?? []));
    for (const { asked, required } of kinds)
      for (const name of [...asked, ...required]) flat.asked.add(name);
  }
  return others.length > 0 ? { ...flat, others: [...new Set(others)] } : flat;
}

function mayBeObject({ type = 'object' }: RawDocument): boolean {
  return [type].flat().includes('object');
}

/** Returns the patterns of names that a schema allows beyond its properties, in so many words. */
function namesBeyond(schema: RawDocument): string[] {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  const isOpen = [additionalProperties, unevaluatedProperties].some(
    (one) => one === true || isObject(one),
  );
  return isOpen ? [''] : Object.keys(patternProperties ?? {});
}

function groupByName(kinds: readonly FlatSchema[]): Record<string, Schema[]> {
  const byName: Record<string, Schema[]> = Object.create(null);
  for (const { properties } of kinds)
    for (const [name, schema] of Object.entries(properties)) (byName[name] ??= []).push(schema);
  return byName;
}

/** Returns a schema of the values that fit one of several. */
function eitherOf(schemas: readonly Schema[]): Schema {
  const distinct = schemas.filter(
    (one, index) => !schemas.slice(0, index).some((other) => isDeepStrictEqual(one, other)),
  );
  const [only = {}, ...more] = distinct;
  if (more.length === 0) return only;
  const values = distinct.map((one) => ('const' in one ? [one.const] : one.enum));
  const marks = ['readOnly', 'writeOnly'].filter((mark) =>
    distinct.every((one) => one[mark] === true),
  );
  const either = values.every(Array.isArray)
    ? {
        ...(distinct.every(({ type }) => type === only.type) &&
          'type' in only && { type: only.type }),
        enum: [...new Set(values.flat())],
      }
    : { anyOf: distinct };
  return { ...either, ...Object.fromEntries(marks.map((mark) => [mark, true])) };
}

/**
 * Returns the alternatives of a schema, a list for each choice: its `oneOf` and `anyOf`, what its
 * conditions lead to, and the kinds that its discriminator names, unless it is part of one of these.
 */
export function alternativesOf(raw: RawDocument, schema: Schema, within?: Schema): Schema[][] {
  if (!isObject(schema)) return [];
  const { oneOf, anyOf, if: condition, then, else: other, dependentSchemas = {} } = schema;
  const choices = [
    oneOf,
    anyOf,
    ...Object.values(dependentSchemas as object).map((one) => [one, {}]),
  ];
  if (isObject(condition) && (isObject(then) || isObject(other)))
    choices.push([{ allOf: [condition, then ?? {}] }, other ?? {}]);
  if (isObject(schema.discriminator) && !oneOf && !anyOf) {
    const kinds = kindsOf(raw).get(schema);
    if (kinds && !(within && kinds.has(within))) choices.push([...kinds.values()]);
  }
  return choices.filter((choice): choice is Schema[] => Array.isArray(choice) && choice.length > 0);
}

/** Whether a schema has alternatives, itself or in its parts, so that much may fit it. */
export function hasAlternatives(raw: RawDocument, node: Schema | undefined): boolean {
  const schema = node && resolve(raw, node);
  if (!isObject(schema)) return false;
  const parts: Schema[] = schema.allOf ?? [];
  const hasOwn = alternativesOf(raw, schema).some((choice) => choice.length > 1);
  return hasOwn || parts.some((part) => hasAlternatives(raw, part));
}

const kindsByDocument = new WeakMap<RawDocument, Map<RawDocument, Map<RawDocument, Schema>>>();

/** Finds the schemas that have a schema with a discriminator in their `allOf`, by that schema. */
function kindsOf(raw: RawDocument): Map<RawDocument, Map<RawDocument, Schema>> {
  const known = kindsByDocument.get(raw);
  if (known) return known;
  const found = new Map<RawDocument, Map<RawDocument, Schema>>();
  kindsByDocument.set(raw, found);
  const basesOf = (schema: unknown, seen = new Set<unknown>()): Set<unknown> => {
    if (!isObject(schema) || seen.has(schema)) return seen;
    seen.add(schema);
    for (const part of schema.allOf ?? [])
      if (typeof part?.$ref === 'string') basesOf(resolveQuietly(raw, part), seen);
    return seen;
  };
  for (const name of Object.keys(raw.components?.schemas ?? {})) {
    const reference = { $ref: `#/components/schemas/${toToken(name)}` };
    const schema = resolveQuietly(raw, reference);
    for (const base of basesOf(schema))
      if (isObject(base) && isObject(schema) && base !== schema && isObject(base.discriminator))
        found.set(base, (found.get(base) ?? new Map<RawDocument, Schema>()).set(schema, reference));
  }
  return found;
}

/** The keywords of a schema that hold schemas: one, a list of them, or some by name. */
export const schemaKeywords = {
  one: namesOf(
    'items contains not if then else propertyNames contentSchema additionalProperties unevaluatedProperties unevaluatedItems',
  ),
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
} as const;

/** The keywords that ask something of values, and do not merge with their like in every case. */
const asking = [
  ...schemaKeywords.one,
  ...schemaKeywords.list.filter((one) => one !== 'allOf'),
  'dependentSchemas',
  ...namesOf('pattern format const multipleOf uniqueItems dependentRequired'),
  ...namesOf('minContains maxContains contentEncoding contentMediaType'),
];

/** The examples that a schema has, whether as one or in a list. */
export function ownExamplesOf({ example, examples }: Schema): unknown[] {
  return [example, ...(Array.isArray(examples) ? examples : [])].filter((one) => one !== undefined);
}

/** Returns the texts that an extension lists in the place of `enum`, such as `x-extensible-enum`. */
export function listedValuesOf(schema: Schema): string[] {
  const lists = Object.entries(schema).flatMap(([keyword, list]) =>
    /^x-.*(enum|values)$/i.test(keyword) && Array.isArray(list) ? [list] : [],
  );
  const isText = (one: unknown): one is string => typeof one === 'string';
  return schema.enum === undefined ? (lists.find((list) => list.every(isText)) ?? []) : [];
}
