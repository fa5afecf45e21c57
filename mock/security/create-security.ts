import {
  type ApiDocument,
  builtInDocument,
  type Operation,
} from '../../contracts/description/document.ts';
import {
  definedSchemes,
  type SecurityScheme,
  type WaysIn,
} from '../../contracts/description/security.ts';
import type { Answer } from '../answers/answer.ts';
import {
  type Authenticate,
  createAuthenticate,
  type Security,
  toMissingKey,
} from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';
import { createAuthenticateCaller, toRefusalParts } from './authenticate-caller.ts';
import { toChallenges, toRealm } from './challenges.ts';
import { createDigest } from './digest.ts';
import { createFindKey } from './find-key.ts';
import type { ReadCredential } from './finding.ts';
import { createReadCredential } from './read-credential.ts';
import { toMissing } from './refusals.ts';
import type { Tokens } from './tokens.ts';

type SecurityOptions = {
  document: ApiDocument;
  keys: readonly ApiKey[];
  /** The tokens of the twin, where it issues any. */
  tokens: Tokens | undefined;
};

/**
 * Makes what checks callers as the document describes it. Where each operation asks for a bearer
 * token or for nothing, that is all there is to check.
 */
export function createSecurity({ document, keys, tokens }: SecurityOptions): Security {
  const realm = realmOf(document);
  if (!tokens && asksForKeysAlone(document)) {
    const authenticate = createAuthenticate(keys, realm);
    return {
      of: ({ secured }) => (secured ? authenticate : undefined),
      elsewhere: (operations) =>
        operations.some(({ secured }) => secured) ? authenticate : undefined,
    };
  }
  const findKey = createFindKey(keys);
  const digest = createDigest(keys, realm);
  const readers = new Map<SecurityScheme, ReadCredential | undefined>();
  const readerOf = (scheme: SecurityScheme) => {
    if (!readers.has(scheme))
      readers.set(scheme, createReadCredential(scheme, { findKey, tokens, digest }));
    return readers.get(scheme);
  };
  /** Many operations ask for the same. */
  const made = new Map<string, Authenticate | undefined>();
  const authenticateBy = (waysIn: WaysIn) => {
    const id = JSON.stringify(
      waysIn.map((way) => way.map(({ scheme, scopes }) => [scheme.name, scopes])),
    );
    if (!made.has(id))
      made.set(id, createAuthenticateCaller(waysIn, { realm, readerOf, toNonce: digest.nonce }));
    return made.get(id);
  };
  return {
    of: ({ waysIn }) => (waysIn.length === 0 ? undefined : authenticateBy(waysIn)),
    // What is no operation asks for nothing, but counts for a key that is sent.
    elsewhere(operations) {
      const waysIn = operations.flatMap((operation) => operation.waysIn);
      const withoutScopes = waysIn.map((way) => way.map(({ scheme }) => ({ scheme, scopes: [] })));
      return waysIn.length === 0 ? undefined : authenticateBy([...withoutScopes, []]);
    },
  };
}

/** The 401 of an operation for a request without credentials. */
export function toUnauthenticated(document: ApiDocument, { waysIn }: Operation): Answer {
  const realm = realmOf(document);
  if (waysIn.length === 0 || asksForKeysAlone(document)) return toMissingKey(realm);
  return toMissing(toRefusalParts(waysIn, realm));
}

/**
 * What a 401 that an operation describes as its response challenges with, where it can: one that asks
 * for nothing itself has the schemes of the document.
 */
export function challengeOf(document: ApiDocument, { waysIn }: Operation): string | undefined {
  const { schemes } = toRefusalParts(waysIn, '');
  const shown = schemes.length > 0 ? schemes : definedSchemes(document.raw);
  return toChallenges(shown, { realm: realmOf(document) }) || undefined;
}

/** Whether each operation asks for a bearer token that is a key, or for nothing. */
export function asksForKeysAlone({ operations }: Pick<ApiDocument, 'operations'>): boolean {
  return operations.every(({ waysIn: [way, ...others] }) => {
    const [first, ...more] = way ?? [];
    if (others.length > 0 || more.length > 0) return false;
    return way === undefined || (first?.scheme.type === 'http' && first.scheme.scheme === 'bearer');
  });
}

/** The realm of challenges: the title; the Pet Store Service's own name for it is shorter. */
export function realmOf({ file, title }: ApiDocument): string {
  return file === builtInDocument ? 'petstore' : toRealm(title);
}
