/*
 * JSON: reads and writes it exactly, asks of its values, and looks at what is not parsed, because it
 * is cut or broken, or to tell beforehand what parsing takes. Node and browsers run it.
 */

declare global {
  // Node and browsers have both (ECMA-262, JSON.parse source text access); TypeScript does not know
  // them yet.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON has no shape until it is read.
export type JsonObject = Record<string, any>;

/** The members of an object of JSON, which stays as it is. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells whether a value of JSON is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value of JSON is a text. */
export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value of JSON has no parts, and is not null. */
export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** Whether a value of JSON is a number; an integer that a double cannot hold is a bigint. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
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

/** Finds the end of the string that begins at a quote; the end of the text if the string is cut. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Calls `visit` with each match of a global pattern that is in no string, and with each opening
 * quote, from its `lastIndex` on, until it gives false.
 */
function scan(text: string, pattern: RegExp, visit: (found: string, at: number) => unknown): void {
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [mark] = found;
    if (visit(mark, found.index) === false) return;
    if (mark === '"') pattern.lastIndex = endOfString(text, found.index) + 1;
  }
}

/**
 * Calls `visit` with how deep arrays and objects lie within each other at each bracket of the first
 * value from a place on, and with the place, until it gives false.
 */
export function scanDepth(
  text: string,
  visit: (depth: number, at: number) => unknown,
  start = 0,
): void {
  const bracket = /["[\]{}]/g;
  bracket.lastIndex = start;
  let depth = 0;
  scan(text, bracket, (mark, at) => {
    if (mark === '"') return true;
    depth += mark === '{' || mark === '[' ? 1 : -1;
    return visit(depth, at);
  });
}

const scalar = /-?\d[\d.eE+-]*|true|false|null/y;

/** Finds the end of the value that begins at a place; the end of the text if the value is cut. */
export function endOfValue(text: string, start: number): number {
  const opening = text[start];
  if (opening === '"') return Math.min(endOfString(text, start) + 1, text.length);
  if (opening !== '{' && opening !== '[') {
    scalar.lastIndex = start;
    return scalar.test(text) ? scalar.lastIndex : start;
  }
  let end = text.length;
  const isWithin = (depth: number, at: number) => {
    if (depth === 0) end = at + 1;
    return depth > 0;
  };
  scanDepth(text, isWithin, start);
  return end;
}

/**
 * Parses JSON; an integer that a double cannot hold is a bigint. Throws a SyntaxError as `JSON.parse`
 * does. A reviver would be called for every value, which takes 36 s for 21 MiB of short numbers.
 */
export function readExact(text: string): unknown {
  const plain: unknown = JSON.parse(text);
  if (!mayHoldInexactNumber(text)) return plain;
  // Nobody can guess it, so no other text begins with it.
  const mark = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const marked = rewriteNumbers(text, (source) => {
    const integer = toExactInteger(source);
    return typeof integer === 'bigint' ? `"${mark}:${integer}"` : undefined;
  });
  return marked === undefined ? plain : toBigints(JSON.parse(marked), `${mark}:`);
}

/** Puts bigints in place of the texts that begin with a mark, in the value itself. */
function toBigints(value: unknown, mark: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = toBigints(value[at], mark);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const exact = toBigints(fields[name], mark);
    if (exact !== fields[name]) fields[name] = exact;
  }
  return fields;
}

/**
 * Whether a JSON text may hold a number that a double cannot: a double holds any number of 15
 * digits, so such a number has more of them, or an exponent.
 */
export function mayHoldInexactNumber(text: string): boolean {
  return /[\d.]{16}|\d[eE]/.test(text);
}

/** So many digits are written out, although int64 has but 19. */
const maxDigits = 200;

/**
 * The integer that a number's text stands for, to the digit; undefined for a fraction, and for what
 * no double reaches.
 */
export function toExactInteger(source: string): number | bigint | undefined {
  const double = Number(source);
  if (!Number.isInteger(double)) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = whole + fraction;
  const cut = whole.length + Number(exponent);
  if (/[1-9]/.test(digits.slice(Math.max(cut, 0)))) return undefined;
  // Far outside int64 the digits do not matter, and a short text can stand for very many of them.
  if (Number.isSafeInteger(double) || cut > maxDigits) return double;
  return BigInt(sign + digits.slice(0, cut).padEnd(cut, '0'));
}

/**
 * A valid JSON text with other texts in place of some of its numbers: `replace` is called for each
 * number that a double may not hold. Undefined where it replaces none.
 */
function rewriteNumbers(
  text: string,
  replace: (source: string) => string | undefined,
): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  scanInexactNumbers(text, (source, at) => {
    const replacement = replace(source);
    if (replacement === undefined) return;
    parts.push(text.slice(copied, at), replacement);
    copied = at + source.length;
  });
  return copied === 0 ? undefined : parts.join('') + text.slice(copied);
}

/** Visits each number of a valid JSON text that a double may not hold, and its index. */
export function scanInexactNumbers(
  text: string,
  visit: (source: string, at: number) => void,
): void {
  scan(text, /"|-?\d[\d.eE+-]*/g, (source, at) => {
    if (mayHoldInexactNumber(source)) visit(source, at);
  });
}

/** Writes JSON text, bigints as integers. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    // A replacer takes several times as long, and few values have bigints, which throw.
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(
    value,
    (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner),
    indent,
  );
}
