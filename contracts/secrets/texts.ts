/** A secret as short as this may be a word of its own, so only what stands alone is taken for it. */
const maxShort = 7;

/** Fewer characters before `...` may be the beginning of anything. */
const minBeginning = 4;

/** Finds one secret in texts, in whatever coding and in any case. */
export interface SecretFinder {
  /** Whether it may be in a text; much faster than a replacement. */
  mayBeIn(text: SearchedText): boolean;
  /** Whether one of these ends with a beginning of it. */
  mayBeCutIn(endings: readonly string[]): boolean;
  /** What a text has somewhere, in lower case, that the secret or a part of it is in. */
  starts(): string[];
  replace(text: string, replacement: (match: string) => string): string;
  /** Replaces what is left of it where a text was cut. */
  replaceCut(text: string, replacement: string): string;
}

/** A text made ready to be searched for many secrets. */
export type SearchedText = {
  /** In lower case. */
  plain: string;
  /** The same without escapes; undefined where it has none. */
  unescaped: string | undefined;
};

/** Makes a text ready to be searched. */
export function toSearchedText(text: string): SearchedText {
  const plain = text.toLowerCase();
  return { plain, unescaped: /[%\\&]/.test(plain) ? toBare(plain) : undefined };
}

/** The finder of a secret; one that `standsAlone` is not found within a longer word, nor cut. */
export function createSecretFinder(
  secret: string,
  { standsAlone = isShort(secret) } = {},
): SecretFinder {
  // Made when they are needed, as most secrets are only counted.
  let forms: Forms | undefined;
  let patterns: RegExp[] | undefined;
  let cut: RegExp | undefined;
  return {
    mayBeIn({ plain, unescaped }) {
      forms ??= toForms(secret, standsAlone);
      return (
        forms.lower.some((form) => plain.includes(form)) ||
        (unescaped !== undefined && forms.bare.some((form) => unescaped.includes(form)))
      );
    },
    mayBeCutIn(endings) {
      forms ??= toForms(secret, standsAlone);
      return forms.cut.some((form) => endings.some((ending) => endsInPartOf(ending, form)));
    },
    starts() {
      forms ??= toForms(secret, standsAlone);
      const { lower, bare, cut: parts } = forms;
      return [...lower, ...bare, ...parts].map((form) => form.slice(0, minBeginning));
    },
    replace(text, replacement) {
      forms ??= toForms(secret, standsAlone);
      patterns ??= [
        forms.plain.map((form) => RegExp.escape(form)),
        readingsOf(secret).map(toEscapedPattern),
      ].map((all) => toPattern(standsAlone ? all.map(alone) : all));
      return patterns.reduce((left, pattern) => left.replace(pattern, replacement), text);
    },
    replaceCut(text, replacement) {
      if (standsAlone) return text;
      cut ??= toPattern([...readingsOf(secret), toBasic(secret)].flatMap(toCutPatterns));
      return text.replace(cut, () => replacement);
    },
  };
}

function toPattern(alternatives: readonly string[], flags = 'gi'): RegExp {
  return new RegExp(alternatives.join('|') || '(?!)', flags);
}

/**
 * Gives a function that puts a mark in the place of secrets: whole or cut off, in any case and coding;
 * of those that are words, where they are no part of a longer one.
 */
export function createRedactor(
  secrets: readonly string[],
  { isWord = () => false, mark = '$KEY' }: RedactorOptions = {},
): (text: string) => string {
  const finders = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length)
    .map((secret) => createSecretFinder(secret, { standsAlone: isWord(secret) }));
  const longest = 2 * Math.max(0, ...secrets.map(({ length }) => length));
  let start: RegExp | undefined;
  return (text) => {
    const searched = toSearchedText(text);
    start ??= toPattern(
      [...new Set(finders.flatMap((one) => one.starts()))].map(RegExp.escape),
      '',
    );
    // Nearly all texts are without any secret, and there may be thousands of them.
    if (!start.test(searched.plain) && !start.test(searched.unescaped ?? '')) return text;
    const endings = toEndings(searched, longest);
    const whole = finders.filter((finder) => finder.mayBeIn(searched));
    const cut = finders.filter((one) => whole.includes(one) || one.mayBeCutIn(endings));
    const without = whole.reduce((left, finder) => finder.replace(left, () => mark), text);
    return cut.reduce((left, finder) => finder.replaceCut(left, mark), without);
  };
}

/** The ends of a text and of what is before each `...` in it. */
function toEndings({ plain, unescaped }: SearchedText, length: number): string[] {
  const texts = unescaped === undefined ? [plain] : [plain, unescaped];
  return texts.flatMap((text) => text.split(/ ?\.\.\./)).map((one) => one.slice(-length - 1));
}

/** Whether a text ends with a beginning of another one. */
function endsInPartOf(ending: string, whole: string): boolean {
  const beginning = whole.slice(0, minBeginning);
  let at = ending.lastIndexOf(beginning);
  while (at > 0 && !whole.startsWith(ending.slice(at))) at = ending.lastIndexOf(beginning, at - 1);
  return at >= 0 && whole.startsWith(ending.slice(at));
}

/** Which secrets are words, and what stands in the place of all. */
export type RedactorOptions = { isWord?: (secret: string) => boolean; mark?: string };

/** Whether a secret is so short that it may be a part of any word. */
export function isShort(secret: string): boolean {
  return secret.length <= maxShort;
}

/**
 * What is looked for: as it is written; in lower case; without escapes; and what may be cut. A text
 * that is cut has all but the last character, or less.
 */
type Forms = { plain: string[]; lower: string[]; bare: string[]; cut: string[] };

