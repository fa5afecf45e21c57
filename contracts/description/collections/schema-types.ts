import { type RawDocument, resolve, type Schema } from '../schema.ts';

/** The types that a schema names, besides `null`. */
export function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat().filter((one): one is string => one !== 'null');
}

/** Whether a value may be null. */
export function isNullable(raw: RawDocument, node: Schema): boolean {
  const schema = resolve(raw, node);
  if (typeof schema !== 'object' || schema === null) return false;
  if ([schema.type].flat().includes('null') || schema.const === null) return true;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((one: Schema) =>
    isNullable(raw, one),
  );
}

/** A schema, its `$ref` followed; of alternatives the first that is not null. */
export function objectAlternative(
  raw: RawDocument,
  node: Schema,
  depth = 0,
): RawDocument | undefined {
  const schema = resolve(raw, node);
  if (typeof schema !== 'object' || schema === null || depth > 5) return undefined;
  const isPlain = schema.properties || schema.allOf || schema.items;
  const alternatives: Schema[] | undefined = isPlain ? undefined : (schema.oneOf ?? schema.anyOf);
  if (!Array.isArray(alternatives)) return schema;
  return alternatives
    .values()
    .map((one) => objectAlternative(raw, one, depth + 1))
    .find((one) => one !== undefined && one.type !== 'null');
}
