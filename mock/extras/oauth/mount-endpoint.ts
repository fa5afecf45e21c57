import type { Express, Request, RequestHandler, Response } from 'express';
import { type Answer, type TextAnswer, toJsonAnswer } from '../../answers/answer.ts';
import { toRealm } from '../../http/authenticate.ts';
import type { Cors } from '../../http/cors.ts';
import { toExpressPath } from '../../http/express-path.ts';
import { type EnterSandbox, localsOf } from '../../http/locals.ts';
import { collectBytes } from '../../http/read-body.ts';
import { type SendApiAnswer, sendNoContent } from '../../http/send-answer.ts';
import type { OAuthServer } from '../schemes/oauth-server.ts';
import type { OAuthCall } from './context.ts';
import { OAuthError, type Parameters, readParameters, refuse } from './oauth-error.ts';
/** What endpoints are mounted with. */
export type EndpointOptions = {
  title: string;
  server: OAuthServer;
  cors: Cors;
  enter: EnterSandbox;
  send: SendApiAnswer;
};

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** A request to an endpoint, and what reads its parameters: those of its query, or of its form. */
export type EndpointCall = Omit<OAuthCall, 'parameters'> & {
  place: { readonly prefix: string };
  request: Request;
  read: () => Promise<OAuthCall>;
};

/** Answers a request to an endpoint; may throw OAuthError. */
export type Handler = (call: EndpointCall) => Answer | TextAnswer | Promise<Answer | TextAnswer>;

/** A path of the OAuth server, with the methods that it has. */
export type Endpoint = { path: string; methods: readonly string[]; handler: Handler };

/** Puts an endpoint on an Express app. */
export function mountEndpoint(
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
    const read = async () => ({ ...base, parameters: await readAll(request, response) });
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

async function readAll(request: Request, response: Response): Promise<Parameters> {
  if (request.method !== 'POST') return readParameters(request.url.split('?').slice(1).join('?'));
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    refuse('invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  if (request.headers.expect !== undefined) response.writeContinue();
  const { bytes, problem } = await collectBytes(request, maxForm);
  if (problem) refuse('invalid_request', 'The form is too large or not complete.');
  const text = bytes.toString('utf8');
  Object.assign(localsOf(response), { received: bytes, receivedText: text });
  return readParameters(text);
}

/** RFC 6749 §5.2: 401 for a client that is not who it says, with a challenge, and 400 otherwise. */
function toErrorAnswer({ code, message }: OAuthError, title: string): Answer {
  const body = { error: code, error_description: message };
  const isClient = code === 'invalid_client';
  const challenge = isClient && { 'WWW-Authenticate': `Basic realm="${toRealm(title)}"` };
  return { ...toJsonAnswer(body, isClient ? 401 : 400), headers: { ...noStore, ...challenge } };
}
