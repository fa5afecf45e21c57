import { createHmac, hash, randomBytes } from 'node:crypto';
import { createSecretFinder, type SecretFinder, toSearchedText } from '../secrets/texts.ts';

/** A key, and the name that stands for it. */
export type NamedKey = { name: string; secret: string };

/** What a secret is: a key, or another value that is to be hidden. */
export type SecretKind = 'key' | 'redacted';

/** Puts a token in the place of each secret: the same token for the same secret. */
export interface Tokens {
  /**
   * The token of a secret, which is from now on replaced in all texts. A short one may be a word, so
   * it is replaced where it is the value of a parameter, if it was that of a parameter of this name.
   */
  of(secret: string, kind: SecretKind, parameter?: string): string;
  /** A number in the place of a number, the same for the same. */
  numberOf(number: string): number;
  /** Looks for the secrets that are known in all of these texts, and gives what replaces them. */
  replacerFor(texts: readonly string[]): (text: string) => string;
}

/**
 * How many secrets and how many numbers are counted. The tokens of later ones follow from them and a
 * random key, so that nothing of them is retained.
 */
const maxCounted = 10_000;

/** How many secrets are looked for in texts: the ones that were used last. */
const maxRemembered = 100;

/** Shorter values may be ordinary words, so they are replaced only in their own place. */
const minLengths: Record<SecretKind, number> = { key: 4, redacted: 12 };

/** A secret that is looked for: its token, and what stands in the place of its other forms. */
type Known = { finder: SecretFinder; token: string; inAnotherForm: string };

function toKnown(secret: string, token: string): Known {
  return { finder: createSecretFinder(secret), token, inAnotherForm: 'redacted' };
}

/** The value of a parameter with its name. */
function toKnownParameter(name: string, value: string, token: string): Known {
  const finder = createSecretFinder(`${name}=${value}`, { standsAlone: true });
  return { finder, token: `${name}=${token}`, inAnotherForm: `${name}=${token}` };
}

/**
 * Makes tokens; the names of `keys` stand for them, and `key-1` or `redacted-1` for others, or
 * `key-4f1c...` once there are many.
 */
export function createTokens(keys: readonly NamedKey[]): Tokens {
  /** Tokens by the digest of what they stand for, so that a long run holds no long texts. */
  const tokens = new Map(keys.map(({ name, secret }) => [toDigest(secret), name]));
  const taken = new Set(tokens.values());
  const numbers = new Map<string, number>();
  const counts: Record<SecretKind, number> = { key: 0, redacted: 0 };
  const given = new Map(
    keys
      .filter(({ secret }) => secret.length >= minLengths.key)
      .map(({ secret, name }) => [secret, toKnown(secret, name)]),
  );
  /** Those that were found, the last used at the end. */
  const found = new Map<string, Known>();
  const random = randomBytes(32);
  const toHex = (text: string) => createHmac('sha256', random).update(text).digest('hex');

  const toToken = (kind: SecretKind): string => {
    counts[kind] += 1;
    const token = `${kind}-${counts[kind]}`;
    return taken.has(token) ? toToken(kind) : token;
  };
  const remember = (secret: string, make: () => Known) => {
    const known = found.get(secret) ?? make();
    found.delete(secret);
    found.set(secret, known);
    const [oldest] = found.keys();
    if (found.size > maxRemembered && oldest !== undefined) found.delete(oldest);
  };

  return {
    of(secret, kind, parameter) {
      const digest = toDigest(secret);
      const isCounted = tokens.has(digest) || tokens.size < maxCounted;
      const token =
        tokens.get(digest) ?? (isCounted ? toToken(kind) : `${kind}-${toHex(secret).slice(0, 16)}`);
      if (isCounted) tokens.set(digest, token);
      const isLong = secret.length >= minLengths[kind];
      if (isLong && !given.has(secret)) remember(secret, () => toKnown(secret, token));
      if (!isLong && parameter !== undefined)
        remember(`${parameter}=${secret}`, () => toKnownParameter(parameter, secret, token));
      return token;
    },
    numberOf(number) {
      const known = numbers.get(number);
      if (known !== undefined) return known;
      // A safe integer that none of those that are counted has.
      if (numbers.size >= maxCounted)
        return 2 ** 48 + Number.parseInt(toHex(number).slice(0, 12), 16);
      numbers.set(number, numbers.size + 1);
      return numbers.size;
    },
    replacerFor(texts) {
      const searched = toSearchedText(texts.join('\n'));
      const shown = [...given, ...found]
        .filter(([, { finder }]) => finder.mayBeIn(searched))
        .toSorted(([left], [right]) => right.length - left.length);
      return (text) =>
        shown.reduce(
          (left, [, { finder, inAnotherForm }]) =>
            finder.replace(
              left,
              (match) => found.get(match)?.token ?? tokens.get(toDigest(match)) ?? inAnotherForm,
            ),
          text,
        );
    },
  };
}

function toDigest(text: string): string {
  return hash('sha256', text, 'base64');
}
