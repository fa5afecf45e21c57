import { hideCoded } from './coded.ts';
import { schemeWords } from './names.ts';

/** A secret as short as this may be a word of its own, so only what stands alone is taken for it. */
const maxShort = 7;

/** A shorter secret hides only whole values: it is a part of too many words, and a word itself. */
const minStrong = 6;

/** Fewer characters before `...` may be the beginning of anything. */
const minBeginning = 4;

/** Finds one secret in texts, in the usual codings and in any case. */
export interface SecretFinder {
  /** Whether it may be in a text; much faster than a replacement. */
  mayBeIn(text: SearchedText): boolean;
  replace(text: string, replacement: string): string;
  /** Replaces what is left of it where a text was cut, be it by its last character alone. */
  replaceCut(text: string, replacement: string): string;
}

/** A text made ready to be searched for many secrets: in lower case, as it is and without escapes. */
export type SearchedText = readonly [plain: string, unescaped: string];

/** Makes a text ready to be searched. */
export function toSearchedText(text: string): SearchedText {
  const plain = text.toLowerCase();
  return [plain, /[%\\&]/.test(plain) ? unescaped(plain) : plain];
}

/** What may stand before a word and ends in a letter or a digit all the same: an escape. */
const escapeBefore = '(?<=%[\\da-f]{2}|\\\\u[\\da-f]{4}|\\\\[bfnrt])';

/** The finder of a secret; one that `standsAlone` is not found within a longer word, nor cut. */
export function createSecretFinder(
  secret: string,
  { standsAlone = isShort(secret) } = {},
): SecretFinder {
  standsAlone ||= !isStrong(secret);
  const forms = standsAlone ? [secret] : formsOf(secret);
  const lower = forms.map((form) => form.toLowerCase());
  // A text without escapes has neither backslashes nor what looks like an escape in the secret.
  const bare = lower.flatMap((form) => [form.replaceAll('\\', ''), unescaped(form)]);
  const escaped = toEscapedPattern(secret);
  const pattern = standsAlone
    ? `(?:(?<![\\w.~+-])|${escapeBefore})${escaped}(?![\\w.~+-])`
    : [escaped, ...forms.slice(1).map((form) => RegExp.escape(form))].join('|');
  const whole = new RegExp(isStrong(secret) ? pattern : toWholeValue(escaped), 'gi');
  return {
    mayBeIn: ([plain, withoutEscapes]) =>
      lower.some((form) => plain.includes(form)) ||
      bare.some((form) => withoutEscapes.includes(form)),
    replace: (text, replacement) =>
      text.replace(whole, (found, ...others) => {
        const at = others.find((one) => typeof one === 'number') as number;
        return isMemberName(text, found, at) ? found : replacement;
      }),
    replaceCut(text, replacement) {
      if (standsAlone) return text;
      const almost = secret.slice(0, isShort(secret) ? undefined : -1);
      const last = secret.slice(almost.length);
      const isThere = text.toLowerCase().includes(almost.toLowerCase());
      // What is whole still is the name of a member.
      const rest = last && `(?!${RegExp.escape(last)})`;
      const left = isThere
        ? text.replace(new RegExp(RegExp.escape(almost) + rest, 'gi'), () => replacement)
        : text;
      return left
        .split(/(?= ?\.\.\.)/)
        .map((part, at, parts) => {
          const isEnd = at === parts.length - 1;
          const least = isEnd ? Math.max(maxShort + 1, secret.length / 2) : minBeginning;
          const length = endingWith(part.toLowerCase(), secret.toLowerCase(), least);
          return length === 0 ? part : part.slice(0, -length) + replacement;
        })
        .join('');
    },
  };
}

/** Whether a secret is long enough to be looked for anywhere. */
function isStrong(secret: string): boolean {
  return secret.length >= minStrong;
}

const quote = '(?:["\']|%2[27]|&quot;|&#0*3[49];)';
const nameOfUser = '\\buser(?:[-_. ]?name)?|\\blogin';

/**
 * A pattern for a whole value: a text that is quoted and no name of a user, a parameter, or all of
 * a text but for the scheme of a credential.
 */
function toWholeValue(escaped: string): string {
  return [
    `(?<!(?:${nameOfUser})\\\\*["']\\s*:\\s*\\\\*["'])(?<=${quote})${escaped}(?=\\\\*${quote})`,
    `(?<!(?:${nameOfUser})=)(?<==)${escaped}(?=$|[\\s"'&;,#])`,
    `(?<=^(?:(?:${schemeWords})\\s+)?)${escaped}$`,
  ].join('|');
}

