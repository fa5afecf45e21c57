import type { RawDocument, Schema } from '../schema.ts';
import { idFormOfText } from './id-form.ts';

/** Whether the service can count ids that fit a schema: as numbers, or as texts of a known form. */
export function isCounted(schema: Schema): boolean {
  if (schema.enum || 'const' in schema) return false;
  const types: unknown[] = [schema.type ?? 'string'].flat();
  return types.includes('integer') || types.includes('number')
    ? isCountedNumber(schema)
    : types.includes('string') && idFormOfText(schema) !== undefined;
}

function isCountedNumber({
  minimum = 1,
  exclusiveMinimum = 0,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: RawDocument): boolean {
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const min = Math.max(minimum, exclusiveMinimum + 1);
  return min <= 1e12 && max >= min + 9_998 && multipleOf <= 1;
}
