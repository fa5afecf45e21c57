import { isDeepStrictEqual } from 'node:util';
import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { readOwn } from '../../../common/look/read-own.ts';
import { once } from '../../../common/once-per.ts';
import { type Api, compile, type Operation } from '../../../openapi/index.ts';
import { isSecured } from '../../../openapi/model/security.ts';
import { type Answer, type TextAnswer, toErrorAnswer } from '../../answers/answer.ts';
import { bearerToken, isSameSecret } from '../../http/authenticate.ts';
import { askedHeaders } from '../../http/cors.ts';
import { isUndecodable, toExpressPath, undecodable } from '../../http/express-path.ts';
import { isForeign, isSentByMock } from '../../http/guard-request.ts';
import { type EnterSandbox, localsOf, type RecordExchange } from '../../http/locals.ts';
import { sendAnswer, sendNoContent } from '../../http/send-answer.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { createReadCall, type ReadCall, traitsOf } from './read-call.ts';
import { orRefusal } from './refusal.ts';

/** A call of the admin whose query and body fit what its document says of the operation. */
export type AdminCall = ReadCall & {
  /** The sandbox that it is about. */
  sandbox: Sandbox;
  /** Path parameters, percent-decoded. */
  params: Readonly<Record<string, string>>;
  response: Response;
};

/**
 * A handler of an admin operation. A handler returns nothing if it responds by itself, e.g. with a
 * stream.
 */
export type AdminHandler = (call: AdminCall) => AdminAnswer | Promise<AdminAnswer>;

type AdminAnswer = Answer | TextAnswer | undefined;

/** Handlers by operationId of the admin's document. */
export type AdminHandlers = Readonly<Record<string, AdminHandler>>;

/** Loaders of the operations' handlers, by the tags in the admin's document. */
export type AdminGroups = Readonly<Record<string, () => Promise<AdminHandlers>>>;

export type AdminOptions = {
  /** The description of the admin itself; one that asks for no credential is open to everybody. */
  document: Api;
  /** Operations of other groups do not exist. */
  groups: AdminGroups;
  enter: EnterSandbox;
  record: RecordExchange;
  /** Runs after an operation has moved the clock of a sandbox. */
  followClock: ((sandbox: Sandbox) => Promise<void>) | undefined;
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  token?: string;
  /** Origins whose pages may use it as a local tool may. */
  origins: readonly string[];
  /**
   * The pages from which people use the admin at an origin, by their paths; they hold nothing
   * themselves, so they are open to everybody.
   */
  pages: Readonly<Record<string, (origin: string) => Promise<TextAnswer>>>;
  /** The answer to what a step throws. */
  toAnswer: (error: unknown) => Answer;
};

const root = '/__admin';

/**
 * Puts the control of the twin under `/__admin`, as its document describes it. A page of another
 * origin cannot use it unless its origin is given; off loopback it needs the token, and without one
 * all of it but the health is off.
 */
export function mountAdmin(app: Router, options: AdminOptions): void {
  const { document, groups, toAnswer } = options;
  const origins = new Set(options.origins);
  const letIn = createGuard(options, origins);
  const described = document.operations.filter((one) => tagOf(one) in groups);
  // A router of its own, so that calls of the API are not held against every path of the admin.
  const router = express.Router({ caseSensitive: true, strict: true });
  if (origins.size > 0) router.use(createAdminCors(origins));
  const paths = [...new Set(described.map(({ path }) => path))];
  for (const path of paths) {
    const operations = described.filter((operation) => operation.path === path);
    const methods = operations.flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    const allow = [...methods, 'OPTIONS'].join(', ');
    const route = router.route(toExpressPath(path.slice(root.length)) || '/');
    route.options((_, response) => sendNoContent(response, [...headers, 'Allow', allow]));
    for (const operation of operations)
      route[operation.method.toLowerCase() as 'get'](
        ...(isSecured(operation) ? [letIn] : []),
        handle(operation, options),
      );
    route.all(letIn, ({ method }, response) => {
      const refusal = toErrorAnswer(
        'method_not_allowed',
        `${method} is not allowed here. Use ${allow}.`,
        { Allow: allow },
      );
      sendAnswer(response, refusal, headers);
    });
  }
  for (const [path, toPage] of Object.entries(options.pages))
    router.get(path, async (request, response) => {
      const origin = `${request.protocol}://${request.get('host')}`;
      sendAnswer(response, await toPage(origin), []);
    });
  router.use(letIn, (_, response) => {
    sendAnswer(
      response,
      toErrorAnswer('unknown_path', `The admin has no such path. It has ${paths.join(', ')}.`),
      headers,
    );
  });
  const fail: ErrorRequestHandler = (error, request, response, _next) => {
    if (!isUndecodable(error)) return sendAnswer(response, toAnswer(error), headers);
    letIn(request, response, () => sendAnswer(response, undecodable, headers));
  };
  router.use(fail);
  app.use(root, router);
}