/** Whether a word is the whole name of a member of JSON, which says nothing of a secret. */
function isMemberName(text: string, found: string, at: number): boolean {
  const isWord = !isStrong(found) || /^[a-z_]{1,20}$/i.test(found);
  if (!isWord || !/["']/.test(text[at - 1] ?? '')) return false;
  return /^\\*["']\s*:/.test(text.slice(at + found.length, at + found.length + maxDistance));
}

/** How far the colon may be from the name of a member. */
const maxDistance = 20;

/** How many characters of the beginning of a secret a text ends with; 0 where too few. */
function endingWith(text: string, secret: string, least: number): number {
  for (let length = Math.min(secret.length, text.length); length >= least; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/** Which secrets are words, what stands in the place of all, and whether none is coded twice. */
export type RedactorOptions = {
  isWord?: (secret: string) => boolean;
  mark?: string;
  isShallow?: boolean;
};

/**
 * Gives a function that puts a mark in the place of secrets: whole or cut off, in any case and the
 * usual codings; of those that are words, where they are no part of a longer one.
 */
export function createRedactor(
  secrets: readonly string[],
  { isWord = () => false, mark = '$KEY', isShallow = false }: RedactorOptions = {},
): (text: string) => string {
  const coded = isShallow ? [] : secrets.filter((secret) => isStrong(secret) && !isWord(secret));
  const finders = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length)
    .map((secret) => createSecretFinder(secret, { standsAlone: isWord(secret) }));
  return (text) => {
    const searched = toSearchedText(text);
    const whole = finders
      .filter((finder) => finder.mayBeIn(searched))
      .reduce((left, finder) => finder.replace(left, mark), text);
    const decoded = hideCoded(whole, coded, () => mark);
    return finders.reduce((left, finder) => finder.replaceCut(left, mark), decoded);
  };
}

/** Whether a secret is so short that it may be a part of any word. */
export function isShort(secret: string): boolean {
  return secret.length <= maxShort;
}

/** A secret as it is, in base64 (alone, within others, and in Basic credentials), and in hex. */
function formsOf(secret: string): string[] {
  const basic = Buffer.from(`${secret}:`).toString('base64').replace(/=+$/, '');
  const coded = [0, 1, 2].map((offset) => toBase64Within(secret, offset));
  const forUrls = coded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = Buffer.from(secret).toString('hex');
  return [...new Set([secret, basic, ...coded, ...forUrls, hex])];
}

/** What a text becomes in base64 with `offset` bytes of others before it, and any after it. */
function toBase64Within(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const coded = bytes.toString('base64').replace(/=+$/, '');
  return coded.slice([0, 2, 3][offset], bytes.length % 3 === 0 ? undefined : -1);
}

/** The characters that HTML and XML have names for. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

/** A text in lower case whose escapes are undone, without backslashes. */
function unescaped(text: string): string {
  const fromHex = (_: string, hex: string) => toChar(Number.parseInt(hex, 16));
  return text
    .replaceAll(/%([\da-f]{2})/g, fromHex)
    .replaceAll(/\\u([\da-f]{4})/g, fromHex)
    .replaceAll(/&#x([\da-f]{1,6});/g, fromHex)
    .replaceAll(/&#(\d{1,7});/g, (_, number: string) => toChar(Number(number)))
    .replaceAll(/&(amp|apos|gt|lt|quot);/g, (_, name: string) => named[name] as string)
    .replaceAll('\\', '');
}

function toChar(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : '';
}

/** A pattern for a text of which each character may be escaped. */
function toEscapedPattern(text: string): string {
  return [...text].map(toEscapedForms).join('');
}

/** A character as it is, percent-encoded, escaped in JSON, or as a reference of HTML. */
function toEscapedForms(char: string): string {
  const percent = [...Buffer.from(char)].map((byte) => `%${toHex(byte)}`).join('');
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const json = units.map((unit) => `\\\\u${toHex(unit).padStart(4, '0')}`).join('');
  const code = char.codePointAt(0) as number;
  const names = Object.keys(named).filter((one) => named[one] === char);
  const html = `&(?:${[`#${code}`, `#x${code.toString(16)}`, ...names].join('|')});`;
  return `(?:\\\\?${RegExp.escape(char)}|${percent}|${json}|${html})`;
}

function toHex(number: number): string {
  return number.toString(16).padStart(2, '0');
}
