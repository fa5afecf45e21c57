import type { Resource, Schema } from '../../contracts/description/document.ts';
import { toByteText } from '../json/byte-text.ts';
import { parseInteger, stringifyExact } from '../json/exact-json.ts';
import type { StoredItem } from '../state/store.ts';

/**
 * An item in the form that stores keep: its id first, then the properties that the document
 * describes, in its order. Fields that it does not describe are dropped.
 */
export function toStoredItem(
  resource: Resource,
  fields: Readonly<Record<string, unknown>>,
): StoredItem {
  const { idProperty, item, filters } = resource;
  const kept: Record<string, unknown> = { [idProperty]: fields[idProperty] };
  for (const name in item.properties)
    if (name !== idProperty && Object.hasOwn(fields, name)) kept[name] = fields[name];
  const values: Record<string, string> = {};
  for (const name of filters) if (Object.hasOwn(kept, name)) values[name] = String(kept[name]);
  return {
    id: String(fields[idProperty]),
    json: toByteText(stringifyExact(kept)),
    filters: values,
  };
}

/**
 * The id that the service gives to the n-th item: n itself, or a text that holds n where ids are
 * strings.
 */
export function idOf(n: number, schema: Schema): number | string {
  if (schema.type !== 'string') return n;
  return schema.format === 'uuid'
    ? `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    : String(n);
}

/** The n whose item is given this id by {@link idOf}; undefined for an id that none is given. */
export function numberOf(id: string, schema: Schema): number | undefined {
  const isUuid = schema.type === 'string' && schema.format === 'uuid';
  const n = isUuid ? Number.parseInt(id.slice(-12), 16) : parseInteger(id);
  return typeof n === 'number' && n > 0 && String(idOf(n, schema)) === id ? n : undefined;
}
