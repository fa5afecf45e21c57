import type { Schema } from '../../contracts/description/document.ts';
import { parseInteger } from '../json/exact-json.ts';

/**
 * The id that the service gives to the n-th item: n itself, or a text that holds n where ids are
 * strings.
 */
export function toItemId(n: number, schema: Schema): number | string {
  if (schema.type !== 'string') return n;
  return schema.format === 'uuid'
    ? `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    : String(n);
}

/**
 * The n whose item gets this id from {@link toItemId}; undefined for an id that no item gets from
 * it.
 */
export function toItemNumber(id: string, schema: Schema): number | undefined {
  const isUuid = schema.type === 'string' && schema.format === 'uuid';
  const n = isUuid ? Number.parseInt(id.slice(-12), 16) : parseInteger(id);
  return typeof n === 'number' && n > 0 && String(toItemId(n, schema)) === id ? n : undefined;
}
