import { toSchemeName } from '../../contracts/description/key-places.ts';
import type { SecurityScheme, WaysIn } from '../../contracts/description/security.ts';
import { isDigest } from './digest.ts';

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
