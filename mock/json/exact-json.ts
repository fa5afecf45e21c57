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

declare global {
  // Node has both (ECMA-262, JSON.parse source text access); TypeScript does not know them yet.
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): unknown;
  }
}

/**
 * A double holds any number of 15 digits, so one that it cannot hold has more of them, or an
 * exponent.
 */
const mayHoldInexactNumber = /[\d.]{16}|\d[eE]/;
const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const maxDoubleInInt64 = 2 ** 63 - 1024;
/** So many digits are written out, although int64 has but 19. */
const maxDigits = 200;

const maxDoubleWithFraction = 2 ** 52 - 0.5;

/**
 * How many arrays and objects may lie inside each other (RFC 8259 §9): a reviver and others recurse
 * into them.
 */
const maxDepth = 1000;

/** A JSON text is nested too deeply; the message says how deeply it may be. */
export class NestingError extends SyntaxError {
  constructor() {
    super(`at most ${maxDepth.toLocaleString('en')} arrays and objects may lie inside each other`);
  }
}

/** Parses JSON text. Throws a SyntaxError as `JSON.parse` does, and {@link NestingError}. */
export function parseExact(text: string): ExactJson {
  // Two brackets each: most texts are too short to be nested so deeply.
  if (text.length > 2 * maxDepth && isTooDeep(text)) throw new NestingError();
  if (!mayHoldInexactNumber.test(text)) {
    const value: unknown = JSON.parse(text);
    return { value, doubles: value };
  }
  const parse = (convert: (double: number, source: string) => unknown) =>
    JSON.parse(text, (_, parsed, { source = '' }) =>
      typeof parsed === 'number' ? convert(parsed, source) : parsed,
    );
  let differs = false;
  const value = parse((double, source) => {
    const integer = toExactInteger(double, source);
    differs ||= integer === undefined ? toFraction(double) !== double : typeof integer === 'bigint';
    return integer ?? double;
  });
  if (!differs) return { value, doubles: value };
  const doubles = parse((double, source) => {
    const integer = toExactInteger(double, source);
    return integer === undefined ? toFraction(double) : toDouble(integer);
  });
  return { value, doubles };
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
  return false;
}

const quote = 0x22;

/** Where the string ends that begins at a quote; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Writes JSON text, bigints as integers. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner,
  );
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
