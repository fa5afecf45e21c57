import { createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto';
import { readOwn } from '../../../contracts/look/read-own.ts';
import { once } from '../../json/once-per.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { OAuthCall, OAuthContext } from './context.ts';
import { refuse, toPlain } from './oauth-error.ts';
/** How long tokens hold, in seconds by the clock of their sandbox. */
export const lifetimes = { access: 3600, refresh: 30 * 86_400, code: 60 };

/** The answer of the token endpoint (RFC 6749 §5.1). */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
  refresh_token?: string;
  id_token?: string;
};

export type Grant = Pick<OAuthCall, 'place' | 'issuer'> & {
  /** The key that counts. */
  key: ApiKey;
  /** The client, where it named itself. */
  client: ApiKey | undefined;
  scope: string;
  /** Whether a user takes part, so that the client may come back without one. */
  hasUser: boolean;
  nonce?: string | undefined;
};

/** Issues the tokens of a grant. */
export function issueTokens({ server, tokens }: OAuthContext, grant: Grant): TokenAnswer {
  const { key, client, scope, place, issuer, hasUser, nonce } = grant;
  const issue = (kind: 'access' | 'refresh') => {
    const more = { iss: issuer, sub: key.name, ...(client && { azp: client.name }) };
    return tokens.issue(kind, key, { place, scope, seconds: lifetimes[kind], more });
  };
  const answer: TokenAnswer = {
    access_token: issue('access'),
    token_type: 'Bearer',
    expires_in: lifetimes.access,
    scope,
  };
  if (hasUser) answer.refresh_token = issue('refresh');
  if (server.isOpenId && hasUser && scope.split(' ').includes('openid')) {
    const iat = Math.floor(place.sandbox.clock.now() / 1000);
    const aud = client?.name ?? key.name;
    const exp = iat + lifetimes.access;
    answer.id_token = signIdToken({ iss: issuer, sub: key.name, aud, iat, exp, nonce });
  }
  return answer;
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
    refuse(
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
  nonce: string | undefined;
};

/**
 * The key of the package: it proves nothing, but every process has it, so that a client can check
 * the token of one with the key of another.
 */
const file = new URL('../../../fixtures/id-token-key.json', import.meta.url);

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
