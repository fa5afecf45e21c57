/**
 * The text as a pattern that matches it and nothing else, within any pattern: what `RegExp.escape`
 * of Node 24 gives, which is not in Node 22.
 */
export function escapePattern(text: string): string {
  return text.replace(
    /^[\da-z]|\W/gi,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
