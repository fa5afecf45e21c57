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
};

export type Grant = Pick<OAuthCall, 'place' | 'issuer'> & {
  /** The key that counts. */
  key: ApiKey;
  /** The client, where it named itself. */
  client: ApiKey | undefined;
  scope: string;
  /** Whether a user takes part, so that the client may come back without one. */
  hasUser: boolean;
};

/** Issues the tokens of a grant. */
export function issueTokens({ tokens }: OAuthContext, grant: Grant): TokenAnswer {
  const { key, client, scope, place, issuer, hasUser } = grant;
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
