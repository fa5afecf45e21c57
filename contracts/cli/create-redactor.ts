import { createSecretFinder } from './secret-forms.ts';

/**
 * Gives a function that puts `$KEY` in the place of keys: whole or cut off, in any case and coding;
 * and in the place of `words`, which are secrets too, where they are no part of a longer word.
 */
export function createRedactor(
  secrets: readonly string[],
  words: readonly string[] = [],
): (text: string) => string {
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length);
  const finders = [
    ...longestFirst.map((secret) => createSecretFinder(secret, { standsAlone: false })),
    ...words.map((word) => createSecretFinder(word, { standsAlone: true })),
  ];
  const basic = toPattern(longestFirst.map(toBasic));
  const cut = toPattern(longestFirst.flatMap(cutForms));
  return (text) =>
    finders
      .reduce(
        (left, { replace }) => replace(left, () => '$KEY'),
        text.replace(basic, () => '$KEY'),
      )
      .replace(cut, (found) => (found.endsWith('...') ? '$KEY...' : '$KEY'));
}

/** Finds any of some texts, the longest first; nothing where there are none. */
function toPattern(texts: readonly string[]): RegExp {
  const longestFirst = texts.toSorted((left, right) => right.length - left.length);
  return new RegExp(longestFirst.map(RegExp.escape).join('|') || '(?!)', 'gi');
}

/** A key as the user of Basic credentials without a password. */
function toBasic(secret: string): string {
  return Buffer.from(`${secret}:`).toString('base64').replace(/=+$/, '');
}

/** What is left of a secret where a text was cut: all but its last character, or a beginning. */
function cutForms(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    toBasic(secret),
  ];
  return forms.flatMap((form) => [
    ...(form.length < 8 ? [] : [form.slice(0, -1)]),
    ...Array.from(
      { length: Math.max(0, form.length - 4) },
      (_, index) => `${form.slice(0, index + 4)}...`,
    ),
  ]);
}
