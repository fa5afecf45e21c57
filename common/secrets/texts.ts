import { createFinder, minStrong } from './coded.ts';
import { schemeWords } from './names.ts';

/** The length up to which a secret may be an ordinary word, so that only whole words match. */
const maxShort = 7;

/** Fewer characters before `...` may be the beginning of anything. */
const minBeginning = 4;

/** A function that puts something else in the place of secrets. */
export type Hide = (text: string, toMark: (secret: string) => string) => string;

/** Creates a function that finds secrets in texts; those that `standAlone` in no longer word. */
export function createHide(secrets: readonly string[], standAlone = isShort): Hide {
  const find = createFinder(
    secrets.filter(isStrong).map((secret) => ({ secret, standsAlone: standAlone(secret) })),
  );
  const weak = secrets
    .filter((secret) => secret !== '' && !isStrong(secret))
    .map((secret) => [secret, new RegExp(toWholeValue(secret), 'gi')] as const);
  return (text, toMark) => {
    let [result, done] = ['', 0];
    for (const { secret, start, end } of find(text)) {
      if (isMemberName(text.slice(start, end), text, start)) continue;
      if (start >= done) result += text.slice(done, start) + toMark(secret);
      done = Math.max(done, end);
    }
    return weak.reduce(
      (left, [secret, whole]) =>
        left.replace(whole, (found, at: number) =>
          isMemberName(found, left, at) ? found : toMark(secret),
        ),
      result + text.slice(done),
    );
  };
}

/** A text without what is left of a secret where it was cut, be it by its last character alone. */
function hideCut(text: string, secret: string, mark: string): string {
  const almost = secret.slice(0, isShort(secret) ? undefined : -1);
  const last = secret.slice(almost.length);
  const isThere = text.toLowerCase().includes(almost.toLowerCase());
  // What is whole still is the name of a member.
  const rest = last && `(?!${RegExp.escape(last)})`;
  const left = isThere
    ? text.replace(new RegExp(RegExp.escape(almost) + rest, 'gi'), (found, at: number) =>
        isMemberName(found, text, at) ? found : mark,
      )
    : text;
  return left
    .split(/(?= ?\.\.\.)/)
    .map((part, at, parts) => {
      const isEnd = at === parts.length - 1;
      const least = isEnd ? Math.max(maxShort + 1, secret.length / 2) : minBeginning;
      const length = endingWith(part.toLowerCase(), secret.toLowerCase(), least);
      return length === 0 ? part : part.slice(0, -length) + mark;
    })
    .join('');
}

/** Whether a secret is long enough to be looked for anywhere. */
export function isStrong(secret: string): boolean {
  return secret.length >= minStrong;
}

const quote = '(?:["\']|%2[27]|&quot;|&#0*3[49];)';
const nameOfUser = '\\buser(?:[-_. ]?name)?|\\blogin';

/**
 * Returns a pattern for a whole value: a quoted text that is no user name, a number in JSON, a
 * parameter, or a whole text or line after a credential's scheme.
 */
function toWholeValue(secret: string): string {
  const escaped = RegExp.escape(secret);
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(secret);
  const number = isNumber ? escaped : '(?!)';
  return [
    `(?<!(?:${nameOfUser})\\\\*["']\\s*:\\s*\\\\*["'])(?<=${quote})${escaped}(?=\\\\*${quote})`,
    // A number of JSON, and the value of a line such as that of a header.
    `(?<!(?:${nameOfUser})\\\\*["']\\s*:\\s*)(?<=["']\\s*:\\s*|\\[\\s*|,\\s*)${number}(?=\\s*[,\\]}])`,
    `(?<!(?:${nameOfUser}):\\s*)(?<=[\\w-]:\\s*(?:(?:${schemeWords})\\s+)?)${escaped}(?=\\s*(?:$|[\\r\\n]|\\\\*["']|\\\\[rn]))`,
    `(?<!(?:${nameOfUser})=)(?<==)${escaped}(?=$|[\\s"'&;,#])`,
    `(?<=^(?:(?:${schemeWords})\\s+)?)${escaped}$`,
  ].join('|');
}

/** Whether a word is the whole name of a member of JSON, which says nothing of a secret. */
function isMemberName(found: string, text: string, at: number): boolean {
  const isWord = !isStrong(found) || /^[a-z_]{1,20}$/i.test(found);
  if (!isWord || !/[{,](?:\s|\\+[nrt])*\\*"$/.test(text.slice(Math.max(0, at - maxDistance), at)))
    return false;
  return /^\\*["']\s*:/.test(text.slice(at + found.length, at + found.length + maxDistance));
}

/** How far the colon, or what is before the quote, may be from the name of a member. */
const maxDistance = 200;

/** How many characters of the beginning of a secret a text ends with; 0 where too few. */
function endingWith(text: string, secret: string, least: number): number {
  for (let length = Math.min(secret.length, text.length); length >= least; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Which secrets are words, and what stands in the place of all. */
export type RedactorOptions = { isWord?: (secret: string) => boolean; mark?: string };

/**
 * Gives a function that puts a mark in the place of secrets: whole or cut off, in any case and
 * however they are coded; of those that are words, where they are no part of a longer one.
 */
export function createRedactor(
  secrets: readonly string[],
  { isWord = () => false, mark = '$KEY' }: RedactorOptions = {},
): (text: string) => string {
  const hide = createHide([...new Set(secrets)], isWord);
  const long = secrets.filter((secret) => isStrong(secret) && !isWord(secret));
  return (text) =>
    long.reduce(
      (left, secret) => hideCut(left, secret, mark),
      hide(text, () => mark),
    );
}

/** Whether a secret is so short that it may be a part of any word. */
export function isShort(secret: string): boolean {
  return secret.length <= maxShort;
}
