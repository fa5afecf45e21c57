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

/** Returns the parts of a text with commas between them, without the blanks around them. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
