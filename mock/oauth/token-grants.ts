import type { FlowName } from '../../contracts/description/security.ts';
import type { CalledPlace } from '../http/authenticate.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { FindKey } from '../security/find-key.ts';
import type { Claims, TokenKind } from '../security/tokens.ts';
import type { CodeClaims } from './authorize.ts';
import type { Client } from './clients.ts';
import { type DeviceOptions, ensureAllowed } from './device.ts';
import { grantScopes, issueTokens, type TokenAnswer } from './issue.ts';
import { OAuthError, type Parameters, required } from './oauth-error.ts';
import { checkVerifier } from './pkce.ts';
export type GrantOptions = DeviceOptions & {
  findKey: FindKey;
  usedCodes: UsedCodes;
};

export type TokenRequest = {
  parameters: Parameters;
  client: Client | undefined;
  place: CalledPlace;
  issuer: string;
};

type GiveTokens = (options: GrantOptions, request: TokenRequest) => TokenAnswer;

/** The grant types of the token endpoint, with the flows that have them. */
export const grants: Readonly<Record<string, { flows: readonly FlowName[]; give: GiveTokens }>> = {
  client_credentials: { flows: ['clientCredentials'], give: giveForClient },
  authorization_code: { flows: ['authorizationCode'], give: giveForCode },
  password: { flows: ['password'], give: giveForPassword },
  refresh_token: {
    flows: ['authorizationCode', 'password', 'deviceAuthorization'],
    give: giveForRefreshToken,
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    flows: ['deviceAuthorization'],
    give: giveForDevice,
  },
};

/** RFC 6749 §4.4: only for clients that have shown their secret. */
function giveForClient(options: GrantOptions, request: TokenRequest): TokenAnswer {
  const { key, isAuthenticated } = needClient(request);
  if (!isAuthenticated)
    throw new OAuthError('invalid_client', 'The client must send its secret, which is the key.');
  const scope = grantScopes(request.parameters.get('scope'), options.server.scopes);
  return issueTokens(options, { ...request, key, client: key, scope, hasUser: false });
}

/** RFC 6749 §4.1.3: a code holds once, for its client and its redirect URI. */
function giveForCode(options: GrantOptions, request: TokenRequest): TokenAnswer {
  const { parameters } = request;
  const { key, isAuthenticated } = needClient(request);
  const { claims } = readOwn('code', 'code', options, request);
  const code = claims as CodeClaims;
  const { redirect_uri, challenge, nonce } = code;
  if (parameters.get('redirect_uri') !== redirect_uri)
    throw new OAuthError(
      'invalid_grant',
      'The redirect_uri is not that of the authorization request.',
    );
  if (!isAuthenticated && challenge === undefined)
    throw new OAuthError(
      'invalid_client',
      'A client without its secret must use PKCE: the authorization request had no code_challenge.',
    );
  checkVerifier(code, parameters.get('code_verifier'));
  useOnce('code', claims, options);
  return issueTokens(options, {
    ...request,
    key,
    client: key,
    scope: claims.scope,
    hasUser: true,
    nonce,
  });
}

/** RFC 6749 §4.3: the user is anybody, and the password a key, which counts. */
function giveForPassword(options: GrantOptions, request: TokenRequest): TokenAnswer {
  const { parameters, client } = request;
  required(parameters, 'username');
  const key = options.findKey(required(parameters, 'password'));
  if (!key) throw new OAuthError('invalid_grant', 'The password is not a key.');
  const scope = grantScopes(parameters.get('scope'), options.server.scopes);
  return issueTokens(options, { ...request, key, client: client?.key, scope, hasUser: true });
}

/** RFC 6749 §6: for the same client, and no more scopes. */
function giveForRefreshToken(options: GrantOptions, request: TokenRequest): TokenAnswer {
  const { claims, key } = readOwn('refresh', 'refresh_token', options, request);
  const scope = grantScopes(request.parameters.get('scope'), claims.scope.split(' '));
  return issueTokens(options, {
    ...request,
    key,
    client: request.client?.key,
    scope,
    hasUser: true,
  });
}

/** RFC 8628 §3.4: where nobody enters the code, it is approved after a while. */
function giveForDevice(options: GrantOptions, request: TokenRequest): TokenAnswer {
  const { key } = needClient(request);
  const { claims } = readOwn('device', 'device_code', options, request);
  const { scope, iat, user_code: userCode } = claims;
  const { devices } = options;
  ensureAllowed(devices, { userCode, issuedAt: iat * 1000 }, request.place);
  useOnce('device_code', claims, options);
  devices.remove(userCode);
  return issueTokens(options, { ...request, key, client: key, scope, hasUser: true });
}

function needClient({ client }: TokenRequest): Client {
  if (!client) throw new OAuthError('invalid_client', 'The client must send its client_id.');
  return client;
}

/** A code or a refresh token of the client that sends it. */
function readOwn(
  kind: TokenKind,
  parameter: string,
  { tokens }: GrantOptions,
  { parameters, client, place }: TokenRequest,
): { claims: Claims; key: ApiKey } {
  const read = tokens.read(kind, required(parameters, parameter), place);
  if (read.problem === 'expired')
    throw new OAuthError(
      kind === 'device' ? 'expired_token' : 'invalid_grant',
      `The ${parameter} has expired.`,
    );
  if (read.problem) throw new OAuthError('invalid_grant', `The ${parameter} is unknown.`);
  if (read.claims.azp !== client?.key.name)
    throw new OAuthError('invalid_grant', `The ${parameter} is that of another client.`);
  return read;
}

function useOnce(parameter: string, { jti }: Claims, { usedCodes }: GrantOptions): void {
  if (!usedCodes.use(jti))
    throw new OAuthError('invalid_grant', `The ${parameter} was used before.`);
}

/** The codes that this process has taken tokens for; other processes do not know of them. */
interface UsedCodes {
  /** Uses a code; false where it was used before. */
  use(id: string): boolean;
}

/** So many are held, the latest. */
const maxCodes = 10_000;

/** Makes a memory of used codes. */
export function createUsedCodes(): UsedCodes {
  const used = new Set<string>();
  return {
    use(id) {
      if (used.has(id)) return false;
      used.add(id);
      const [oldest] = used;
      if (used.size > maxCodes && oldest !== undefined) used.delete(oldest);
      return true;
    },
  };
}
