import type { IncomingMessage } from 'node:http';
import { oncePer } from '../../../common/once-per.ts';
import { unescaped } from '../../../common/path-template.ts';
import type { Api, WaysIn } from '../../../openapi/index.ts';
import { isOAuth, type SecurityScheme } from '../../../openapi/model/security.ts';
import {
  type Authenticate,
  bearerToken,
  type CalledPlace,
  isSameSecret,
  realmOf,
  type Security,
  toMissingKey,
} from '../../http/authenticate.ts';
import { toCookiePairs } from '../../http/parameters/read-written.ts';
import type { CredentialsProblem } from '../../journal/reason.ts';
import type { ApiKey } from '../../limits/plans.ts';
import {
  describeWays,
  type RefusalParts,
  toChallenges,
  toInvalid,
  toMissing,
  toScopeRefusal,
} from './challenges.ts';
import type { Tokens } from './tokens.ts';

type SecurityOptions = {
  document: Api;
  keys: readonly ApiKey[];
  /** The tokens of the twin, where it issues any. */
  tokens: Tokens | undefined;
};

/** Creates the check of callers by the security schemes that a document describes. */
export function createSecurity({ document, keys, tokens }: SecurityOptions): Security {
  const realm = realmOf(document);
  const findKey = createFindKey(keys);
  const readerOf = oncePer((scheme: SecurityScheme) =>
    createReadCredential(scheme, { findKey, tokens }),
  );
  const caller = { realm, readerOf };
  return {
    of: ({ waysIn }) =>
      waysIn.length === 0 ? undefined : createAuthenticateCaller(waysIn, caller),
    // What is no operation asks for nothing, but counts for a key that is sent.
    ofUnmatched(operations) {
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
      const shown = schemes.length > 0 ? schemes : document.securitySchemes;
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
      // The roles that other schemes may list are of no request (OpenAPI 3.1, Security Requirement).
      return read ? [{ read, scopes: isOAuth(scheme) ? scopes : [] }] : [];
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

/** Returns the parts of the refusals for these ways to authenticate. */
function toRefusalParts(waysIn: WaysIn, realm: string): RefusalParts {
  const schemes = [...new Set(waysIn.flat().map(({ scheme }) => scheme))];
  return { schemes, realm, needed: describeWays(waysIn) };
}

function lackOf(needed: readonly string[], { scopes }: Finding & { scopes?: readonly string[] }) {
  return scopes ? needed.filter((scope) => !scopes.includes(scope)) : [];
}

/** The credentials that a request has for a scheme. */
type Finding =
  /** A key with the scopes of its token; without `scopes`, it has all. */
  | { key: ApiKey; scopes?: readonly string[]; problem?: never }
  | { key?: never; problem: Exclude<CredentialsProblem, 'insufficient_scope'> };

/** Reads what a request shows for a scheme. */
type ReadCredential = (request: IncomingMessage, place: CalledPlace) => Finding;

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

type CredentialOptions = {
  findKey: FindKey;
  /** The tokens of the twin, where it issues any. */
  tokens: Tokens | undefined;
};

const missing: Finding = { problem: 'missing' };
const malformed: Finding = { problem: 'malformed' };
const unknown: Finding = { problem: 'unknown' };

/** Creates the reader of a scheme; undefined for a scheme that the twin cannot check. */
function createReadCredential(
  scheme: SecurityScheme,
  options: CredentialOptions,
): ReadCredential | undefined {
  switch (scheme.type) {
    case 'apiKey':
      return readApiKey(scheme, options);
    case 'http':
      return scheme.scheme === 'bearer'
        ? readBearer(scheme, options)
        : readHttp(scheme.scheme, options);
    case 'oauth2':
    case 'openIdConnect':
      return readBearer(scheme, options);
    default:
      return undefined;
  }
}

function readApiKey(
  { in: place, parameter }: Extract<SecurityScheme, { type: 'apiKey' }>,
  { findKey }: CredentialOptions,
): ReadCredential {
  // Many documents describe a bearer token so.
  const isAuthorization = place === 'header' && parameter.toLowerCase() === 'authorization';
  const valueIn = { header: headerValue, query: queryValue, cookie: cookieValue }[place];
  return (request) => {
    const value = valueIn(request, parameter);
    if (value === undefined) return missing;
    const key = findKey(isAuthorization ? withoutScheme(value) : value);
    return key ? { key } : unknown;
  };
}

/** Returns the credentials after the scheme, such as those of `Token token="..."`. */
function withoutScheme(authorization: string): string {
  return authorization.replace(/^[\w-]+ +/, '').replace(/^token="?([^"]*)"?$/, '$1');
}

/** Reads the value that a key is sent as. */
type ReadValue = (request: IncomingMessage, name: string) => string | undefined;

const headerValue: ReadValue = ({ headers }, name) => headers[name.toLowerCase()]?.toString();

/** As a form has them: a plus is a space, and a key with one is sent as %2B. */
const queryValue: ReadValue = ({ url = '' }, name) =>
  new URLSearchParams(url.split('?').slice(1).join('?')).get(name) ?? undefined;

/** Cookies (RFC 6265 §4.2.1); a value may be percent-encoded, as OpenAPI sends parameters. */
const cookieValue: ReadValue = ({ headers: { cookie = '' } }, name) => {
  const found = toCookiePairs(cookie).find(([key]) => key === name);
  return found && unescaped(found[1]);
};

/** A key, or an access token of the twin, also behind another word that the scheme describes. */
function readBearer(
  { words = [] }: SecurityScheme,
  { findKey, tokens }: CredentialOptions,
): ReadCredential {
  return (request, place) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return missing;
    const isWorded = words.some((word) => isOf(word, authorization));
    if (!isWorded && !isOf('bearer', authorization)) return missing;
    const sent = withoutScheme(authorization);
    const key = findKey(sent);
    if (key) return { key };
    const token = isWorded ? sent : bearerToken(authorization);
    if (token === undefined) return malformed;
    if (!tokens) return unknown;
    const read = tokens.read('access', token, place);
    if (read.problem) return { problem: read.problem };
    return { key: read.key, scopes: read.claims.scope.split(' ') };
  };
}

/**
 * Reads HTTP credentials. For Basic (RFC 7617), the password is a key, or the user without a
 * password. For other schemes, the whole value is a key.
 */
function readHttp(scheme: string, { findKey }: CredentialOptions): ReadCredential {
  return (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isOf(scheme, authorization)) return missing;
    const sent = authorization.slice(scheme.length).trim();
    const secret = scheme === 'basic' ? basicSecret(sent) : sent;
    if (secret === undefined) return malformed;
    const key = findKey(secret);
    return key ? { key } : unknown;
  };
}

function isOf(scheme: string, authorization: string): boolean {
  const [word = ''] = authorization.split(' ', 1);
  return word.toLowerCase() === scheme;
}

/**
 * Returns the password of Basic credentials, or the user if it is empty; undefined if malformed.
 */
function basicSecret(sent: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(sent)) return undefined;
  const text = Buffer.from(sent, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at === -1) return undefined;
  return text.slice(at + 1) || text.slice(0, at);
}