/** The group that an operation of the admin belongs to. */
function tagOf({ tags = [] }: Operation): string {
  return tags[0] ?? '';
}

function handle(
  operation: Operation,
  { document, groups, enter, record, followClock }: AdminOptions,
): RequestHandler {
  const { body, isRecorded, state } = traitsOf(operation);
  // At the first call: compiling all schemas would delay the start.
  const load = once(async () => {
    const handlers = await groups[tagOf(operation)]?.();
    const run = handlers?.[operation.id];
    if (!run) throw new Error(`Nothing handles ${operation.id} of the admin`);
    return { run, read: createReadCall(operation, document, body) };
  });
  return async (request, response) => {
    const locals = localsOf(response);
    // What is open to everybody is about the twin, and no use of a sandbox.
    const sandbox = isSecured(operation) ? enter(response, locals) : locals.sandbox;
    const { run, read } = await load();
    const answerWith = (answer: Answer | TextAnswer) => {
      const sent = sendAnswer(response, answer, headers);
      if (isRecorded) record(response, { step: 'admin', operation: operation.id }, sent);
    };
    const call = await read(request, response);
    if (isRecorded) Object.assign(locals, { received: call.bytes, receivedText: call.text });
    if (call.refusal) return answerWith(call.refusal);
    const params = request.params as Record<string, string>;
    const asked: AdminCall = { ...call.read, sandbox, params, response };
    if (isSecured(operation) && state === 'read') await sandbox.refresh?.();
    const act = () => orRefusal(() => run(asked));
    const before = sandbox.clock.save();
    const answer = await (state === 'changed' ? sandbox.change(act) : act());
    if (followClock && !isDeepStrictEqual(sandbox.clock.save(), before)) await followClock(sandbox);
    if (answer) answerWith(answer);
  };
}

/** The admin's OpenAPI document: as JSON text, and indexed. */
type AdminDescription = { text: string; document: Api };

/** Reads the description of the admin, once for all twins of a process. */
export const readAdminDescription = once((): AdminDescription => {
  const text = readOwn(new URL('openapi.json', import.meta.url));
  return { text, document: compile(JSON.parse(text)) };
});

/** The header that every admin response carries. */
const headers = ['Cache-Control', 'no-store'];

/**
 * Creates the middleware that admits calls. It refuses pages of another origin, and calls that a
 * mock sends, as API clients may choose their target. Off loopback, a call needs the token.
 */
function createGuard(
  { loopback, token }: { loopback: boolean; token?: string },
  origins: ReadonlySet<string>,
): RequestHandler {
  const off = toErrorAnswer(
    'admin_forbidden',
    'The admin is off because the mock listens beyond loopback. Start it with --admin-token TOKEN.',
  );
  const wrong = toErrorAnswer(
    'invalid_api_key',
    'The admin needs its token. Send it as "Authorization: Bearer <token>".',
    {
      'WWW-Authenticate': 'Bearer realm="admin"',
    },
  );
  const foreign = toErrorAnswer(
    'admin_forbidden',
    'The admin cannot be called by a page of another origin. If the page is yours, start the mock with --admin-origins ORIGIN.',
  );
  const own = toErrorAnswer('admin_forbidden', 'Webhooks of a twin cannot call its admin.');
  return (request, response, next) => {
    if (isSentByMock(request)) return sendAnswer(response, own, headers);
    if (isForeign(request, origins)) return sendAnswer(response, foreign, headers);
    if (token === undefined) return loopback ? next() : sendAnswer(response, off, headers);
    const sent = bearerToken(request.headers.authorization ?? '');
    if (sent !== undefined && isSameSecret(token, sent)) next();
    else sendAnswer(response, wrong, headers);
  };
}

/** The response headers that a page of another origin may read. */
const exposed = 'Allow, Location, Retry-After, WWW-Authenticate';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const defaultRequestHeaders = 'Authorization, Content-Type, X-Sandbox';

/**
 * Creates the middleware that lets pages of these origins only read the admin's responses. The
 * middleware also answers the preflights of browsers (Fetch standard, HTTP-CORS protocol).
 */
function createAdminCors(origins: ReadonlySet<string>): RequestHandler {
  return (request, response, next) => {
    // Whoever sends what follows adds its headers to these.
    response.setHeader('Vary', 'Origin');
    const { origin, 'access-control-request-method': method } = request.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (request.method !== 'OPTIONS' || method === undefined) return next();
    const asked = askedHeaders(request.headers['access-control-request-headers']);
    sendNoContent(response, [
      'Access-Control-Allow-Methods',
      methods,
      'Access-Control-Allow-Headers',
      asked ?? defaultRequestHeaders,
      'Access-Control-Max-Age',
      '600',
      'Vary',
      'Origin, Access-Control-Request-Headers',
      'Cache-Control',
      'no-store',
    ]);
  };
}
