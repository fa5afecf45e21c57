type Schema = Readonly<Record<string, unknown>>;

const emptyOf: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
};

/**
 * Returns an empty item with the properties that its schema requires, for people to fill in. The id
 * is assigned.
 */
export function toNewItem(schema: Schema, idProperty?: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const needed = ((schema.required ?? []) as string[]).filter((name) => name !== idProperty);
  return Object.fromEntries(needed.map((name) => [name, toValue(properties[name] ?? {})]));
}

function toValue(schema: Schema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'object') return toNewItem(schema);
  return emptyOf[String([schema.type].flat()[0])] ?? null;
}
