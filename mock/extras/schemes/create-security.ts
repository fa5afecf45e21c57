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
import {
  describeWays,
  type RefusalParts,
  toChallenges,
  toInvalid,
  toMissing,
  toScopeRefusal,
} from './challenges.ts';
import {
  createFindKey,
  createReadCredential,
  type Finding,
  type ReadCredential,
} from './read-credential.ts';
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
  const caller = { realm, readerOf };
  return {
    of: ({ waysIn }) =>
      waysIn.length === 0 ? undefined : createAuthenticateCaller(waysIn, caller),
    // What is no operation asks for nothing, but counts for a key that is sent.
    elsewhere(operations) {
      const waysIn = operations.flatMap((operation) => operation.waysIn);
      const withoutScopes = waysIn.map((way) => way.map(({ scheme }) => ({ scheme, scopes: [] })));
      return waysIn.length === 0
        ? undefined
        : createAuthenticateCaller([...withoutScopes, []], caller);
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

type CallerOptions = {
  realm: string;
  /** Reads a scheme; undefined for one that cannot be checked, which counts as met. */
  readerOf: (scheme: SecurityScheme) => ReadCredential | undefined;
};

/** A scheme that is read, and the scopes that its token must have. */
type Check = { read: ReadCredential; scopes: readonly string[] };

/**
 * Lets a caller in who meets all requirements of one of these ways, with the key of its first one;
 * without a key only where a way needs none. Others get 403 where nothing but a scope is missing,
 * and 401 otherwise.
 */
function createAuthenticateCaller(waysIn: WaysIn, options: CallerOptions): Authenticate {
  const schemes = [...new Set(waysIn.flat().map(({ scheme }) => scheme))];
  const readers = new Map(
    schemes.flatMap((scheme) => {
      const read = options.readerOf(scheme);
      return read ? [[scheme, read]] : [];
    }),
  );
  const checksOf = (way: WaysIn[number]): Check[] =>
    way.flatMap(({ scheme, scopes }) => {
      const read = readers.get(scheme);
      return read ? [{ read, scopes: hasScopes(scheme) ? scopes : [] }] : [];
    });
  const ways = waysIn.map(checksOf).filter((checks) => checks.length > 0);
  const isOpen = ways.length < waysIn.length;
  const parts = toRefusalParts(waysIn, options.realm);
  const expected = parts.needed;
  const missing = { refusal: toMissing(parts), problem: 'missing', expected } as const;

  return (request, place) => {
    const findings = new Map<ReadCredential, Finding>();
    for (const read of readers.values()) findings.set(read, read(request, place));
    let lacking: readonly string[] | undefined;
    for (const checks of ways) {
      const found = checks.map(({ read }) => findings.get(read) as Finding);
      if (found.some(({ key }) => key === undefined)) continue;
      const lack = checks.flatMap(({ scopes }, at) => lackOf(scopes, found[at] as Finding));
      const [first] = found;
      if (lack.length === 0 && first?.key) return { key: first.key };
      lacking ??= lack;
    }
    if (isOpen) return {};
    if (lacking) return { refusal: toScopeRefusal(lacking, parts), problem: 'insufficient_scope' };
    for (const [scheme, read] of readers) {
      const { problem } = findings.get(read) as Finding;
      if (problem !== undefined && problem !== 'missing')
        return { refusal: toInvalid(problem, scheme, parts), problem, expected };
    }
    return missing;
  };
}

/** What the refusals of these ways in are made of. */
function toRefusalParts(waysIn: WaysIn, realm: string): RefusalParts {
  const schemes = [...new Set(waysIn.flat().map(({ scheme }) => scheme))];
  return { schemes, realm, needed: describeWays(waysIn) };
}

/** The roles that other schemes may list are of no request (OpenAPI 3.1, Security Requirement). */
function hasScopes({ type }: SecurityScheme): boolean {
  return type === 'oauth2' || type === 'openIdConnect';
}

function lackOf(needed: readonly string[], { scopes }: Finding & { scopes?: readonly string[] }) {
  return scopes ? needed.filter((scope) => !scopes.includes(scope)) : [];
}
