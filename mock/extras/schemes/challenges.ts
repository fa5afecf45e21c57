import { toKeyPlace, toSchemeName } from '../../../contracts/description/key-places.ts';
import {
  isBearer,
  type SecurityScheme,
  type WaysIn,
} from '../../../contracts/description/security.ts';
import { toQuotable } from '../../http/authenticate.ts';
import { algorithms, isDigest } from './digest.ts';

type Details = {
  realm: string;
  /** What is wrong with the bearer token, where one was sent (RFC 6750 §3.1). */
  error?: { error: 'invalid_token' | 'insufficient_scope'; description: string } | undefined;
  /** The scopes that are needed. */
  scopes?: readonly string[];
  /** The nonce of challenges of Digest, and whether that of the request is too old. */
  nonce?: string | undefined;
  isStale?: boolean;
};

/**
 * The value of WWW-Authenticate: a challenge for each scheme that has one. A key has no scheme of
 * HTTP, but a 401 needs a challenge (RFC 9110 §15.5.2), so keys alone are given one.
 */
export function toChallenges(schemes: readonly SecurityScheme[], details: Details): string {
  const realm = `realm="${details.realm}"`;
  const challenges = schemes.flatMap((scheme) => {
    if (isBearer(scheme)) return [`Bearer ${realm}${bearerParameters(details)}`];
    if (scheme.type !== 'http') return [];
    if (isDigest(scheme)) return digestChallenges(details);
    const charset = scheme.scheme === 'basic' ? ', charset="UTF-8"' : '';
    return [`${toSchemeName(scheme.scheme)} ${realm}${charset}`];
  });
  const forKeys = schemes.flatMap((scheme) => {
    const place = toKeyPlace(scheme);
    if (!place || place.in === 'authorization') return [];
    return [`ApiKey ${realm}, in="${place.in}", name="${toQuotable(place.name)}"`];
  });
  return [...new Set(challenges.length > 0 ? challenges : forKeys)].join(', ');
}

/** RFC 7616 §3.3: one for each algorithm, the preferred one first. */
function digestChallenges({ realm, nonce, isStale = false }: Details): string[] {
  if (nonce === undefined) return [`Digest realm="${realm}"`];
  const stale = isStale ? ', stale=true' : '';
  return Object.keys(algorithms).map(
    (algorithm) =>
      `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${nonce}"${stale}`,
  );
}

function bearerParameters({ error, scopes }: Details): string {
  if (!error) return '';
  const parameters = `, error="${error.error}", error_description="${error.description}"`;
  return scopes ? `${parameters}, scope="${toQuotable(scopes.join(' '))}"` : parameters;
}

/** What a caller sends to take one of these ways in, in words. */
export function describeWays(waysIn: WaysIn): string {
  const ways = waysIn.map((way) => way.map(({ scheme }) => toExpected(scheme)).join(' and '));
  return [...new Set(ways.filter((words) => words !== ''))].join(', or ');
}

/** What a caller sends for a scheme, in words. */
export function toExpected(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return scheme.in === 'header'
        ? `"${scheme.parameter}: <key>"`
        : `${scheme.in === 'query' ? 'the query parameter' : 'the cookie'} "${scheme.parameter}=<key>"`;
    case 'http':
      return scheme.scheme === 'basic'
        ? 'basic credentials with a key as the password'
        : isDigest(scheme)
          ? 'digest credentials with the name of a key as the user and the key as the password, or "Authorization: Digest <key>"'
          : `"Authorization: ${toSchemeName(scheme.scheme)} <key>"`;
    case 'oauth2':
    case 'openIdConnect':
      return '"Authorization: Bearer <key or access token>"';
    case 'mutualTLS':
      return 'a client certificate';
    case 'unknown':
      return `what "${scheme.name}" asks for`;
  }
}
