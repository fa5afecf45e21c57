import { readExact } from './json-text.ts';

/** Parses JSON; an integer that a double cannot hold is a bigint. Undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return readExact(text);
  } catch {
    return undefined;
  }
}

/** The members of a JSON object or array, by name; undefined where a value has none. */
export function membersOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Writes JSON, bigints as integers. */
export function toJson(value: unknown, indent?: number): string {
  if (typeof value === 'bigint') return String(value);
  try {
    // A replacer makes it several times slower, and few values hold a bigint, which throws.
    return JSON.stringify(value, undefined, indent) ?? 'nothing';
  } catch {
    return JSON.stringify(value, (_, inner) => withRawInteger(inner), indent);
  }
}

/** Whether two JSON values are the same, large integers to the digit. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || toJson(left) === toJson(right);
}

function withRawInteger(value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
}

/**
 * The value with bigints as doubles, and names without halves of surrogate pairs, for libraries
 * that know no others.
 */
export function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDoubles);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), withDoubles(inner)]),
  );
}
