import { hideCoded } from '../secrets/coded.ts';
import {
  createSecretFinder,
  isShort,
  type SecretFinder,
  toSearchedText,
} from '../secrets/texts.ts';

/** A key, and the name that stands for it. */
export type NamedKey = { name: string; secret: string };

/** What a secret is: a key, or another value that is to be hidden. */
export type SecretKind = 'key' | 'redacted';

/** Puts a token in the place of each secret: the same token for the same secret. */
export interface Tokens {
  /** The token of a secret, which is from now on replaced in all texts unless it `isPublic`. */
  of(secret: string, kind: SecretKind, options?: { isPublic?: boolean }): string;
  /** Looks for the secrets that are known in all of these texts, and gives what replaces them. */
  replacerFor(texts: readonly string[]): (text: string) => string;
}

/** How many secrets have a token of their own. */
const maxCounted = 10_000;

/** How many secrets are looked for in texts: the ones that were used last. */
const maxRemembered = 100;

/** Shorter values may be ordinary words, so they are replaced only in their own place. */
const minLengths: Record<SecretKind, number> = { key: 4, redacted: 12 };

/** Makes tokens; the names of `keys` stand for them, and `key-1` or `redacted-1` for others. */
export function createTokens(keys: readonly NamedKey[]): Tokens {
  const tokens = new Map(keys.map(({ name, secret }) => [secret, name]));
  const unnamed = keys.filter(({ name }) => name.startsWith('key-')).length;
  const counts: Record<SecretKind, number> = { key: unnamed, redacted: 0 };
  const given = keys
    .map(({ secret }) => secret)
    .filter(({ length }) => length >= minLengths.key)
    .map((secret) => [secret, createSecretFinder(secret)] as const);
  /** Those that were found, the last used at the end. */
  const found = new Map<string, SecretFinder>();

  const remember = (secret: string) => {
    const finder = found.get(secret) ?? createSecretFinder(secret);
    found.delete(secret);
    found.set(secret, finder);
    const [oldest] = found.keys();
    if (found.size > maxRemembered && oldest !== undefined) found.delete(oldest);
  };

  return {
    of(secret, kind, { isPublic = false } = {}) {
      const isFull = tokens.size >= maxCounted;
      const token = tokens.get(secret) ?? `${kind}-${isFull ? 'more' : (counts[kind] += 1)}`;
      if (!isFull) tokens.set(secret, token);
      const isGiven = given.some(([one]) => one === secret);
      if (secret.length >= minLengths[kind] && !isGiven && !isPublic) remember(secret);
      return token;
    },
    replacerFor(texts) {
      const searched = toSearchedText(texts.join('\n'));
      const shown = [...given, ...found]
        .filter(([, finder]) => finder.mayBeIn(searched))
        .toSorted(([left], [right]) => right.length - left.length);
      const toToken = (secret: string) => tokens.get(secret) ?? 'redacted';
      const coded = [...given, ...found].flatMap(([secret]) => (isShort(secret) ? [] : [secret]));
      return (text) =>
        hideCoded(
          shown.reduce((left, [secret, finder]) => finder.replace(left, toToken(secret)), text),
          coded,
          toToken,
        );
    },
  };
}
