import { type FlowName, flowNames } from '../../contracts/description/security.ts';
import type { OAuthServer } from '../security/oauth-server.ts';
import { ownFolder } from '../security/oauth-server.ts';
import { grants } from './token-grants.ts';

/**
 * What a client needs to know of the server at a root (RFC 8414 §2, OpenID Connect Discovery §3);
 * a root is the origin, and the path of the sandbox. Clients without a secret, and the implicit
 * flow, are for demo keys alone.
 */
export function toMetadata(
  { flows: described, scopes, isOpenId, paths }: OAuthServer,
  { root, demoKeys }: { root: string; demoKeys: boolean },
): Record<string, unknown> {
  const isUsed = (name: FlowName) => described.has(name) && (demoKeys || name !== 'implicit');
  const flows = new Set(flowNames.filter(isUsed));
  const grantTypes = Object.entries(grants)
    .filter(([, grant]) => grant.flows.some((name) => flows.has(name)))
    .map(([type]) => type);
  const responseTypes = [
    ...(flows.has('authorizationCode') ? ['code'] : []),
    ...(flows.has('implicit') ? ['token'] : []),
  ];
  return {
    issuer: root + paths.issuer,
    token_endpoint: root + paths.token,
    ...(responseTypes.length > 0 && { authorization_endpoint: root + paths.authorize }),
    ...(flows.has('deviceAuthorization') && { device_authorization_endpoint: root + paths.device }),
    jwks_uri: `${root}${ownFolder}/keys`,
    ...(isOpenId && { userinfo_endpoint: `${root}${ownFolder}/userinfo` }),
    scopes_supported: scopes,
    response_types_supported: responseTypes,
    grant_types_supported: [...grantTypes, ...(flows.has('implicit') ? ['implicit'] : [])],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      ...(demoKeys ? ['none'] : []),
    ],
    code_challenge_methods_supported: ['S256', 'plain'],
    authorization_response_iss_parameter_supported: true,
    ...(isOpenId && {
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  };
}
