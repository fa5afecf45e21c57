/**
 * JSON whose integers are exact (RFC 8259 §6 leaves their precision to us): one that a double cannot hold is a
 * bigint on the way in and its digits on the way out.
 */
export type ExactJson = {
  /** The value, large integers as bigints. */
  value: unknown;
  /**
   * The value for a validator that knows doubles only. The same object as `value` unless the text holds large integers;
   * those inside int64 become a double inside it, those outside become one outside.
   */
  doubles: unknown;
};

declare global {
  // Node has both (ECMA-262, JSON.parse source text access); TypeScript does not know them yet.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

const mayHoldLargeNumber = /\d{16}|\d[eE]/;
const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
const largestDoubleInInt64 = 2 ** 63 - 1024;

/** Parses JSON text. Throws a SyntaxError as `JSON.parse` does. */
export function parseExact(text: string): ExactJson {
  if (!mayHoldLargeNumber.test(text)) {
    const value: unknown = JSON.parse(text);
    return { value, doubles: value };
  }
  const parse = (convert: (exact: number | bigint) => unknown) =>
    JSON.parse(text, (_, parsed, { source = '' }) =>
      typeof parsed === 'number' ? convert(toExactNumber(parsed, source)) : parsed,
    );
  return { value: parse((exact) => exact), doubles: parse(toDouble) };
}

/** Writes JSON text, bigints as integers. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner));
}

/** A decimal integer as written in a URL, or undefined for any other text (`01`, `+1`, `1.0`, `1e1`, ` 1`). */
export function parseInteger(text: string): number | bigint | undefined {
  if (!/^-?(0|[1-9]\d*)$/.test(text)) return undefined;
  const double = Number(text);
  return Number.isSafeInteger(double) ? double + 0 : BigInt(text);
}

/** A double on the same side of the int64 bounds. */
export function toDouble(integer: number | bigint): number {
  if (typeof integer === 'number') return integer;
  if (integer > int64Max) return 1e30;
  if (integer < int64Min) return -1e30;
  return Math.min(Number(integer), largestDoubleInInt64);
}

/** Whether a double lies inside int64. */
export function isInt64(double: number): boolean {
  return double >= -(2 ** 63) && double < 2 ** 63;
}

function toExactNumber(double: number, source: string): number | bigint {
  if (Number.isSafeInteger(double) || !Number.isFinite(double)) return double;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = whole + fraction;
  if (shift >= 0) return shift > 400 ? double : BigInt(sign + digits + '0'.repeat(shift));
  const cut = digits.length + shift;
  if (cut <= 0 || /[1-9]/.test(digits.slice(cut))) return double;
  return BigInt(sign + digits.slice(0, cut));
}
