/*
 * JSON text: reads and writes it exactly, and looks at what is not parsed, because it is cut or
 * broken, or to tell beforehand what parsing takes. Node and browsers run it, and both programs.
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

/** What stands between values, and what opens them, by the codes of their characters. */
export const marks = {
  quote: 0x22,
  comma: 0x2c,
  bracket: 0x5b,
  bracketEnd: 0x5d,
  brace: 0x7b,
  braceEnd: 0x7d,
} as const;

const { quote, bracket, bracketEnd, brace, braceEnd } = marks;
const minus = 0x2d;

const isMark = new Uint8Array(128);
for (const mark of Object.values(marks)) isMark[mark] = 1;

/** Where the string ends that begins at a quote; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Calls `visit` with each mark from `start` on: the opening quotes of strings, and what is in no
 * string. Stops at `end`, or behind a string that began before it, or where `visit` gives false.
 * Gives the place behind, which is beyond the text after a string that does not end.
 */
export function scanJson(
  text: string,
  visit: (mark: number, at: number) => unknown,
  { start = 0, end = text.length } = {},
): number {
  let at = start;
  for (; at < end; at++) {
    const mark = text.charCodeAt(at);
    if (isMark[mark] !== 1) continue;
    if (visit(mark, at) === false) return at + 1;
    if (mark === quote) at = endOfString(text, at);
  }
  return at;
}

const scalar = /-?\d[\d.eE+-]*|true|false|null/y;

/** Where the value ends that begins at a place, or the text if that is cut. */
export function endOfValue(text: string, start: number): number {
  const opening = text[start];
  if (opening === '"') return Math.min(endOfString(text, start) + 1, text.length);
  if (opening !== '{' && opening !== '[') {
    scalar.lastIndex = start;
    return scalar.test(text) ? scalar.lastIndex : start;
  }
  let depth = 0;
  const isWithin = (mark: number) => {
    if (mark === brace || mark === bracket) depth += 1;
    else if (mark === braceEnd || mark === bracketEnd) depth -= 1;
    return depth > 0;
  };
  return Math.min(scanJson(text, isWithin, { start }), text.length);
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
export function rewriteNumbers(
  text: string,
  replace: (source: string) => string | undefined,
): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    if (!isDigit(char)) continue;
    const start = at > 0 && text.charCodeAt(at - 1) === minus ? at - 1 : at;
    const { end, isExact } = readNumber(text, start);
    const replacement = isExact ? undefined : replace(text.slice(start, end));
    if (replacement !== undefined) {
      parts.push(text.slice(copied, start), replacement);
      copied = end;
    }
    at = end - 1;
  }
  return copied === 0 ? undefined : parts.join('') + text.slice(copied);
}

/** A double holds each number of so many digits. */
const digitsOfDouble = 15;

/**
 * Where a number ends that begins at a place, and whether it is known that a double holds it: any
 * number of 15 digits that lies neither near the limits of doubles nor beyond 15 digits.
 */
function readNumber(text: string, start: number): { end: number; isExact: boolean } {
  let end = start;
  while (isOfFraction(text.charCodeAt(end))) end += 1;
  const digits = end - start;
  if ((text.charCodeAt(end) | 0x20) !== 0x65) return { end, isExact: digits <= digitsOfDouble };
  end += 1;
  const isNegative = text.charCodeAt(end) === minus;
  if (!isDigit(text.charCodeAt(end))) end += 1;
  let exponent = 0;
  for (; isDigit(text.charCodeAt(end)); end++)
    exponent = exponent * 10 + text.charCodeAt(end) - 0x30;
  const isNear = isNegative ? exponent < 200 : digits + exponent <= digitsOfDouble;
  return { end, isExact: digits <= digitsOfDouble && isNear };
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

/** Whether a character belongs to a number before its exponent. */
function isOfFraction(char: number): boolean {
  return isDigit(char) || char === 0x2e || char === minus;
}

/** Writes JSON text, bigints as integers. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    // A replacer takes several times as long, and few values have bigints.
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
