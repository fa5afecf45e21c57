import { fromFragmentToken } from './json-pointer.ts';

/** A JSON Schema (2020-12) as the document holds it; `$ref`s are not followed. */
export type Schema = { readonly [keyword: string]: unknown };

/** The properties of an object schema, with `$ref` and `allOf` folded into one level. */
export type FlatSchema = { properties: Record<string, Schema>; required: string[] };

// biome-ignore lint/suspicious/noExplicitAny: a parsed document has no shape until it is read.
export type RawDocument = Record<string, any>;

/** The document cannot be used; the message says what is wrong with which file. */
export class DocumentError extends Error {}

/**
 * Follows local `$ref`s until a node that is none. Throws {@link DocumentError} on a dead or
 * circular one.
 */
export function resolve(raw: RawDocument, node: RawDocument): RawDocument {
  const seen = new Set<string>();
  let current = node;
  while (typeof current?.$ref === 'string') {
    const ref = current.$ref;
    if (seen.has(ref)) throw new DocumentError(`$ref "${ref}" is circular`);
    if (!ref.startsWith('#/')) throw new DocumentError(`$ref "${ref}" points to nothing`);
    seen.add(ref);
    const target = ref
      .slice(2)
      .split('/')
      .map(fromFragmentToken)
      .reduce<RawDocument | undefined>((parent, key) => parent?.[key], raw);
    if (target === undefined) throw new DocumentError(`$ref "${ref}" points to nothing`);
    current = target;
  }
  return current;
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

/**
 * Follows every `$ref` and `allOf` once. Throws {@link DocumentError} on one that is dead or
 * circular.
 */
export function checkReferences(raw: RawDocument): void {
  const seen = new Set<unknown>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { $ref, allOf } = node as RawDocument;
    if (typeof $ref === 'string') resolve(raw, node);
    if (Array.isArray(allOf)) flatten(raw, node as Schema);
    for (const child of Object.values(node)) visit(child);
  };
  visit(raw);
}
