import { mapLeaves } from '../common/json.ts';
import { type HidingRules, hideInHeader, hideInUrls } from '../common/secrets/fields.ts';
import { isSecretName, type OwnNames, toFieldRules } from '../common/secrets/names.ts';
import { createRedactor, isShort } from '../common/secrets/texts.ts';
import type { Api } from '../openapi/index.ts';
import { keyNamesOf } from '../openapi/model/key-places.ts';
import { isOAuth, usedSchemes } from '../openapi/model/security.ts';

/** Replaces each hidden key. */
export const filtered = '[Filtered]';

/** A URL, or what looks like one, without the user and password before its host. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/is, `$1${filtered}@`);
}

/** Takes keys out of texts. */
export type Redact = {
  /** Any text: every known key in it. */
  text(text: string): string;
  /**
   * A text that is or holds a URL: as a text, and the value of each parameter that is named like a
   * key.
   */
  url(url: string): string;
  /** The value of a header: the whole of it where the header is there for keys. */
  header(name: string, value: string): string;
  /** A value of JSON: all texts in it. */
  value<T>(value: T): T;
  /** Filters further keys from now on, and what further names hold. */
  hide(secrets: readonly string[], names?: SecretNames): void;
};

/** Names for keys that a document gives, and whether signed tokens are secrets, too. */
export type SecretNames = OwnNames & { tokens: boolean };

/** The names under which requests carry credentials that a document describes. */
export function secretNamesOf({ operations }: Pick<Api, 'operations'>): SecretNames {
  const schemes = usedSchemes(operations);
  return {
    ...keyNamesOf(operations),
    schemes: schemes.flatMap((one) => (one.type === 'http' ? [one.scheme] : [])),
    tokens: schemes.some(isOAuth),
  };
}

/**
 * Makes the filter for some secrets; what headers and parameters for keys hold is filtered whether
 * it is known or not.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const hidden = new Set(secrets);
  const known: SecretNames[] = [];
  let withoutKeys = (text: string) => text;
  let hidesTokens = false;
  let hiding: HidingRules;
  const hide = (more: readonly string[], names?: SecretNames) => {
    for (const secret of more) hidden.add(secret);
    if (names) known.push(names);
    hidesTokens ||= names?.tokens === true;
    withoutKeys = createRedactor([...hidden], { mark: filtered, isWord: isShort });
    hiding = { rules: toFieldRules(mergeNames(known), isSecretName), hide: () => filtered };
  };
  hide([]);
  const redactText = (text: string) => {
    const left = withoutKeys(text);
    return hidesTokens ? hideSignedTokens(left) : left;
  };
  const redactLeaf = (leaf: unknown) => (typeof leaf === 'string' ? redactText(leaf) : leaf);
  return {
    text: redactText,
    url: (text) => hideInUrls(redactText(text), hiding),
    header: (name, value) => redactText(hideInHeader(name, value, hiding)),
    value: <T>(value: T) => mapLeaves(value, redactLeaf, redactText) as T,
    hide,
  };
}

function mergeNames(all: readonly SecretNames[]): OwnNames {
  const of = (kind: 'headers' | 'parameters' | 'schemes') =>
    all.flatMap((names) => names[kind] ?? []);
  return { headers: of('headers'), parameters: of('parameters'), schemes: of('schemes') };
}

/** The beginning of a JSON Web Token (RFC 7519): of the object in its header, in base64. */
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
