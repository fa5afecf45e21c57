import { createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { readOwn } from '../../contracts/look/read-own.ts';
import type { CalledPlace } from '../http/authenticate.ts';
import { once } from '../json/once-per.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { OAuthServer } from '../security/oauth-server.ts';
import type { Tokens } from '../security/tokens.ts';
import { OAuthError, toPlain } from './oauth-error.ts';
/** How long tokens hold, in seconds by the clock of their sandbox. */
export const lifetimes = { access: 3600, refresh: 30 * 86_400, code: 60, device: 600 };

/** What the parts of the OAuth server share. */
export type OAuthOptions = {
  server: OAuthServer;
  tokens: Tokens;
};

/** The answer of the token endpoint (RFC 6749 §5.1). */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
};

export type Grant = {
  /** The key that counts. */
  key: ApiKey;
  /** The client, where it named itself. */
  client?: ApiKey | undefined;
  scope: string;
  place: CalledPlace;
  /** The issuer of tokens, as a URL. */
  issuer: string;
  /** Whether a user takes part, so that the client may come back without one. */
  hasUser: boolean;
  nonce?: string | undefined;
};

/** Issues the tokens of a grant. */
export function issueTokens(
  { server, tokens }: OAuthOptions,
  { key, client, scope, place, issuer, hasUser, nonce }: Grant,
): TokenAnswer {
  const issue = (kind: 'access' | 'refresh') =>
    tokens.issue(kind, key, {
      place,
      scope,
      seconds: lifetimes[kind],
      more: { iss: issuer, sub: key.name, ...(client && { azp: client.name }) },
    });
  const isOpenId = server.isOpenId && hasUser && scope.split(' ').includes('openid');
  return {
    access_token: issue('access'),
    token_type: 'Bearer',
    expires_in: lifetimes.access,
    scope,
    ...(hasUser && { refresh_token: issue('refresh') }),
    ...(isOpenId && {
      id_token: signIdToken({
        iss: issuer,
        sub: key.name,
        aud: client?.name ?? key.name,
        iat: Math.floor(place.sandbox.clock.now() / 1000),
        exp: Math.floor(place.sandbox.clock.now() / 1000) + lifetimes.access,
        ...(nonce !== undefined && { nonce }),
      }),
    }),
  };
}

/**
 * The scopes that a request gets: those that it asks for, or all of these. Throws OAuthError for
 * another one.
 */
export function grantScopes(asked: string | undefined, all: readonly string[]): string {
  if (asked === undefined) return all.join(' ');
  const scopes = [...new Set(asked.split(' ').filter((scope) => scope !== ''))];
  const unknown = scopes.find((scope) => !all.includes(scope));
  if (unknown !== undefined)
    throw new OAuthError(
      'invalid_scope',
      `The scope ${toPlain(unknown)} is not one of ${toPlain(all.join(' '))}.`,
    );
  return scopes.join(' ');
}

/** The claims of an ID token (OpenID Connect Core §2). */
type IdClaims = {
  iss: string;
  sub: string;
  aud: string;
  iat: number;
  exp: number;
  nonce?: string;
};

/**
 * The key of the package: it proves nothing, but every process has it, so that a client can check
 * the token of one with the key of another.
 */
const file = new URL('../../fixtures/id-token-key.json', import.meta.url);

const readJwk = once(() => JSON.parse(readOwn(file)) as JsonWebKey);

const keyId = 'twin';

/** Signs an ID token with RS256, which every client knows. */
function signIdToken(claims: IdClaims): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(claims)}`;
  const key = createPrivateKey({ key: readJwk(), format: 'jwk' });
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

/** The public keys of ID tokens (RFC 7517). */
export function toKeySet(): { keys: object[] } {
  const key = createPublicKey({ key: readJwk(), format: 'jwk' }).export({ format: 'jwk' });
  return { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: keyId }] };
}
