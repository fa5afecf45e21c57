import type { Express, Request, RequestHandler, Response } from 'express';
import { toEssence } from '../../../common/media-type.ts';
import type { Api, FlowName } from '../../../openapi/index.ts';
import { flowNames } from '../../../openapi/model/security.ts';
import { type Answer, type TextAnswer, toJsonAnswer } from '../../answers/answer.ts';
import { toRealm } from '../../http/authenticate.ts';
import type { Cors } from '../../http/cors.ts';
import { toExpressPath } from '../../http/express-path.ts';
import { type EnterSandbox, localsOf } from '../../http/locals.ts';
import { collectBytes } from '../../http/read-body.ts';
import { type SendApiAnswer, sendNoContent } from '../../http/send-answer.ts';
import { noBytes } from '../../json/exact-json.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { createFindKey } from '../schemes/create-security.ts';
import { type OAuthServer, oauthServerOf } from '../schemes/oauth-server.ts';
import { createTokens } from '../schemes/tokens.ts';
import { authorize } from './authorize.ts';
import {
  Clients,
  type OAuthCall,
  type OAuthContext,
  OAuthError,
  type Parameters,
  readJsonParameters,
  readParameters,
  refuse,
  required,
  toPlain,
} from './context.ts';
import { grants } from './token-grants.ts';

type OAuthOptions = EndpointTools & {
  document: Api;
  keys: readonly ApiKey[];
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
};

/**
 * Returns the parts of the OAuth server: in front of the operations of the document, where the
 * document has it if that is on its own server, and else below `/__oauth`.
 */
export function toOAuthParts({ document, keys, demoKeys, ...tools }: OAuthOptions) {
  const server = oauthServerOf(document);
  if (!server) return {};
  const tokens = createTokens(keys);
  const context: OAuthContext = {
    server,
    tokens,
    demoKeys,
    clients: new Clients(keys, demoKeys),
    findKey: createFindKey(keys),
    usedCodes: new Set(),
  };
  const options = { ...tools, title: document.title, server };
  return {
    tokens,
    mountInFront(app: Express) {
      for (const endpoint of toEndpoints(context)) mountEndpoint(app, endpoint, options);
    },
  };
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
 * Returns the metadata that a client needs of the server at a root (RFC 8414 §2). A root is the
 * origin, and the path of the sandbox. Clients without a secret, and the implicit flow, are for
 * demo keys alone.
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

type EndpointTools = { cors: Cors; enter: EnterSandbox; send: SendApiAnswer };

type EndpointOptions = EndpointTools & { title: string; server: OAuthServer };

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** A request to an endpoint, and what reads its parameters: those of its query, or of its form. */
type EndpointCall = Omit<OAuthCall, 'parameters'> & {
  place: { readonly prefix: string };
  request: Request;
  read: () => Promise<OAuthCall>;
};

/** Answers a request to an endpoint; may throw OAuthError. */
type Handler = (call: EndpointCall) => Answer | TextAnswer | Promise<Answer | TextAnswer>;

/** A path of the OAuth server, with the methods that it has. */
type Endpoint = { path: string; methods: readonly string[]; handler: Handler };

/** Puts an endpoint on an Express app. */
function mountEndpoint(
  app: Express,
  { path, methods, handler }: Endpoint,
  { server, title, cors, enter, send }: EndpointOptions,
): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const route = app.route(toExpressPath(path));
  route.options((request, response) => {
    sendNoContent(response, cors.optionsHeaders(request, allow));
  });
  const step: RequestHandler = async (request, response) => {
    const locals = localsOf(response);
    const { refresh } = enter(response, locals);
    await refresh?.();
    const root = `${request.protocol}://${request.get('host')}${locals.prefix}`;
    const base = { root, issuer: root + server.paths.issuer, place: locals };
    const read = async () => ({ ...base, parameters: await readAll(request, response, server) });
    try {
      const answer = await handler({ ...base, request, read });
      const headers = { ...noStore, ...answer.headers };
      send(response, { ...answer, headers }, { step: 'oauth', endpoint: path });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const reason = { step: 'oauth', endpoint: path, problem: error.code } as const;
      send(response, toErrorAnswer(error, title), reason);
    }
  };
  for (const method of methods) route[method.toLowerCase() as 'get'](step);
}

/** The longest form, in bytes. */
const maxForm = 64 * 1024;

async function readAll(
  request: Request,
  response: Response,
  { takesJson }: OAuthServer,
): Promise<Parameters> {
  if (request.method !== 'POST') return readParameters(request.url.split('?').slice(1).join('?'));
  const mediaType = toEssence(request.headers['content-type'] ?? '');
  const isJson = takesJson && mediaType === 'application/json';
  if (mediaType !== 'application/x-www-form-urlencoded' && !isJson)
    refuse('invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  if (request.headers.expect !== undefined) response.writeContinue();
  const { bytes, problem } = await collectBytes(request, maxForm);
  if (problem) refuse('invalid_request', 'The form is too large or not complete.');
  const text = bytes.toString('utf8');
  Object.assign(localsOf(response), { received: bytes, receivedText: text });
  return isJson ? readJsonParameters(text) : readParameters(text);
}

/** RFC 6749 §5.2: 401 for a client that is not who it says, with a challenge, and 400 otherwise. */
function toErrorAnswer({ code, message }: OAuthError, title: string): Answer {
  const body = { error: code, error_description: message };
  const isClient = code === 'invalid_client';
  const challenge = isClient && { 'WWW-Authenticate': `Basic realm="${toRealm(title)}"` };
  return { ...toJsonAnswer(body, isClient ? 401 : 400), headers: { ...noStore, ...challenge } };
}
