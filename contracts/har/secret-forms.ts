/** A secret as short as this may be a word of its own, so only what stands alone is taken for it. */
const maxShort = 7;

/** Finds secrets in texts, in whatever coding. */
export type SecretPatterns = {
  /** As they are, and in base64. */
  plain: RegExp;
  /** With characters that are escaped in URLs, JSON or HTML, for texts that have such. */
  escaped: RegExp;
};

/** The patterns of some secrets, the longest first; undefined where there are none. */
export function toSecretPatterns(secrets: readonly string[]): SecretPatterns | undefined {
  if (secrets.length === 0) return undefined;
  const longestFirst = secrets.toSorted((left, right) => right.length - left.length);
  const join = (patterns: readonly string[]) => new RegExp(patterns.join('|'), 'gi');
  const byLength = longestFirst.flatMap((secret) => formsOf(secret).map((form) => [secret, form]));
  return {
    plain: join(byLength.map(([secret = '', form = '']) => alone(secret, RegExp.escape(form)))),
    escaped: join(
      longestFirst.flatMap((secret) =>
        readingsOf(secret).map((one) => alone(secret, [...one].map(toEscapedForms).join(''))),
      ),
    ),
  };
}

/** Whether a text may hold escaped characters. */
export function mayBeEscaped(text: string): boolean {
  return /[%\\&]/.test(text);
}

function alone(secret: string, pattern: string): string {
  return secret.length <= maxShort ? `(?<![\\w.~+-])${pattern}(?![\\w.~+-])` : pattern;
}

function formsOf(secret: string): string[] {
  const plain = readingsOf(secret);
  if (secret.length <= maxShort) return plain;
  const coded = plain.flatMap((one) => [0, 1, 2].map((offset) => toBase64Within(one, offset)));
  const forUrls = coded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...plain, ...coded, ...forUrls])];
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

/** A character as it is, percent-encoded, escaped in JSON, or as a reference of HTML; repeatedly. */
function toEscapedForms(char: string): string {
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25)*${toHex(byte)}`).join('');
  const code = char.codePointAt(0) as number;
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const json = units.map((unit) => `\\\\+u${toHex(unit).padStart(4, '0')}`).join('');
  const html = `&#0*${code};|&#x0*${code.toString(16)};`;
  return `(?:\\\\*${RegExp.escape(char)}|${percent}|${json}|${html})`;
}

function toHex(number: number): string {
  return number.toString(16).padStart(2, '0');
}
