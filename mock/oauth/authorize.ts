import type { FlowName } from '../../contracts/description/security.ts';
import type { CalledPlace } from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Clients } from './clients.ts';
import { grantScopes, issueTokens, lifetimes, type OAuthOptions } from './issue.ts';
import { OAuthError, type Parameters, required } from './oauth-error.ts';
import { readChallenge } from './pkce.ts';
export type AuthorizeOptions = OAuthOptions & {
  clients: Clients;
  demoKeys: boolean;
};

type Request = { parameters: Parameters; place: CalledPlace; issuer: string };

/** What a code keeps besides what all tokens say. */
export type CodeClaims = {
  azp?: string;
  redirect_uri?: string;
  challenge?: string;
  method?: 'S256' | 'plain';
  nonce?: string;
};

const flowOf: Readonly<Record<string, FlowName>> = { code: 'authorizationCode', token: 'implicit' };

/**
 * Where the authorization endpoint sends the user (RFC 6749 §4.1.1, §4.2.1): everybody agrees at
 * once, as nobody is there to ask. Throws OAuthError where there is nowhere safe to send to.
 */
export function authorize(options: AuthorizeOptions, request: Request): string {
  const { parameters } = request;
  const key = options.clients.find(required(parameters, 'client_id'));
  if (!key)
    throw new OAuthError('invalid_request', 'The client_id is unknown: it is the name of a key.');
  const uri = parameters.get('redirect_uri') ?? key.redirectUris?.[0];
  if (uri === undefined) throw new OAuthError('invalid_request', 'redirect_uri is missing.');
  if (!isAllowedRedirect(uri, key))
    throw new OAuthError(
      'invalid_request',
      'The redirect_uri must be on localhost, or among the redirectUris of the key, and have only characters that a URI may have.',
    );
  const type = parameters.get('response_type');
  const state = parameters.get('state');
  const where = type === 'token' ? 'fragment' : 'query';
  const redirect = (answer: Record<string, string | undefined>) =>
    withParameters(uri, { ...answer, state, iss: request.issuer }, where);
  try {
    return redirect(grant(options, { ...request, key, type }));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return redirect({ error: error.code, error_description: error.message });
  }
}

function grant(
  options: AuthorizeOptions,
  { key, type, parameters, place, issuer }: Request & { key: ApiKey; type: string | undefined },
): Record<string, string> {
  const { server, tokens, demoKeys } = options;
  if (type === undefined) throw new OAuthError('invalid_request', 'response_type is missing.');
  const flow = Object.hasOwn(flowOf, type) ? flowOf[type] : undefined;
  if (!flow || !server.flows.has(flow))
    throw new OAuthError('unsupported_response_type', 'The document describes no such flow.');
  const scope = grantScopes(parameters.get('scope'), server.scopes);
  if (flow === 'implicit') {
    if (!demoKeys)
      throw new OAuthError('unauthorized_client', 'The implicit flow is for demo keys alone.');
    const { access_token, token_type, expires_in } = issueTokens(options, {
      key,
      client: key,
      scope,
      place,
      issuer,
      hasUser: false,
    });
    return { access_token, token_type, expires_in: String(expires_in), scope };
  }
  const redirectUri = parameters.get('redirect_uri');
  const nonce = parameters.get('nonce');
  const more: CodeClaims = {
    azp: key.name,
    ...readChallenge(parameters),
    ...(redirectUri !== undefined && { redirect_uri: redirectUri }),
    ...(nonce !== undefined && { nonce }),
  };
  return { code: tokens.issue('code', key, { place, scope, seconds: lifetimes.code, more }) };
}

/**
 * What every reader of a URI takes alike: printable ASCII (RFC 3986 §2), which a header may have as
 * well, and no backslash, which browsers take for a slash and others do not.
 */
const plainUri = /^[!-[\]-~]+$/;

/**
 * Whether a client may be redirected to a URI: to the machine of the user (RFC 8252 §7.3), or where
 * its key is registered for. Anything else would send users of the twin wherever a link says.
 */
function isAllowedRedirect(uri: string, { redirectUris = [] }: ApiKey): boolean {
  if (!plainUri.test(uri)) return false;
  if (redirectUris.includes(uri)) return true;
  const url = URL.parse(uri);
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false;
  const isLoopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return isLoopback && /^https?:$/.test(url.protocol);
}

/** A URI with further parameters in its query, or in its fragment. */
function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  where: 'query' | 'fragment',
): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs as [string, string][]).toString();
  const mark = where === 'fragment' ? '#' : uri.includes('?') ? '&' : '?';
  return `${uri}${mark}${text}`;
}
