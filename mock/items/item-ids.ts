import { idFormOfText } from '../../contracts/description/collections/id-form.ts';
import type { Schema } from '../../contracts/description/document.ts';
import { parseInteger } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';

/**
 * The id that the service gives to the n-th item: n itself, counted from the minimum on where that
 * is greater than 1, or a text of the form that the schema describes.
 */
export function toItemId(n: number, schema: Schema): number | string {
  if (schema.type !== 'string') return n + offsetOf(schema);
  return formOf(schema)?.toText(n) ?? String(n);
}

/**
 * The n whose item gets this id from {@link toItemId}; undefined for an id that no item gets from
 * it.
 */
export function toItemNumber(id: string, schema: Schema): number | undefined {
  const counted = schema.type === 'string' ? formOf(schema)?.toNumber(id) : parseInteger(id);
  if (typeof counted !== 'number') return undefined;
  const n = schema.type === 'string' ? counted : counted - offsetOf(schema);
  return n > 0 && Number.isSafeInteger(n) && String(toItemId(n, schema)) === id ? n : undefined;
}

const formOf = oncePer(idFormOfText);

function offsetOf({ minimum, exclusiveMinimum }: Schema): number {
  if (minimum === undefined && exclusiveMinimum === undefined) return 0;
  const min = Math.max(Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1);
  return Math.max(Math.ceil(min), 1) - 1;
}
