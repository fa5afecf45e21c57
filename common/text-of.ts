/**
 * Returns a value of a document as a text. It may be an object, and its member `toString` no function;
 * the text is empty then.
 */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '';
  }
}
