import type { RawDocument } from '../schema.ts';

/** Whether ids may be 1, 2, 3 and so on, as numbers, as texts or as UUIDs. */
export function isCounted(schema: RawDocument): boolean {
  if (schema.enum || 'const' in schema) return false;
  const types: unknown[] = [schema.type ?? 'string'].flat();
  return types.includes('integer') || types.includes('number')
    ? isCountedNumber(schema)
    : types.includes('string') && isCountedText(schema);
}

function isCountedNumber({
  minimum = 1,
  exclusiveMinimum = 0,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: RawDocument): boolean {
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  return minimum <= 1 && exclusiveMinimum < 1 && max >= 1_000_000 && multipleOf <= 1;
}

function isCountedText({ format, pattern, minLength = 0 }: RawDocument): boolean {
  if (format === 'uuid') return true;
  const isNumber = format === undefined || /^u?int\d+$/.test(format);
  return isNumber && minLength <= 1 && (pattern === undefined || isNumeric(pattern));
}

function isNumeric(pattern: string): boolean {
  try {
    return ['1', '120', '999999'].every((id) => new RegExp(pattern, 'u').test(id));
  } catch {
    return false;
  }
}
