import type { IncomingMessage } from 'node:http';
import type { Api, Operation } from '../../openapi/index.ts';
import { isSecured } from '../../openapi/model/security.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import type { CredentialsProblem } from '../journal/reason.ts';
import type { ApiKey } from '../limits/plans.ts';

/**
 * The result of authentication: a key, or a 401 or 403 (§5; RFC 6750 §3) with the problem of the
 * credentials. `expected` names the missing credentials unless they are a key. Empty if the request
 * needs no key.
 */
export type Authentication =
  | { key: ApiKey; refusal?: never; problem?: never; expected?: never }
  | { key?: never; refusal: Answer; problem: CredentialsProblem; expected?: string }
  | { key?: never; refusal?: never; problem?: never; expected?: never };

/** Finds who a request to a sandbox comes from. */
export type Authenticate = (request: IncomingMessage, place: CalledPlace) => Authentication;

/** The sandbox that a request is for: a token holds in the one that issued it, by its clock. */
export type CalledPlace = {
  /** The name in the request. */
  sandboxName: string | undefined;
  sandbox: { readonly name: string; readonly clock: Clock };
};

/** Checks callers, and refuses those without valid credentials. */
export type Security = {
  /** Checks the callers of an operation; undefined where it asks for nothing. */
  of(operation: Operation): Authenticate | undefined;
  /** Checks who calls what is no operation, beside these. */
  ofUnmatched(operations: readonly Operation[]): Authenticate | undefined;
  /** The 401 of an operation for a request without credentials. */
  missing(operation: Operation): Answer;
  /**
   * Returns the challenge of a 401 that an operation describes as its response, if there is one. An
   * operation without security has the schemes of the document.
   */
  challengeOf(operation: Operation): string | undefined;
};

/** Checks callers by their keys alone, where operations ask for a bearer token. */
export function createKeySecurity(document: Api, keys: readonly ApiKey[]): Security {
  const realm = realmOf(document);
  const authenticate = createAuthenticate(keys, realm);
  const missing = toMissingKey(realm);
  const challenge = document.securitySchemes.length > 0 ? toChallenge(realm) : undefined;
  return {
    of: (operation) => (isSecured(operation) ? authenticate : undefined),
    ofUnmatched: (operations) => (operations.some(isSecured) ? authenticate : undefined),
    missing: () => missing,
    challengeOf: () => challenge,
  };
}

/** Admits every caller; a key that is known counts as that key. */
export function admitAnyone(security: Security): Security {
  const admit = (authenticate: Authenticate | undefined): Authenticate | undefined =>
    authenticate &&
    ((request, place) => {
      const { key } = authenticate(request, place);
      return key ? { key } : {};
    });
  return {
    ...security,
    of: (operation) => admit(security.of(operation)),
    ofUnmatched: (operations) => admit(security.ofUnmatched(operations)),
  };
}

/** The realm of challenges (RFC 9110 §11.5): the title, unless the document names another. */
export function realmOf({ hint, title }: Pick<Api, 'hint' | 'title'>): string {
  return toRealm(hint.realm ?? title);
}

/** A name as a realm, which is a quoted string without escapes. */
export function toRealm(name: string): string {
  return toQuotable(name).slice(0, 60).trim() || 'API';
}

/** Removes characters that a quoted string cannot hold without escapes. */
export function toQuotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '').trim();
}

const toChallenge = (realm: string) => `Bearer realm="${realm}"`;

/** The 401 for a request without a key. */
export function toMissingKey(realm: string): Answer {
  return toErrorAnswer(
    'missing_api_key',
    'This operation needs an API key. Send it as "Authorization: Bearer <key>".',
    { 'WWW-Authenticate': toChallenge(realm) },
  );
}

/**
 * Finds the key of a request's bearer token. The token is compared with every key, even after a
 * match, so the time shows nothing about the keys.
 */
function createAuthenticate(keys: readonly ApiKey[], realm: string): Authenticate {
  const challenge = toChallenge(realm);
  const missingKey = toMissingKey(realm);
  const invalid = (message: string): Answer =>
    toErrorAnswer('invalid_api_key', message, {
      'WWW-Authenticate': `${challenge}, error="invalid_token", error_description="The API key is not valid"`,
    });
  const unknown = invalid(
    'The API key is unknown. Send one that the mock was started with as "Authorization: Bearer <key>".',
  );
  const malformed = invalid('The Authorization header must be "Bearer <key>", with one key.');

  return (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined) return { refusal: missingKey, problem: 'missing' };
    // A key may be any printable text, though no bearer token is.
    const sent = /^bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
    let found: ApiKey | undefined;
    for (const candidate of keys) if (isSameSecret(candidate.key, sent)) found = candidate;
    if (found) return { key: found };
    return bearerToken(authorization) === undefined
      ? { refusal: malformed, problem: 'malformed' }
      : { refusal: unknown, problem: 'unknown' };
  };
}

/**
 * The token of a bearer credential (RFC 6750 §2.1), or undefined; the scheme's case does not matter
 * (RFC 9110 §11.1).
 */
export function bearerToken(authorization: string): string | undefined {
  return /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1];
}

/**
 * Whether the token equals the secret, in a time that depends only on the secret's length: every
 * character is compared. Digests and `timingSafeEqual` would do the same, but take a fifth of the
 * time of a whole request.
 */
export function isSameSecret(secret: string, sent: string): boolean {
  let difference = secret.length ^ sent.length;
  for (let at = 0; at < secret.length; at++)
    difference |= secret.charCodeAt(at) ^ sent.charCodeAt(at);
  return difference === 0;
}
