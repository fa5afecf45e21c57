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
