import { isSameSecret } from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';

/** Finds the key that equals what was sent. */
export type FindKey = (sent: string) => ApiKey | undefined;

/** Compares with every key, even after a match, so the time shows nothing about the keys. */
export function createFindKey(keys: readonly ApiKey[]): FindKey {
  return (sent) => {
    let found: ApiKey | undefined;
    for (const candidate of keys) if (isSameSecret(candidate.key, sent)) found = candidate;
    return found;
  };
}
