import type { IncomingMessage } from 'node:http';
import type { SecurityScheme } from '../../../contracts/description/security.ts';
import { bearerToken, type CalledPlace, isSameSecret } from '../../http/authenticate.ts';
import { decodePercent, toCookiePairs } from '../../http/parameters/read-written.ts';
import type { CredentialsProblem } from '../../journal/reason.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { Tokens } from './tokens.ts';

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

export type CredentialOptions = {
  findKey: FindKey;
  /** The tokens of the twin, where it issues any. */
  tokens: Tokens | undefined;
};

const missing: Finding = { problem: 'missing' };
const malformed: Finding = { problem: 'malformed' };
const unknown: Finding = { problem: 'unknown' };

/** Makes the reader of a scheme; undefined for a scheme that the twin cannot check. */
export function createReadCredential(
  scheme: SecurityScheme,
  options: CredentialOptions,
): ReadCredential | undefined {
  switch (scheme.type) {
    case 'apiKey':
      return readApiKey(scheme, options);
    case 'http':
      return scheme.scheme === 'bearer' ? readBearer(options) : readHttp(scheme.scheme, options);
    case 'oauth2':
    case 'openIdConnect':
      return readBearer(options);
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
    const key = findKey(isAuthorization ? value.replace(/^[\w-]+ +/, '') : value);
    return key ? { key } : unknown;
  };
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
  return found && decodePercent(found[1]);
};

/** A key, or an access token of the twin. */
function readBearer({ findKey, tokens }: CredentialOptions): ReadCredential {
  return (request, place) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isOf('bearer', authorization)) return missing;
    const token = bearerToken(authorization);
    if (token === undefined) return malformed;
    const key = findKey(token);
    if (key) return { key };
    if (!tokens) return unknown;
    const read = tokens.read('access', token, place);
    if (read.problem) return { problem: read.problem };
    return { key: read.key, scopes: read.claims.scope.split(' ') };
  };
}

/** Basic (RFC 7617): the password is a key, or there is none and the user is. All others: a key. */
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

/** The password of basic credentials, or the user where it is empty; undefined if malformed. */
function basicSecret(sent: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(sent)) return undefined;
  const text = Buffer.from(sent, 'base64').toString('utf8');
  const at = text.indexOf(':');
  if (at === -1) return undefined;
  return text.slice(at + 1) || text.slice(0, at);
}
