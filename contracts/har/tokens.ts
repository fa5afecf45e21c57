import { createHide, type Hide } from '../../common/secrets/texts.ts';

/** A key, and the name that stands for it. */
export type NamedKey = { name: string; secret: string };

/** Tells whether a secret is a key, was made up by a run, or is another value to hide. */
export type SecretKind = 'key' | 'made' | 'redacted';

/** Puts a token in the place of each secret: the same token for the same secret. */
export interface Tokens {
  /** The token of a secret, which is from now on replaced in all texts unless it `isPublic`. */
  of(secret: string, kind: SecretKind, options?: { isPublic?: boolean }): string;
  /** Puts the tokens of the secrets that are known into a text. */
  hide(text: string): string;
}

/** How many secrets have a token of their own. */
const maxCounted = 10_000;

/** How many found secrets are looked for in texts: the ones that were used last. */
const maxRemembered = 100;

/** Shorter values may be ordinary words, so they are replaced only in their own place. */
const minLengths: Record<SecretKind, number> = { key: 4, made: 4, redacted: 12 };

/** Makes tokens; the names of `keys` stand for them, and `key-1` or `redacted-1` for others. */
export function createTokens(keys: readonly NamedKey[]): Tokens {
  const tokens = new Map(keys.map(({ name, secret }) => [secret, name]));
  const unnamed = keys.filter(({ name }) => name.startsWith('key-')).length;
  const counts: Record<SecretKind, number> = { key: unnamed, made: 0, redacted: 0 };
  const given = new Set(keys.map(({ secret }) => secret));
  /** Secrets that were found, the last used at the end. */
  const found = new Set<string>();
  let hide: Hide | undefined;

  const remember = (secret: string, kind: SecretKind) => {
    if (!found.delete(secret)) hide = undefined;
    (kind === 'made' ? given : found).add(secret);
    const [oldest] = found;
    if (found.size > maxRemembered && oldest !== undefined) found.delete(oldest);
  };

  return {
    of(secret, kind, { isPublic = false } = {}) {
      const isFull = tokens.size >= maxCounted;
      const token = tokens.get(secret) ?? `${kind}-${isFull ? 'more' : (counts[kind] += 1)}`;
      if (!isFull) tokens.set(secret, token);
      if (secret.length >= minLengths[kind] && !given.has(secret) && !isPublic)
        remember(secret, kind);
      return token;
    },
    hide(text) {
      hide ??= createHide([...given, ...found]);
      return hide(text, (secret) => tokens.get(secret) ?? 'redacted');
    },
  };
}
