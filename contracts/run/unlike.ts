import type { Schema } from '../description/document.ts';

/** What is replaced, the first of these that a text has enough of: few letters may be a code. */
const kinds = [
  { signs: /[0-9]/g, alphabet: '0123456789', least: 3 },
  { signs: /[a-z]/g, alphabet: 'abcdefghijklmnopqrstuvwxyz', least: 5 },
  { signs: /[A-Z]/g, alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', least: 5 },
];

/** How many of them are replaced. */
const most = 8;

/**
 * A text of the same form as another one, with other digits at its end, or, where it has few, other
 * letters; undefined where that does not fit the schema. Each number gives another text, as far as
 * there are that many.
 */
export function unlike(
  sample: string,
  { format, pattern }: Schema,
  number: number,
): string | undefined {
  if (format !== undefined && format !== 'email') return undefined;
  const end = format === 'email' ? sample.lastIndexOf('@') : sample.length;
  const placesOf = (one: RegExp) => [...sample.slice(0, Math.max(0, end)).matchAll(one)];
  const kind = kinds.find(({ signs, least }) => placesOf(signs).length >= least);
  if (!kind) return undefined;
  const { alphabet } = kind;
  const places = placesOf(kind.signs)
    .slice(-most)
    .map(({ index }) => index);
  const signs = sample.split('');
  let left = number;
  for (const place of places.toReversed()) {
    signs[place] = alphabet[left % alphabet.length] as string;
    left = Math.floor(left / alphabet.length);
  }
  const text = signs.join('');
  const fits = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
  return fits ? text : undefined;
}
