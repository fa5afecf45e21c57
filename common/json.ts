import { readExact, stringifyExact } from './json-text.ts';

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON has no shape until it is read.
export type JsonObject = Record<string, any>;

/** Tells whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value of JSON has no parts, and is not null. */
export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** The type of a value, as JSON Schema names it but for integers. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

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

/** Sets an own member, also one called `__proto__`. */
export function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Writes JSON, bigints as integers. */
export function toJson(value: unknown, indent?: number): string {
  return stringifyExact(value, indent) ?? 'nothing';
}

/** Whether two JSON values are the same, large integers to the digit. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || toJson(left) === toJson(right);
}

/** Returns the values that are there more than once. */
export function repeatedIn<T>(values: readonly T[]): Set<T> {
  const seen = new Set<T>();
  return new Set(values.filter((one) => seen.size === seen.add(one).size));
}

/** The plain values in a value at any depth, with the name of the member that has each or its list. */
export function leavesIn(value: unknown, name = ''): [leaf: unknown, name: string][] {
  const members = membersOf(value);
  if (!members) return [[value, name]];
  return Object.entries(members).flatMap(([key, one]) =>
    leavesIn(one, Array.isArray(value) ? name : key),
  );
}

/** A value with others in place of the plain values in it, at any depth, and of the names there. */
export function mapLeaves(
  value: unknown,
  change: (leaf: unknown, name: string) => unknown,
  toName = (name: string) => name,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change, toName, name));
  if (!isObject(value)) return change(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [toName(key), mapLeaves(one, change, toName, key)]),
  );
}

/**
 * The value with bigints as doubles, and names without halves of surrogate pairs, for libraries
 * that know no others.
 */
export function withDoubles(value: unknown): unknown {
  const toDouble = (leaf: unknown) => (typeof leaf === 'bigint' ? Number(leaf) : leaf);
  return mapLeaves(value, toDouble, (name) => name.toWellFormed());
}
