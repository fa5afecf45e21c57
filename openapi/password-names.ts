import { isObject } from '../common/json.ts';
import { textOf } from '../common/text-of.ts';
import { walkDocument } from './reading/parts.ts';
import { type RawDocument, resolveQuietly } from './schema.ts';

/** The names of properties, parameters and headers that a document gives the format of passwords. */
export function passwordNamesOf(raw: RawDocument): string[] {
  const names = new Set<string>();
  walkDocument(raw, (part, { kind, key }) => {
    if (!isObject(part)) return;
    const isNamed = kind === 'parameter' || kind === 'header';
    const named = isNamed
      ? [[part.name ?? key, part.schema]]
      : Object.entries(part.properties ?? {});
    if (isNamed || kind === 'schema')
      for (const [name, schema] of named) if (isPassword(raw, schema)) names.add(textOf(name));
  });
  return [...names];
}

/** Whether a schema, or one of the schemas that it is made of, has the format of passwords. */
function isPassword(raw: RawDocument, node: unknown, seen = new Set<unknown>()): boolean {
  const schema = resolveQuietly(raw, node);
  if (!schema || seen.has(schema)) return false;
  seen.add(schema);
  const { format, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [items, ...[allOf, anyOf, oneOf].flat()];
  return format === 'password' || parts.some((part) => isPassword(raw, part, seen));
}
