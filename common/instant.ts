/**
 * The instant that a text of a body names, as in RFC 3339 or RFC 9110 §5.6.7, in Unix milliseconds; NaN
 * for any other value, though `Date.parse` takes "Item 5" for a date.
 */
export function toInstant(value: unknown): number {
  const isDate = typeof value === 'string' && /^\d{4}-\d\d|^[A-Z][a-z]{2}, \d/i.test(value);
  return isDate ? Date.parse(value) : Number.NaN;
}

/** An instant in Unix milliseconds as ISO 8601. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
