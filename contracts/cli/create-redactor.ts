/** What may stand before a word and ends in a letter all the same: an escape. */
const escapeBefore = '(?<=%[\\da-f]{2}|\\\\u[\\da-f]{4}|\\\\[bfnrt])';

/**
 * Gives a function that puts `$KEY` in the place of keys: whole, cut off, in another case or form;
 * and in the place of `words`, which are secrets too, where they are no part of a longer word.
 */
export function createRedactor(
  secrets: readonly string[],
  words: readonly string[] = [],
): (text: string) => string {
  const forms = secrets
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      toBase64(secret),
    ])
    .flatMap((form) => [
      form,
      ...(form.length < 8 ? [] : [form.slice(0, -1)]),
      ...beginnings(form),
    ]);
  const longestFirst = [...new Set(forms)].toSorted((left, right) => right.length - left.length);
  const patterns = [
    ...longestFirst.map((form) => RegExp.escape(form)),
    ...words.map((word) => `(?:(?<![a-z])|${escapeBefore})${RegExp.escape(word)}(?![a-z])`),
  ];
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'gi');
  return (text) => text.replace(pattern, (found) => (found.endsWith('...') ? '$KEY...' : '$KEY'));
}

/** What is left of a text that was cut. */
function beginnings(form: string): string[] {
  return Array.from(
    { length: Math.max(0, form.length - 4) },
    (_, index) => `${form.slice(0, index + 4)}...`,
  );
}

function toBase64(secret: string): string {
  return Buffer.from(`${secret}:`).toString('base64').replace(/=+$/, '');
}
