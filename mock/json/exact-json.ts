import {
  define,
  type Fields,
  mayHoldInexactNumber,
  readExact,
  scanDepth,
  scanInexactNumbers,
} from '../../common/json.ts';
import type { ValueForm } from '../../openapi/index.ts';
import { uuid } from '../../openapi/model/id-form.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const maxDoubleInInt64 = 2 ** 63 - 1024;

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

/** A JSON text has a number that no double reaches (RFC 8259 §6). */
export class NumberRangeError extends SyntaxError {
  constructor(source: string) {
    const shown = source.length > 20 ? `${source.slice(0, 20)}...` : source;
    super(`the number ${shown} is beyond the range of a 64-bit floating-point number`);
  }
}

/**
 * Parses JSON text, in a time that grows with its length alone. Integers are exact (RFC 8259 §6
 * leaves their precision to us): one that a double cannot hold is a bigint, and its digits on the way
 * out. Throws a SyntaxError as `JSON.parse` does, {@link NestingError} and {@link NumberRangeError}.
 */
export function parseExact(text: string): unknown {
  // Two brackets each: most texts are too short to exceed the bound.
  if (text.length > 2 * maxDepth) refuseDeep(text);
  if (!mayHoldInexactNumber(text)) return JSON.parse(text);
  const value = readExact(text);
  scanInexactNumbers(text, (source) => {
    if (!Number.isFinite(Number(source))) throw new NumberRangeError(source);
  });
  return value;
}

/** The same; undefined of a text that is no JSON, or is nested too deeply. */
export function parseQuietly(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** The arrays and objects with exact numbers, by those with doubles. */
const exactOf = new WeakMap<object, Fields>();

/**
 * Returns a value as a validator sees it that knows doubles only: integers inside int64 become a
 * double inside it, and those outside one outside. What holds no bigint is the very same.
 */
export function toDoubles(exact: unknown): unknown {
  if (typeof exact === 'bigint') return toDouble(exact);
  if (typeof exact !== 'object' || exact === null) return exact;
  let copy: Record<string | number, unknown> | undefined;
  const note = (key: string | number, inner: unknown) => {
    const double = toDoubles(inner);
    if (double === inner) return;
    copy ??= (Array.isArray(exact) ? [...exact] : { ...exact }) as Record<string, unknown>;
    define(copy, `${key}`, double);
  };
  if (Array.isArray(exact)) for (const [index, inner] of exact.entries()) note(index, inner);
  else for (const key in exact) note(key, (exact as Fields)[key]);
  if (copy) exactOf.set(copy, exact as Fields);
  return copy ?? exact;
}

/** Returns the exact number of a double of {@link toDoubles}, by the member that it is. */
export function toExact(
  double: number,
  { parentData, parentDataProperty }: { parentData: object; parentDataProperty: string | number },
): number | bigint {
  const exact = exactOf.get(parentData)?.[parentDataProperty];
  return typeof exact === 'bigint' ? exact : double;
}

function refuseDeep(text: string): void {
  scanDepth(text, (depth) => {
    if (depth > maxDepth) throw new NestingError();
  });
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

/** The number that a text is, if that number is written so; undefined for `1.50` or any other text. */
export function parseNumber(text: string): number | bigint | undefined {
  const double = Number(text);
  return parseInteger(text) ?? (String(double) === text ? double : undefined);
}

/** A double on the same side of the int64 bounds. */
function toDouble(integer: number | bigint): number {
  if (typeof integer === 'number') return integer;
  if (integer > int64Max) return 1e30;
  if (integer < int64Min) return -1e30;
  return Math.min(Number(integer), maxDoubleInInt64);
}

/** Whether an integer lies inside int64. */
export function isInt64(integer: number | bigint): boolean {
  const double = toDouble(integer);
  return double >= -(2 ** 63) && double < 2 ** 63;
}

declare const brand: unique symbol;

/**
 * Bytes as a text, each as the character of its number; of what is ASCII, the text itself. It is
 * sent as it is, where another text may have to be encoded a character at a time, and a small one
 * takes far less than a small Buffer.
 */
export type ByteText = string & { readonly [brand]: true };

/** No bytes. */
export const noBytes = '' as ByteText;

/** The UTF-8 of a text. */
export function toByteText(text: string): ByteText {
  return (
    Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
  ) as ByteText;
}

/** The text whose UTF-8 it is; what is none becomes U+FFFD. */
export function toText(bytes: ByteText): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/**
 * Returns the one text of a value that may be written in several ways, as `2.50` is 2.5; the value as
 * text if it has no such form.
 */
export function toComparable(value: unknown, form: ValueForm | undefined): string {
  const text = String(value);
  return (form && texts[form](text)) ?? text;
}

/**
 * Returns the text by which stores know an id, wherever it stands: a UUID in lower case, as its case
 * makes no difference (RFC 9562 §4).
 */
export function toIdText(id: unknown): string {
  const text = String(id);
  return text.length === uuidLength && uuid.test(text) ? text.toLowerCase() : text;
}

const uuidLength = 36;

const texts: Readonly<Record<ValueForm, (text: string) => string | undefined>> = {
  number(text) {
    if (/^-?\d+$/.test(text)) return String(BigInt(text));
    return /^-?\d/.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : undefined;
  },
  instant(text) {
    const [, fraction = ''] = dateTime.exec(text) ?? [];
    const seconds = dateTime.test(text) ? Date.parse(text.replace(/\.\d+/, '')) : Number.NaN;
    if (Number.isNaN(seconds)) return undefined;
    const digits = fraction.replace(/0+$/, '');
    const written = digits === '' ? '' : `.${digits.padEnd(3, '0')}`;
    return new Date(seconds).toISOString().replace('.000', written);
  },
  uuid: (text) => text.toLowerCase(),
};

/** A date and time as in RFC 3339 §5.6, and the fraction of its second. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/i;
