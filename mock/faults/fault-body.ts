import { type ByteText, toByteText, toText } from '../json/byte-text.ts';
import { parseExact, stringifyExact } from '../json/exact-json.ts';

/**
 * The body of a fault as it is stored: JSON text, as a value takes many times the memory of its text.
 */
export function toFaultText(body: unknown): ByteText {
  return toByteText(stringifyExact(body));
}

/** The body of a fault as it was given. */
export function toFaultBody(text: string | undefined): unknown {
  return text === undefined ? undefined : parseExact(toText(text as ByteText)).value;
}