function toForms(secret: string, standsAlone: boolean): Forms {
  const plain = standsAlone ? readingsOf(secret) : formsOf(secret);
  const toLower = (form: string) => form.toLowerCase();
  const almost = standsAlone || isShort(secret) ? [] : [secret, toBasic(secret)].map(withoutLast);
  return {
    plain,
    lower: [...almost, ...plain].map(toLower),
    bare: [...almost, ...readingsOf(secret)].map((one) => toBare(toLower(one))),
    cut: standsAlone ? [] : [...readingsOf(secret), toBasic(secret)].map(toLower),
  };
}

function withoutLast(text: string): string {
  return text.slice(0, -1);
}

/** A secret as the user of Basic credentials without a password. */
function toBasic(secret: string): string {
  return Buffer.from(`${secret}:`).toString('base64').replace(/=+$/, '');
}

/**
 * What is left of a text that was cut: a beginning before `...`, at least half of it at the end of
 * all, or all but its last character.
 */
function toCutPatterns(text: string): string[] {
  const chars = [...text].map((char, at) => toEscapedForms(char, at === 0 ? '(?<!\\\\)' : ''));
  const least = (count: number, end: string) =>
    chars.slice(0, count).join('') +
    chars.slice(count, -1).reduceRight((inner, char) => `(?:${char}${inner})?`, '') +
    end;
  const half = Math.max(maxShort + 1, Math.ceil(chars.length / 2));
  return [
    ...(chars.length > minBeginning ? [least(minBeginning, '(?= ?\\.\\.\\.)')] : []),
    ...(chars.length > half ? [least(half, '$')] : []),
    ...(chars.length > maxShort ? [chars.slice(0, -1).join('')] : []),
  ];
}

/** How many escapes within escapes are undone. */
const maxRounds = 4;

/** A text in lower case whose escapes are undone, whichever and however often, without backslashes. */
function toBare(text: string): string {
  let bare = text;
  for (let round = 0; round < maxRounds; round++) {
    const next = undoEscapes(bare);
    if (next === bare) break;
    bare = next;
  }
  return bare.replaceAll('\\', '');
}

function undoEscapes(text: string): string {
  const fromHex = (_: string, hex: string) => toChar(Number.parseInt(hex, 16));
  return (
    text
      .replaceAll(/%(?:25)*([\da-f]{2})/g, fromHex)
      // A run of backslashes is read from its beginning alone, as each of its parts takes as long.
      .replaceAll(/(?<!\\)\\+u([\da-f]{4})/g, fromHex)
      .replaceAll(/&#x0*([\da-f]{1,6});/g, fromHex)
      .replaceAll(/&#0*(\d{1,7});/g, (_, number: string) => toChar(Number(number)))
      .replaceAll(/&(amp|apos|gt|lt|quot);/g, (_, name: string) => named[name] as string)
  );
}

/** The characters that HTML and XML have names for. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

function toChar(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code).toLowerCase() : '';
}

/** What may stand before a word and ends in a letter or a digit all the same: an escape. */
const escapeBefore = '(?<=%(?:25)*[\\da-f]{2}|\\\\u[\\da-f]{4}|\\\\[bfnrt])';

/** A pattern that is not found within a longer word. */
function alone(pattern: string): string {
  return `(?:(?<![\\w.~+-])|${escapeBefore})${pattern}(?![\\w.~+-])`;
}

function formsOf(secret: string): string[] {
  const plain = readingsOf(secret);
  const coded = plain.flatMap((one) => [0, 1, 2].map((offset) => toBase64Within(one, offset)));
  const forUrls = coded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = plain.map((one) => Buffer.from(one).toString('hex'));
  const all = new Set([...plain, toBasic(secret), ...coded, ...forUrls, ...hex]);
  return [...all].toSorted((left, right) => right.length - left.length);
}

/** A text, and the same bytes read as UTF-8 or as Latin 1: headers have bytes, bodies have texts. */
function readingsOf(secret: string): string[] {
  const others = [
    Buffer.from(secret, 'utf8').toString('latin1'),
    Buffer.from(secret, 'latin1').toString('utf8'),
  ];
  return [...new Set([secret, ...others.filter((one) => !one.includes('\ufffd'))])];
}

/** What a text becomes in base64 with `offset` bytes of others before it, and any after it. */
function toBase64Within(text: string, offset: number): string {
  const bytes = Buffer.from(text);
  const coded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const isShared = (offset + bytes.length) % 3 !== 0;
  return coded.slice([0, 2, 3][offset], isShared ? -1 : undefined);
}

/** Each character in any coding; backslashes before the first are read from their beginning alone. */
function toEscapedPattern(text: string): string {
  return [...text].map((char, at) => toEscapedForms(char, at === 0 ? '(?<!\\\\)' : '')).join('');
}

/** A character as it is, percent-encoded, escaped in JSON, or as a reference of HTML; repeatedly. */
function toEscapedForms(char: string, start: string): string {
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25)*${toHex(byte)}`).join('');
  const code = char.codePointAt(0) as number;
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const json = units.map((unit) => `\\\\+u${toHex(unit).padStart(4, '0')}`).join('');
  const [name] = Object.keys(named).filter((one) => named[one] === char);
  const numbers = `#0*${code}|#x0*${code.toString(16)}`;
  const html = `&(?:amp;)*(?:${numbers}${name === undefined ? '' : `|${name}`});`;
  return `(?:(?:${start}\\\\+)?${RegExp.escape(char)}|${percent}|${start}${json}|${html})`;
}

function toHex(number: number): string {
  return number.toString(16).padStart(2, '0');
}
