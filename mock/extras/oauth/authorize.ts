import { createHash } from 'node:crypto';
import type { FlowName } from '../../../openapi/index.ts';
import { isSameSecret } from '../../http/authenticate.ts';
import type { ApiKey } from '../../limits/plans.ts';
import {
  grantScopes,
  issueTokens,
  lifetimes,
  type OAuthCall,
  type OAuthContext,
  OAuthError,
  type Parameters,
  refuse,
  required,
} from './context.ts';

/** The claims of a code, in addition to those of every token. */
export type CodeClaims = Challenge & { azp?: string; redirect_uri?: string };

const flowOf: Readonly<Record<string, FlowName>> = { code: 'authorizationCode', token: 'implicit' };

/**
 * Returns the URL to which the authorization endpoint sends the user (RFC 6749 §4.1.1, §4.2.1).
 * Every user agrees at once, as nobody is there to ask. Throws OAuthError if there is no safe URL.
 */
export function authorize(context: OAuthContext, call: OAuthCall): string {
  const { parameters } = call;
  const key =
    context.clients.find(required(parameters, 'client_id')) ??
    refuse('invalid_request', 'The client_id is unknown: it is the name of a key.');
  const uri =
    parameters.get('redirect_uri') ??
    key.redirectUris?.[0] ??
    refuse('invalid_request', 'redirect_uri is missing.');
  if (!isAllowedRedirect(uri, key))
    refuse(
      'invalid_request',
      'The redirect_uri must be on localhost, or among the redirectUris of the key, and have only characters that a URI may have.',
    );
  const type = parameters.get('response_type');
  const state = parameters.get('state');
  const where = type === 'token' ? 'fragment' : 'query';
  const redirect = (answer: Record<string, string | undefined>) =>
    withParameters(uri, { ...answer, state, iss: call.issuer }, where);
  try {
    return redirect(grant(context, call, key));
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return redirect({ error: error.code, error_description: error.message });
  }
}

function grant(context: OAuthContext, call: OAuthCall, key: ApiKey): Record<string, string> {
  const { server, tokens, demoKeys } = context;
  const { parameters, place } = call;
  const type = required(parameters, 'response_type');
  const flow = Object.hasOwn(flowOf, type) ? flowOf[type] : undefined;
  if (!flow || !server.flows.has(flow))
    refuse('unsupported_response_type', 'The document describes no such flow.');
  const scope = grantScopes(parameters.get('scope'), server.scopes);
  if (flow === 'implicit') {
    if (!demoKeys) refuse('unauthorized_client', 'The implicit flow is for demo keys alone.');
    const own = { ...call, key, client: key, scope, hasUser: false };
    const { access_token, token_type, expires_in } = issueTokens(context, own);
    return { access_token, token_type, expires_in: String(expires_in), scope };
  }
  const more: CodeClaims = { azp: key.name, ...readChallenge(parameters) };
  const uri = parameters.get('redirect_uri');
  if (uri !== undefined) more.redirect_uri = uri;
  return { code: tokens.issue('code', key, { place, scope, seconds: lifetimes.code, more }) };
}

/**
 * Matches URIs that every reader parses alike: printable ASCII (RFC 3986 §2), which headers allow
 * too. A backslash is excluded: browsers take it for a slash, and other readers do not.
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

/** A code challenge (RFC 7636 §4.3), as a code keeps it. */
type Challenge = { challenge?: string; method?: 'S256' | 'plain' };

const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/;

/** The challenge of an authorization request. Throws OAuthError. */
function readChallenge(parameters: Parameters): Challenge {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method') ?? 'plain';
  if (challenge === undefined) return {};
  if (method !== 'S256' && method !== 'plain')
    refuse('invalid_request', 'code_challenge_method must be S256 or plain.');
  if (!verifierForm.test(challenge))
    refuse('invalid_request', 'code_challenge must have 43 to 128 letters, digits and -._~.');
  return { challenge, method };
}

/** Holds the verifier of a token request against the challenge (RFC 7636 §4.6). Throws OAuthError. */
export function checkVerifier(
  { challenge, method }: Challenge,
  verifier: string | undefined,
): void {
  if (challenge === undefined) {
    if (verifier === undefined) return;
    // Otherwise a code without a challenge could be slipped to a client that sent one (RFC 9700 §4.8.2).
    refuse('invalid_grant', 'The authorization request had no code_challenge.');
  }
  if (verifier === undefined) refuse('invalid_grant', 'code_verifier is missing.');
  const sent =
    method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (!verifierForm.test(verifier) || !isSameSecret(challenge, sent))
    refuse('invalid_grant', 'code_verifier does not fit the code_challenge.');
}
