import { toKeyPlace, toSchemeName } from '../../contracts/description/key-places.ts';
import { isBearer, type SecurityScheme } from '../../contracts/description/security.ts';
import { toQuotable } from '../http/authenticate.ts';
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
