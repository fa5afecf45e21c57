import querystring from 'node:querystring';
import { isSecretName } from '../contracts/description/secret-names.ts';

/** What stands in the place of a key. */
export const filtered = '[Filtered]';

/** A URL, or what looks like one, without the user and password before its host. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/is, `$1${filtered}@`);
}

/** Takes keys out of texts. */
export type Redact = {
  /**
   * Any text: every known key in it, percent-encoded or escaped in JSON as well, and one that was
   * cut off in its second half.
   */
  text(text: string): string;
  /**
   * A text that is or holds a URL: as a text, and the value of each parameter that is named like a
   * key.
   */
  url(url: string): string;
  /**
   * The value of a header: the whole of it where the header is there for keys, but for a known
   * scheme.
   */
  header(name: string, value: string): string;
  /** A value of JSON: all texts in it. */
  value<T>(value: T): T;
  /** Filters further keys from now on, and what further names hold. */
  hide(secrets: readonly string[], names?: SecretNames): void;
};

/** Names for keys that a document gives: of headers, of query parameters, and of cookies. */
export type SecretNames = {
  fields: readonly string[];
  cookies: readonly string[];
  /** Schemes of HTTP, which are no secrets. */
  schemes: readonly string[];
  /** Whether signed tokens are secrets too, wherever they stand. */
  tokens: boolean;
};

/** A key as short as this may be a word of its own, so only what stands alone is taken for it. */
const shortKey = 7;

/**
 * Makes the filter for some secrets; what headers and parameters for keys hold is filtered whether
 * it is known or not.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const hidden = new Set<string>();
  const fields = new Set<string>();
  const schemes = new Set(['bearer', 'basic', 'digest']);
  let plain: RegExp | undefined;
  let encoded: RegExp | undefined;
  let namesCookies = false;
  let hidesTokens = false;
  const hide = (more: readonly string[], names?: SecretNames) => {
    for (const secret of more) hidden.add(secret);
    for (const name of names?.fields ?? []) fields.add(name.toLowerCase());
    for (const scheme of names?.schemes ?? []) schemes.add(scheme);
    namesCookies ||= names !== undefined && names.cookies.length > 0;
    hidesTokens ||= names?.tokens === true;
    plain = toPattern([...hidden], RegExp.escape);
    encoded = toPattern([...hidden], toEncodedForms);
  };
  hide(secrets);

  const redactText = (text: string) => {
    const pattern = /[%\\]/.test(text) ? encoded : plain;
    const withoutKeys = pattern ? text.replace(pattern, filtered) : text;
    return hidesTokens ? hideSignedTokens(withoutKeys) : withoutKeys;
  };
  const isSecret = (name: string) => isSecretName(name) || fields.has(name.toLowerCase());
  const redactUrl = (text: string) => hideParameters(redactText(text), isSecret);
  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [redactText(name), redactValue(inner)]),
    );
  };
  return {
    text: redactText,
    url: redactUrl,
    header(name, value) {
      if (!isSecret(name)) return redactUrl(value);
      if (namesCookies && name.toLowerCase() === 'cookie')
        return value.split(';').map(hideCookie).join(';');
      const [scheme = ''] = /^\S+ /.exec(value) ?? [];
      return (schemes.has(scheme.trim().toLowerCase()) ? scheme : '') + filtered;
    },
    value: <T>(value: T) => redactValue(value) as T,
    hide,
  };
}

/** A character as it is, percent-encoded, and in the two ways to escape it in JSON. */
function toEncodedForms(char: string): string {
  const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:\\\\?${RegExp.escape(char)}|%${hex}|\\\\u00${hex})`;
}

/** How the object that heads a JSON Web Token (RFC 7519) begins in base64. */
const tokenStart = 'eyJ';

/** The fewest characters that a part of a token is known by. */
const minTokenPart = 8;

/** Takes the text apart, as a pattern for a token would look at each place again and again. */
function hideSignedTokens(text: string): string {
  if (!text.includes(tokenStart)) return text;
  return text.replace(/[\w.-]+/g, (piece) =>
    piece.includes(tokenStart) ? hideTokensIn(piece.split('.')) : piece,
  );
}

function hideTokensIn(parts: readonly string[]): string {
  const shown: string[] = [];
  const isLong = (part: string | undefined) => part !== undefined && part.length >= minTokenPart;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const start = part.indexOf(tokenStart);
    const isHeader = start !== -1 && isLong(part.slice(start + tokenStart.length));
    // A payload that is sent apart, or a key that both have already, leaves the second part empty.
    const isSecond = parts[at + 1] === '' || isLong(parts[at + 1]);
    if (isHeader && isSecond && isLong(parts[at + 2])) {
      shown.push(part.slice(0, start) + filtered);
      // An encrypted token has five parts (RFC 7516 §3.1), a signed one three.
      at += isLong(parts[at + 3]) && isLong(parts[at + 4]) ? 4 : 2;
    } else shown.push(part);
  }
  return shown.join('.');
}

/** A cookie without its value; one without a name is all value. */
function hideCookie(cookie: string): string {
  return cookie === '' ? '' : cookie.slice(0, cookie.indexOf('=') + 1) + filtered;
}

/** Takes the text apart, as a pattern for all of it would look at each place again and again. */
function hideParameters(text: string, isSecret: (name: string) => boolean): string {
  if (!text.includes('=')) return text;
  return text
    .split(/([?&#\s])/)
    .map((part) => {
      const at = part.indexOf('=');
      const isHidden =
        at > 0 && at + 1 < part.length && isSecret(querystring.unescape(part.slice(0, at)));
      return isHidden ? `${part.slice(0, at + 1)}${filtered}` : part;
    })
    .join('');
}

type ToForm = (char: string) => string;

function toPattern(secrets: readonly string[], toForm: ToForm): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const [short, long] = [secrets.filter(isShort), secrets.filter((secret) => !isShort(secret))];
  const patterns = short
    .toSorted((left, right) => right.length - left.length)
    .map(
      (secret) =>
        `(?<=^|[^\\w.~+/-]|%[\\da-f]{2}|\\\\(?:[nrtbf]|u[\\da-f]{4}))${[...secret].map(toForm).join('')}(?![\\w.~+/-])`,
    );
  if (long.length > 0) patterns.push(toTreePattern(toTree(long), toForm));
  return new RegExp(patterns.join('|'), 'gi');
}

function isShort(secret: string): boolean {
  return secret.length <= shortKey;
}

/**
 * Keys by their letters, those that begin alike on one path: so the longest that stands in a text
 * is found, whichever it is.
 */
type Tree = { next: Map<string, Tree>; mayEnd: boolean };

function toTree(secrets: readonly string[]): Tree {
  const root: Tree = { next: new Map(), mayEnd: false };
  for (const secret of secrets) {
    // Texts that are cut may end inside of a key.
    const half = Math.max(shortKey + 1, Math.ceil(secret.length / 2));
    let tree = root;
    for (const [at, char] of [...secret.toLowerCase()].entries()) {
      let next = tree.next.get(char);
      if (!next) tree.next.set(char, (next = { next: new Map(), mayEnd: false }));
      next.mayEnd ||= at + 1 >= half;
      tree = next;
    }
  }
  return root;
}

function toTreePattern({ next, mayEnd }: Tree, toForm: ToForm): string {
  if (next.size === 0) return '';
  const branches = [...next].map(([char, tree]) => toForm(char) + toTreePattern(tree, toForm));
  return `(?:${branches.join('|')})${mayEnd ? '?' : ''}`;
}
