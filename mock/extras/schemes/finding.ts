import type { IncomingMessage } from 'node:http';
import { type CalledPlace, isSameSecret } from '../../http/authenticate.ts';
import type { CredentialsProblem } from '../../journal/reason.ts';
import type { ApiKey } from '../../limits/plans.ts';

/** What a request shows for a scheme. */
export type Finding =
  /** A key, with the scopes that its token has; all of them where it is no token. */
  | { key: ApiKey; scopes?: readonly string[]; problem?: never }
  | { key?: never; problem: Exclude<CredentialsProblem, 'insufficient_scope'> };

/** Reads what a request shows for a scheme. */
export type ReadCredential = (request: IncomingMessage, place: CalledPlace) => Finding;

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
