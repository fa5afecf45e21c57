/**
 * Which bound a JSON text exceeds: of how deep arrays and objects lie inside each other, or of how
 * many values there are, counted as commas, arrays and objects.
 */
export function findExceeded(
  text: string,
  max: { depth: number; values: number },
): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === 0x2c) values += 1;
    else if (char === 0x5b || char === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > max.depth) return 'depth';
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
  return values > max.values ? 'values' : undefined;
}

/**
 * A valid JSON text with other texts in place of some of its numbers: `replace` is called for each
 * number that a double may not hold. Undefined where it replaces none. A reviver of `JSON.parse`
 * would be called for every value, which takes 36 s for 21 MiB of short numbers.
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

/** A double holds each number of so many digits. */
const digitsOfDouble = 15;

const quote = 0x22;
const minus = 0x2d;

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

/** Whether a character belongs to a number before its exponent. */
function isOfFraction(char: number): boolean {
  return isDigit(char) || char === 0x2e || char === minus;
}

/** Where the string ends that begins at a quote; the end of the text where it does not. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
