import type { ApiDocument } from '../../../contracts/description/document.ts';
import {
  definedSchemes,
  type SecurityScheme,
  type WaysIn,
} from '../../../contracts/description/security.ts';
import {
  type Authenticate,
  realmOf,
  type Security,
  toMissingKey,
} from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { createAuthenticateCaller, toRefusalParts } from './authenticate-caller.ts';
import { toChallenges, toMissing } from './challenges.ts';
import { createFindKey, createReadCredential, type ReadCredential } from './read-credential.ts';
import type { Tokens } from './tokens.ts';

type SecurityOptions = {
  document: ApiDocument;
  keys: readonly ApiKey[];
  /** The tokens of the twin, where it issues any. */
  tokens: Tokens | undefined;
};

/** Makes what checks callers by the security schemes that a document describes. */
export function createSecurity({ document, keys, tokens }: SecurityOptions): Security {
  const realm = realmOf(document);
  const findKey = createFindKey(keys);
  const readers = new Map<SecurityScheme, ReadCredential | undefined>();
  const readerOf = (scheme: SecurityScheme) => {
    if (!readers.has(scheme))
      readers.set(scheme, createReadCredential(scheme, { findKey, tokens }));
    return readers.get(scheme);
  };
  /** Many operations ask for the same. */
  const made = new Map<string, Authenticate | undefined>();
  const authenticateBy = (waysIn: WaysIn) => {
    const id = JSON.stringify(
      waysIn.map((way) => way.map(({ scheme, scopes }) => [scheme.name, scopes])),
    );
    if (!made.has(id)) made.set(id, createAuthenticateCaller(waysIn, { realm, readerOf }));
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
    missing: ({ waysIn }) =>
      waysIn.length === 0 ? toMissingKey(realm) : toMissing(toRefusalParts(waysIn, realm)),
    challengeOf({ waysIn }) {
      const { schemes } = toRefusalParts(waysIn, '');
      const shown = schemes.length > 0 ? schemes : definedSchemes(document.raw);
      return toChallenges(shown, { realm }) || undefined;
    },
  };
}
