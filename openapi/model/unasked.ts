import { type Schema, schemaKeywords } from '../schema.ts';

/** Whether a property is only in answers (`readOnly`) or only in requests (`writeOnly`). */
export type Mark = 'readOnly' | 'writeOnly';

/** The properties that a schema requires only of the other direction, by the schema. */
export type UnaskedProperties = ReadonlyMap<unknown, ReadonlySet<string>>;

/** A schema without what it requires and is freed of; its `$ref`s lead where they did. */
export function withoutUnasked(schema: Schema, unasked: UnaskedProperties): Schema {
  const names = unasked.get(schema);
  const copy: Record<string, unknown> = { ...schema };
  if (names && Array.isArray(schema.required))
    copy.required = schema.required.filter((name) => !names.has(name));
  const strip = (inner: unknown) =>
    typeof inner === 'object' && inner !== null ? withoutUnasked(inner as Schema, unasked) : inner;
  for (const keyword of schemaKeywords.one)
    if (keyword in schema) copy[keyword] = strip(schema[keyword]);
  for (const keyword of schemaKeywords.list)
    if (Array.isArray(schema[keyword])) copy[keyword] = schema[keyword].map(strip);
  for (const keyword of schemaKeywords.map)
    if (typeof schema[keyword] === 'object' && schema[keyword] !== null)
      copy[keyword] = Object.fromEntries(
        Object.entries(schema[keyword]).map(([name, inner]) => [name, strip(inner)]),
      );
  return copy;
}
