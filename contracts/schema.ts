/** A JSON Schema (2020-12) as the document holds it; `$ref`s are not followed. */
export type Schema = { readonly [keyword: string]: unknown };

/** The properties of an object schema, with `$ref` and `allOf` folded into one level. */
export type FlatSchema = { properties: Record<string, Schema>; required: string[] };

// biome-ignore lint/suspicious/noExplicitAny: a parsed document has no shape until it is read.
export type RawDocument = Record<string, any>;

/** The document cannot be used; the message says what is wrong with which file. */
export class DocumentError extends Error {}

/** Follows local `$ref`s until a node that is none. Throws {@link DocumentError} on a dead or circular one. */
export function resolve(raw: RawDocument, node: RawDocument): RawDocument {
  const seen = new Set<string>();
  let current = node;
  while (typeof current?.$ref === 'string') {
    const ref = current.$ref;
    if (seen.has(ref) || !ref.startsWith('#/')) throw new DocumentError(`$ref "${ref}" leads nowhere`);
    seen.add(ref);
    const target = ref
      .slice(2)
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<RawDocument | undefined>((parent, key) => parent?.[key], raw);
    if (target === undefined) throw new DocumentError(`$ref "${ref}" leads nowhere`);
    current = target;
  }
  return current;
}

/** One level of properties out of a schema, its `$ref`s and its `allOf`. */
export function flatten(raw: RawDocument, schema: Schema | undefined): FlatSchema {
  const flat: FlatSchema = { properties: {}, required: [] };
  const add = (node: Schema, depth: number) => {
    const resolved = resolve(raw, node);
    if (depth < 20) for (const part of resolved.allOf ?? []) add(part, depth + 1);
    Object.assign(flat.properties, resolved.properties);
    flat.required.push(...(resolved.required ?? []));
  };
  if (schema) add(schema, 0);
  return flat;
}
