import type { KeyInfo } from '../transcript/transcript.ts';

/** A key that a user names, and the plan or security scheme that stands before it, in lower case. */
export type GivenKey = { plan?: string; secret: string };

/** Names the keys of traffic, so that the keys themselves appear nowhere. */
export interface KeyBook {
  /** The name of a key, a new one where it has none; undefined where there are too many. */
  nameOf(secret: string): string | undefined;
  /** Whether a text is a key that the user named, or that a call succeeded with. */
  isKey(text: string): boolean;
  /** Notes that a call with a key succeeded. */
  prove(secret: string): void;
  keys(): KeyInfo[];
  /** The keys themselves, to remove them from what is shown. */
  secrets(): string[];
  /** The names of the keys that the user named and no call had. */
  unused(): string[];
}

/** Beyond these, keys get no names: a client may make up a new one for each call. */
const maxKeys = 500;

/** Prefixes of key names in recordings: the target of a verify run. */
const targets = ['', 'target-', 'twin-'];

/**
 * With `takesNames`, a call may have the name of a given key in its place, as in recordings of ours:
 * `free-1` is the first of the free plan.
 */
export function createKeyBook(
  given: readonly GivenKey[],
  { takesNames = false }: { takesNames?: boolean } = {},
): KeyBook {
  const named = new Map<string, string>();
  const used = new Set<string>();
  const known = new Map<string, KeyInfo>();
  const proven = new Set<string>();
  const add = (secret: string, plan?: string) => {
    const number = [...known.values()].filter((one) => one.plan === plan).length + 1;
    const info = { name: `${plan ?? 'key'}-${number}`, ...(plan !== undefined && { plan }) };
    known.set(secret, info);
    return info;
  };
  for (const { secret, plan } of given) {
    if (!known.has(secret)) {
      const { name } = add(secret, plan);
      if (takesNames) for (const target of targets) named.set(`${target}${name}`, secret);
    }
    proven.add(secret);
  }
  const ofUser = [...known];
  const keyOf = (text: string) => (known.has(text) ? text : (named.get(text) ?? text));
  return {
    nameOf(text) {
      const secret = keyOf(text);
      if (known.has(secret)) used.add(secret);
      const info = known.get(secret) ?? (known.size < maxKeys ? add(secret) : undefined);
      return info?.name;
    },
    isKey: (text) => proven.has(keyOf(text)),
    prove(text) {
      const secret = keyOf(text);
      if (known.has(secret)) proven.add(secret);
    },
    keys: () => [...known.values()],
    secrets: () => [...known.keys()],
    unused: () => ofUser.flatMap(([secret, { name }]) => (used.has(secret) ? [] : [name])),
  };
}
