import { randomUUID } from 'node:crypto';
import { mayHoldInexactNumber } from './exact-integers.ts';
import { findExceeded, rewriteNumbers } from './json-text.ts';

/**
 * JSON whose integers are exact (RFC 8259 §6 leaves their precision to us): one that a double
 * cannot hold is a bigint on the way in and its digits on the way out.
 */
export type ExactJson = {
  /** The value, large integers as bigints. */
  value: unknown;
  /**
   * The value for a validator that knows doubles only. The same object as `value` unless the text
   * holds numbers that a double cannot: integers inside int64 become a double inside it, those
   * outside one outside, and a fraction stays one.
   */
  doubles: unknown;
};

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const maxDoubleInInt64 = 2 ** 63 - 1024;
/** So many digits are written out, although int64 has but 19. */
const maxDigits = 200;

const maxDoubleWithFraction = 2 ** 52 - 0.5;

/**
 * How many arrays and objects may lie inside each other (RFC 8259 §9): validators and others recurse
 * into them.
 */
export const maxDepth = 1000;

/** A JSON text is nested too deeply; the message says how deeply it may be. */
export class NestingError extends SyntaxError {
  constructor() {
    super(`at most ${maxDepth.toLocaleString('en')} levels of arrays and objects are allowed`);
  }
}

/** How many numbers may be exact that a double cannot hold: each takes a microsecond or two. */
const maxInexact = 500_000;

/** How many values there may be: `JSON.parse` takes up to two seconds for them. */
const maxValues = 8_000_000;

/** What a text may hold, see findExceeded. */
export const jsonBounds = { depth: maxDepth, values: maxValues } as const;

/** A JSON text holds too much to be read in time; the message says how much it may hold. */
export class JsonSizeError extends SyntaxError {}

/**
 * Parses JSON text, in a time that grows with its length alone. Throws a SyntaxError as
 * `JSON.parse` does, {@link NestingError} and {@link JsonSizeError}.
 */
export function parseExact(text: string): ExactJson {
  // Two brackets each: most texts are too short to exceed either bound.
  if (text.length > 2 * maxDepth) {
    const exceeded = findExceeded(text, jsonBounds);
    if (exceeded) throw exceededError(exceeded);
  }
  return parsePart(text, { count: 0 });
}

/**
 * Parses JSON text that is known to be within the bounds, or a part of it; `inexact` counts the
 * numbers of all parts that a double cannot hold.
 */
export function parsePart(text: string, inexact: { count: number }): ExactJson {
  if (!mayHoldInexactNumber(text)) {
    const value: unknown = JSON.parse(text);
    return { value, doubles: value };
  }
  const plain: unknown = JSON.parse(text);
  const withDoubles = rewriteInexact(text, inexact, (source) => {
    const double = Number(source);
    const integer = toExactInteger(double, source);
    if (integer !== undefined) return typeof integer === 'bigint' ? toDouble(integer) : undefined;
    const fraction = toFraction(double);
    return fraction === double ? undefined : fraction;
  });
  if (withDoubles === undefined) return { value: plain, doubles: plain };
  // Nobody can guess it, so no other text begins with it.
  const mark = randomUUID();
  const withMarks = rewriteNumbers(text, (source) => {
    const integer = toExactInteger(Number(source), source);
    return typeof integer === 'bigint' ? `"${mark}${integer}"` : undefined;
  });
  const value = withMarks === undefined ? plain : toBigints(JSON.parse(withMarks), mark);
  return { value, doubles: JSON.parse(withDoubles) };
}

/** The error of a text that exceeds a bound. */
export function exceededError(bound: keyof typeof jsonBounds): NestingError | JsonSizeError {
  return bound === 'depth'
    ? new NestingError()
    : new JsonSizeError(`at most ${maxValues.toLocaleString('en')} values are allowed`);
}

/** Throws {@link JsonSizeError}. */
function rewriteInexact(
  text: string,
  inexact: { count: number },
  toOther: (source: string) => number | undefined,
): string | undefined {
  return rewriteNumbers(text, (source) => {
    const other = toOther(source);
    if (other !== undefined && ++inexact.count > maxInexact)
      throw new JsonSizeError(
        `at most ${maxInexact.toLocaleString('en')} numbers that a double cannot hold are allowed`,
      );
    return other === undefined ? undefined : String(other);
  });
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
 * A decimal integer as written in a URL, or undefined for any other text (`01`, `-0`, `+1`, `1.0`,
 * `1e1`, ` 1`).
 */
export function parseInteger(text: string): number | bigint | undefined {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return undefined;
  const double = Number(text);
  return Number.isSafeInteger(double) ? double : BigInt(text);
}

/** A double on the same side of the int64 bounds. */
export function toDouble(integer: number | bigint): number {
  if (typeof integer === 'number') return integer;
  if (integer > int64Max) return 1e30;
  if (integer < int64Min) return -1e30;
  return Math.min(Number(integer), maxDoubleInInt64);
}

/** Whether a double lies inside int64. */
export function isInt64(double: number): boolean {
  return double >= -(2 ** 63) && double < 2 ** 63;
}

/**
 * The integer that a number's text stands for, to the digit; undefined for a fraction, and for what
 * no double reaches.
 */
function toExactInteger(double: number, source: string): number | bigint | undefined {
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

/** A double that is no integer, for a fraction that lies too close to one. */
function toFraction(double: number): number {
  if (!Number.isInteger(double)) return double;
  return Math.min(Math.max(double + 0.5, -maxDoubleWithFraction), maxDoubleWithFraction);
}
