import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';

/**
 * The stored form of the body of a fault: JSON text, because a parsed value takes many times its
 * memory.
 */
export function toFaultText(body: unknown): ByteText {
  return toByteText(stringifyExact(body));
}

/** The body of a fault as the client sent it. */
export function toFaultBody(text: string | undefined): unknown {
  return text === undefined ? undefined : parseExact(toText(text as ByteText)).value;
}
