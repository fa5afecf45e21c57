import { DocumentError } from '../common/cli/usage-error.ts';
import type { JsonObject } from '../common/json.ts';
import { fromFragmentToken } from '../common/json-pointer.ts';
import { remembered } from '../common/remembered.ts';

/** A JSON Schema (2020-12) as the document holds it; `$ref`s are not followed. */
export type Schema = { readonly [keyword: string]: unknown };

/** The properties of an object schema, with `$ref` and `allOf` folded into one level. */
export type FlatSchema = { properties: Record<string, Schema>; required: string[] };

export type RawDocument = JsonObject;

/** What a local `$ref` leads to in one step; undefined where it leads nowhere. */
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

/**
 * Follows local `$ref`s until a node that is none. Throws {@link DocumentError} on a dead or
 * circular one.
 */
export function resolve(raw: RawDocument, node: RawDocument): RawDocument {
  const seen = new Set<string>();
  let current = node;
  while (typeof current?.$ref === 'string') {
    const ref: string = current.$ref;
    if (seen.has(ref)) throw new DocumentError(`$ref "${ref}" is circular`);
    seen.add(ref);
    const target = follow(raw, ref) as RawDocument | undefined;
    if (target === undefined) throw new DocumentError(`$ref "${ref}" points to nothing`);
    current = target;
  }
  return current;
}

/** The part that another leads to; none where it leads nowhere, or back to itself. */
export function resolveQuietly(root: RawDocument, part: RawDocument): RawDocument | undefined {
  try {
    return resolve(root, part);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/**
 * One level of properties out of a schema, its `$ref`s and its `allOf`. Throws {@link
 * DocumentError} on a circle of them.
 */
export function flatten(raw: RawDocument, schema: Schema | undefined): FlatSchema {
  const flat: FlatSchema = { properties: {}, required: [] };
  const folded = new Map<RawDocument, boolean>();
  const add = (node: Schema) => {
    const resolved = resolve(raw, node);
    if (typeof resolved !== 'object' || resolved === null) return;
    if (folded.get(resolved) === false)
      throw new DocumentError('a schema whose allOf contains the schema itself is circular');
    if (folded.has(resolved)) return;
    folded.set(resolved, false);
    for (const part of resolved.allOf ?? []) add(part);
    Object.assign(flat.properties, resolved.properties);
    flat.required.push(...(resolved.required ?? []));
    folded.set(resolved, true);
  };
  if (schema) add(schema);
  return flat;
}

/** The keywords of a schema that hold schemas: one, a list of them, or some by name. */
export const schemaKeywords = {
  one: 'items contains not if then else propertyNames contentSchema additionalProperties unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
} as const;
