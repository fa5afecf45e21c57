import type { Express } from 'express';
import { type FlowName, flowNames } from '../../../contracts/description/security.ts';
import { type Answer, toJsonAnswer } from '../../answers/answer.ts';
import { noBytes } from '../../json/exact-json.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { createFindKey } from '../schemes/read-credential.ts';
import type { Tokens } from '../schemes/tokens.ts';
import { authorize } from './authorize.ts';
import { Clients, type OAuthContext, UsedCodes } from './context.ts';
import {
  type Endpoint,
  type EndpointCall,
  type EndpointOptions,
  type Handler,
  mountEndpoint,
} from './mount-endpoint.ts';
import { refuse, required, toPlain } from './oauth-error.ts';
import { grants } from './token-grants.ts';
export type MountOAuthOptions = EndpointOptions & {
  tokens: Tokens;
  keys: readonly ApiKey[];
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
};

/**
 * Puts the OAuth server on an Express app, in front of the operations of the document: where the
 * document has it, if that is on its own server, and else below `/__oauth`.
 */
export function mountOAuth(app: Express, options: MountOAuthOptions): void {
  const { server, tokens, keys, demoKeys } = options;
  const context: OAuthContext = {
    server,
    tokens,
    demoKeys,
    clients: new Clients(keys, demoKeys),
    findKey: createFindKey(keys),
    usedCodes: new UsedCodes(),
  };
  for (const endpoint of toEndpoints(context)) mountEndpoint(app, endpoint, options);
}

function toEndpoints(context: OAuthContext): Endpoint[] {
  const { server } = context;
  const { paths, flows } = server;
  const endpoints: Endpoint[] = [];
  const add = (path: string, methods: readonly string[], handler: Handler) =>
    endpoints.push({ path, methods, handler });
  add(paths.token, ['POST'], (call) => answerToken(call, context));
  if (flows.has('authorizationCode') || flows.has('implicit'))
    add(paths.authorize, ['GET', 'POST'], async ({ read }) => {
      const Location = authorize(context, await read());
      return {
        status: 302,
        json: noBytes,
        headers: { Location, 'Referrer-Policy': 'no-referrer' },
      };
    });
  for (const path of paths.metadata)
    add(path, ['GET'], ({ root }) => toJsonAnswer(toMetadata(context, root)));
  return endpoints;
}

async function answerToken(
  { request, read }: EndpointCall,
  context: OAuthContext,
): Promise<Answer> {
  const call = await read();
  const grant = required(call.parameters, 'grant_type');
  const known = Object.hasOwn(grants, grant) ? grants[grant] : undefined;
  if (!known?.flows.some((flow) => context.server.flows.has(flow)))
    return refuse(
      'unsupported_grant_type',
      `The document describes no flow for ${toPlain(grant)}.`,
    );
  const client = context.clients.read(call.parameters, request.headers.authorization);
  return toJsonAnswer(known.give(context, { ...call, client }));
}

/**
 * What a client needs to know of the server at a root (RFC 8414 §2);
 * a root is the origin, and the path of the sandbox. Clients without a secret, and the implicit
 * flow, are for demo keys alone.
 */
function toMetadata({ server, demoKeys }: OAuthContext, root: string): Record<string, unknown> {
  const { flows: described, scopes, paths } = server;
  const isUsed = (name: FlowName) => described.has(name) && (demoKeys || name !== 'implicit');
  const flows = new Set(flowNames.filter(isUsed));
  const grantTypes = Object.entries(grants)
    .filter(([, grant]) => grant.flows.some((name) => flows.has(name)))
    .map(([type]) => type);
  const responseTypes = [
    ...(flows.has('authorizationCode') ? ['code'] : []),
    ...(flows.has('implicit') ? ['token'] : []),
  ];
  const metadata: Record<string, unknown> = {
    issuer: root + paths.issuer,
    token_endpoint: root + paths.token,
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
  };
  if (responseTypes.length > 0) metadata.authorization_endpoint = root + paths.authorize;
  return metadata;
}
