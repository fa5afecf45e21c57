import type { Express, Request, Response } from 'express';
import { type FlowName, flowNames } from '../../contracts/description/security.ts';
import { toJsonAnswer } from '../answers/answer.ts';
import { bearerToken } from '../http/authenticate.ts';
import { collectBytes } from '../http/body-bytes.ts';
import { isCrossSite } from '../http/is-cross-site.ts';
import { localsOf } from '../http/locals.ts';
import type { SendApiAnswer } from '../http/send-api-answer.ts';
import { noBytes } from '../json/byte-text.ts';
import type { ApiKey } from '../limits/plans.ts';
import { toRealm } from '../security/challenges.ts';
import { createFindKey } from '../security/find-key.ts';
import { type OAuthServer, ownFolder } from '../security/oauth-server.ts';
import type { Tokens } from '../security/tokens.ts';
import { authorize } from './authorize.ts';
import { createClients } from './clients.ts';
import {
  authorizeDevice,
  createDevices,
  decideDevice,
  findDevice,
  type ToDevicePage,
  verifyPath,
} from './device.ts';
import { toKeySet } from './issue.ts';
import {
  type Endpoint,
  type EndpointOptions,
  type Handler,
  mountEndpoint,
  mountOtherMethods,
} from './mount-endpoint.ts';
import { OAuthError, type Parameters, readParameters, required, toPlain } from './oauth-error.ts';
import { createUsedCodes, grants } from './token-grants.ts';
export type MountOAuthOptions = EndpointOptions & {
  tokens: Tokens;
  keys: readonly ApiKey[];
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  toDevicePage: ToDevicePage;
};

/** The longest form, in bytes. */
const maxForm = 64 * 1024;

/** Answers the methods that the endpoints do not have; mounted behind operations at their paths. */
export type MountOtherMethods = (send: SendApiAnswer) => void;

/**
 * Puts the OAuth server on an Express app, in front of the operations of the document: where the
 * document has it, if that is on its own server, and else below `/__oauth`.
 */
export function mountOAuth(app: Express, options: MountOAuthOptions): MountOtherMethods {
  const { server, tokens, keys, demoKeys } = options;
  const { paths } = server;
  const clients = createClients(keys, demoKeys);
  const shared = {
    server,
    tokens,
    clients,
    demoKeys,
    findKey: createFindKey(keys),
    usedCodes: createUsedCodes(),
    devices: createDevices(),
  };

  const answerToken: Handler = async ({ request, response, issuer }) => {
    const parameters = await readForm(request, response);
    const grant = required(parameters, 'grant_type');
    const known = Object.hasOwn(grants, grant) ? grants[grant] : undefined;
    if (!known?.flows.some((flow) => server.flows.has(flow)))
      throw new OAuthError(
        'unsupported_grant_type',
        `The document describes no flow for ${toPlain(grant)}.`,
      );
    const client = clients.read(parameters, request.headers.authorization);
    const place = localsOf(response);
    return toJsonAnswer(known.give(shared, { parameters, client, place, issuer }));
  };
  const answerAuthorize: Handler = async ({ request, response, issuer }) => {
    const parameters =
      request.method === 'POST' ? await readForm(request, response) : readQuery(request);
    const location = authorize(shared, { parameters, place: localsOf(response), issuer });
    return {
      status: 302,
      json: noBytes,
      headers: { Location: location, 'Referrer-Policy': 'no-referrer' },
    };
  };
  const answerDevice: Handler = async ({ request, response, root }) => {
    const parameters = await readForm(request, response);
    const client = clients.read(parameters, request.headers.authorization);
    const place = localsOf(response);
    const { sandboxName, prefix } = place;
    // The browser of the user sends no X-Sandbox, so the address of the page names the sandbox.
    const isInHeader = sandboxName !== undefined && prefix === '';
    const pages = isInHeader ? `${root}/sandboxes/${sandboxName}` : root;
    return toJsonAnswer(authorizeDevice(shared, { parameters, client, place, root: pages }));
  };
  const answerVerify: Handler = async ({ request, response }) => {
    const isDecided = request.method === 'POST';
    if (isDecided && isCrossSite(request))
      throw new OAuthError(
        'access_denied',
        'A page of another origin cannot decide on a device. Open the verification_uri instead.',
      );
    const parameters = isDecided ? await readForm(request, response) : readQuery(request);
    const act = isDecided ? decideDevice : findDevice;
    return options.toDevicePage(act(shared.devices, { parameters, place: localsOf(response) }));
  };
  /** A browser that shows the page shows on it what is wrong, too. */
  const answerVerifyOnPage: Handler = async (call) => {
    try {
      return await answerVerify(call);
    } catch (error) {
      const isShown = call.request.accepts(['json', 'html']) === 'html';
      if (!(error instanceof OAuthError) || !isShown) throw error;
      return options.toDevicePage({ problem: error.message });
    }
  };
  const answerUser: Handler = ({ request, response }) => {
    const token = bearerToken(request.headers.authorization ?? '') ?? '';
    const read = tokens.read('access', token, localsOf(response));
    if (!read.problem) return toJsonAnswer({ sub: read.key.name, name: read.key.name });
    return {
      ...toJsonAnswer(
        { error: 'invalid_token', error_description: 'The token is not valid.' },
        401,
      ),
      headers: {
        'WWW-Authenticate': `Bearer realm="${toRealm(options.title)}", error="invalid_token"`,
      },
    };
  };
  const answerMetadata: Handler = ({ root }) =>
    toJsonAnswer(toMetadata(server, { root, demoKeys }));

  const endpoints: Endpoint[] = [];
  const mount = (path: string, methods: readonly string[], handler: Handler) => {
    const endpoint = { path, methods, handler };
    endpoints.push(endpoint);
    mountEndpoint(app, endpoint, options);
  };
  mount(paths.token, ['POST'], answerToken);
  if (server.flows.has('authorizationCode') || server.flows.has('implicit'))
    mount(paths.authorize, ['GET', 'POST'], answerAuthorize);
  if (server.flows.has('deviceAuthorization')) {
    mount(paths.device, ['POST'], answerDevice);
    mount(verifyPath, ['GET', 'POST'], answerVerifyOnPage);
  }
  mount(`${ownFolder}/keys`, ['GET'], () => toJsonAnswer(toKeySet()));
  for (const path of paths.metadata) mount(path, ['GET'], answerMetadata);
  if (server.isOpenId) mount(`${ownFolder}/userinfo`, ['GET', 'POST'], answerUser);
  return (send) => {
    for (const endpoint of endpoints) mountOtherMethods(app, endpoint, send);
  };
}

function readQuery({ url }: Request): Parameters {
  const at = url.indexOf('?');
  return readParameters(at === -1 ? '' : url.slice(at + 1));
}

async function readForm(request: Request, response: Response): Promise<Parameters> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    throw new OAuthError('invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  if (request.headers.expect !== undefined) response.writeContinue();
  const { bytes, problem } = await collectBytes(request, maxForm);
  if (problem) throw new OAuthError('invalid_request', 'The form is too large or not complete.');
  const locals = localsOf(response);
  locals.received = bytes;
  locals.receivedText = bytes.toString('utf8');
  return readParameters(locals.receivedText);
}

/**
 * What a client needs to know of the server at a root (RFC 8414 §2, OpenID Connect Discovery §3);
 * a root is the origin, and the path of the sandbox. Clients without a secret, and the implicit
 * flow, are for demo keys alone.
 */
function toMetadata(
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
