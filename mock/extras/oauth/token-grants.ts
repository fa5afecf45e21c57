import type { FlowName } from '../../../openapi/index.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { Claims, TokenKind } from '../schemes/tokens.ts';
import { type CodeClaims, checkVerifier } from './authorize.ts';
import {
  type Client,
  grantScopes,
  issueTokens,
  type OAuthCall,
  type OAuthContext,
  refuse,
  required,
  type TokenAnswer,
} from './context.ts';

export type TokenCall = OAuthCall & { client: Client | undefined };

type GiveTokens = (context: OAuthContext, call: TokenCall) => TokenAnswer;

/** The grant types of the token endpoint, with the flows that have them. */
export const grants: Readonly<Record<string, { flows: readonly FlowName[]; give: GiveTokens }>> = {
  client_credentials: { flows: ['clientCredentials'], give: giveForClient },
  authorization_code: { flows: ['authorizationCode'], give: giveForCode },
  password: { flows: ['password'], give: giveForPassword },
  refresh_token: { flows: ['authorizationCode', 'password'], give: giveForRefreshToken },
};

/** RFC 6749 §4.4: only for clients that have shown their secret. */
function giveForClient(context: OAuthContext, call: TokenCall): TokenAnswer {
  const { key, isAuthenticated } = needClient(call);
  if (!isAuthenticated)
    refuse('invalid_client', 'The client must send its secret, which is the key.');
  const scope = grantScopes(call.parameters.get('scope'), context.server.scopes);
  return issueTokens(context, { ...call, key, client: key, scope, hasUser: false });
}

/** How many used codes are known at most. */
const maxUsedCodes = 10_000;

/** RFC 6749 §4.1.3: a code holds once, for its client and its redirect URI. */
function giveForCode(context: OAuthContext, call: TokenCall): TokenAnswer {
  const { parameters } = call;
  const { key, isAuthenticated } = needClient(call);
  const { claims } = readOwn('code', 'code', context, call);
  const code = claims as CodeClaims;
  const { redirect_uri, challenge } = code;
  if (parameters.get('redirect_uri') !== redirect_uri)
    refuse('invalid_grant', 'The redirect_uri is not that of the authorization request.');
  if (!isAuthenticated && challenge === undefined)
    refuse(
      'invalid_client',
      'A client without its secret must use PKCE: the authorization request had no code_challenge.',
    );
  checkVerifier(code, parameters.get('code_verifier'));
  const { usedCodes } = context;
  if (usedCodes.has(claims.jti)) refuse('invalid_grant', 'The code was used before.');
  if (usedCodes.size >= maxUsedCodes) usedCodes.clear();
  usedCodes.add(claims.jti);
  return issueTokens(context, {
    ...call,
    key,
    client: key,
    scope: claims.scope,
    hasUser: true,
  });
}

/** RFC 6749 §4.3: the user is anybody, and the password a key, which counts. */
function giveForPassword(context: OAuthContext, call: TokenCall): TokenAnswer {
  const { parameters, client } = call;
  required(parameters, 'username');
  const key = context.findKey(required(parameters, 'password'));
  if (!key) refuse('invalid_grant', 'The password is not a key.');
  const scope = grantScopes(parameters.get('scope'), context.server.scopes);
  return issueTokens(context, { ...call, key, client: client?.key, scope, hasUser: true });
}

/** RFC 6749 §6: for the same client, and no more scopes. */
function giveForRefreshToken(context: OAuthContext, call: TokenCall): TokenAnswer {
  const { claims, key } = readOwn('refresh', 'refresh_token', context, call);
  const scope = grantScopes(call.parameters.get('scope'), claims.scope.split(' '));
  return issueTokens(context, {
    ...call,
    key,
    client: call.client?.key,
    scope,
    hasUser: true,
  });
}

function needClient({ client }: TokenCall): Client {
  if (!client) refuse('invalid_client', 'The client must send its client_id.');
  return client;
}

/** A code or a refresh token of the client that sends it. */
function readOwn(
  kind: TokenKind,
  parameter: string,
  { tokens }: OAuthContext,
  { parameters, client, place }: TokenCall,
): { claims: Claims; key: ApiKey } {
  const read = tokens.read(kind, required(parameters, parameter), place);
  if (read.problem === 'expired') refuse('invalid_grant', `The ${parameter} has expired.`);
  if (read.problem) refuse('invalid_grant', `The ${parameter} is unknown.`);
  if (read.claims.azp !== client?.key.name)
    refuse('invalid_grant', `The ${parameter} is that of another client.`);
  return read;
}
