import type { IncomingMessage } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { type Answer, type TextAnswer, toErrorAnswer } from '../answers/answer.ts';
import { bearerToken, isSameSecret } from '../http/authenticate.ts';
import { askedHeaders } from '../http/cors.ts';
import { isUndecodable, toExpressPath, undecodable } from '../http/express-path.ts';
import { isCrossSite } from '../http/is-cross-site.ts';
import { type EnterSandbox, localsOf } from '../http/locals.ts';
import type { RecordExchange } from '../http/record-exchange.ts';
import { sendAnswer, sendNoContent } from '../http/send-answer.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import {
  type BodyOptions,
  createReadCall,
  type ReadAdminCall,
  type ReadCall,
} from './read-call.ts';

/** A call of the admin whose query and body fit what its document says of the operation. */
export type AdminCall = ReadCall & {
  /** The sandbox that it is about. */
  sandbox: Sandbox;
  /** Path parameters, percent-decoded. */
  params: Readonly<Record<string, string>>;
  response: Response;
};

/**
 * What an operation of the admin does. It gives nothing where it answers by itself, e.g. with a
 * stream.
 */
export type AdminHandler = (call: AdminCall) => AdminAnswer | Promise<AdminAnswer>;

type AdminAnswer = Answer | TextAnswer | undefined;

/** Handlers by operationId of the admin's document. */
export type AdminHandlers = Readonly<Record<string, AdminHandler>>;

export type OperationTraits = {
  body?: BodyOptions;
  /** Whether its calls are in the journal of their sandbox. */
  isRecorded?: boolean;
  /**
   * What it does with the state of the sandbox that it is about: nothing, or it reads it or changes
   * items alone, or it changes more. By default a GET reads, and others change.
   */
  state?: 'unused' | 'read' | 'changed';
};

/** What operations of the admin do, and what is special about some of them, by their ids. */
export type AdminGroup = {
  handlers: AdminHandlers;
  traits?: Readonly<Record<string, OperationTraits>>;
};

/** What loads the groups of operations, by the tags that the admin's document gives them. */
export type AdminGroups = Readonly<Record<string, () => Promise<AdminGroup>>>;

export type AdminOptions = {
  /** The description of the admin itself; one that asks for no credential is open to everybody. */
  document: ApiDocument;
  /** Operations of other groups do not exist. */
  groups: AdminGroups;
  enter: EnterSandbox;
  record: RecordExchange;
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

const headers = ['Cache-Control', 'no-store'];

const root = '/__admin';

/**
 * Puts the control of the twin under `/__admin`, as its document describes it. A page of another
 * origin cannot use it unless its origin is given; off loopback it needs the token, and without one
 * all of it but the health is off.
 */
export function mountAdmin(app: Router, options: AdminOptions): void {
  const { document, groups, toAnswer } = options;
  const origins = new Set(options.origins);
  const letIn = guard(options, origins);
  const described = document.operations.filter((one) => tagOf(document, one) in groups);
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
        ...(operation.secured ? [letIn] : []),
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
function tagOf({ raw }: ApiDocument, { path, method }: Operation): string {
  return raw.paths[path][method.toLowerCase()].tags[0];
}

/** An operation of the admin that was called. */
type Loaded = Required<OperationTraits> & { run: AdminHandler; read: ReadAdminCall };

function handle(
  operation: Operation,
  { document, groups, enter, record }: AdminOptions,
): RequestHandler {
  const load = async (): Promise<Loaded> => {
    const { handlers, traits = {} } = (await groups[tagOf(document, operation)]?.()) ?? {};
    const run = handlers?.[operation.id];
    if (!run) throw new Error(`Nothing handles ${operation.id} of the admin`);
    const state = operation.method === 'GET' ? 'read' : 'changed';
    const { body = {}, ...special } = traits[operation.id] ?? {};
    const read = createReadCall(operation, document, body);
    return { isRecorded: false, state, ...special, body, run, read };
  };
  let loading: Promise<Loaded> | undefined;
  return async (request, response) => {
    const locals = localsOf(response);
    // What is open to everybody is about the twin, and no use of a sandbox.
    const sandbox = operation.secured ? enter(response, locals) : locals.sandbox;
    // Loaded at the first call: compiling all schemas would delay the start.
    loading ??= load();
    const { body, isRecorded, state, run, read } = await loading;
    const answerWith = (answer: Answer | TextAnswer) => {
      const sent = sendAnswer(response, answer, headers);
      if (isRecorded) record(response, { step: 'admin', operation: operation.id }, sent);
    };
    let endTurn: EndTurn | undefined;
    const waitForTurn = async () => void (endTurn = await takeTurn());
    try {
      const call = await read(
        request,
        response,
        body.limit === undefined ? undefined : waitForTurn,
      );
      if (isRecorded) Object.assign(locals, { received: call.bytes, receivedText: call.text });
      if (call.refusal) return answerWith(call.refusal);
      const asked: AdminCall = {
        ...call.read,
        sandbox,
        params: request.params as Record<string, string>,
        response,
      };
      if (operation.secured && state === 'read') await sandbox.refresh?.();
      const answer = await (state === 'changed' ? sandbox.change(() => run(asked)) : run(asked));
      if (answer) answerWith(answer);
    } finally {
      endTurn?.();
    }
  };
}

function guard({ loopback, token }: AdminOptions, origins: ReadonlySet<string>): RequestHandler {
  const off = toErrorAnswer(
    'admin_forbidden',
    'The admin is off because the twin listens beyond loopback. Start it with --admin-token TOKEN.',
  );
  const wrong = toErrorAnswer(
    'invalid_api_key',
    'The admin needs its token. Send it as "Authorization: Bearer <token>".',
    {
      'WWW-Authenticate': 'Bearer realm="admin"',
    },
  );
  return (request, response, next) => {
    const refusal = guardOrigin(request, origins);
    if (refusal) return sendAnswer(response, refusal, headers);
    if (token === undefined) return loopback ? next() : sendAnswer(response, off, headers);
    const sent = bearerToken(request.headers.authorization ?? '');
    if (sent !== undefined && isSameSecret(token, sent)) next();
    else sendAnswer(response, wrong, headers);
  };
}

/** What a page may read of an answer besides its content. */
const exposed = 'Allow, Location, Retry-After, WWW-Authenticate';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const defaultRequestHeaders = 'Authorization, Content-Type, X-Sandbox, Last-Event-ID';

/**
 * Makes the step that lets pages of these origins, and of no other, read the answers of the admin,
 * and that answers the preflights of their browsers (Fetch standard, HTTP-CORS protocol).
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

/**
 * Refuses a request that a browser sent for a page of another origin (Fetch Metadata, Origin), but
 * for those that are allowed.
 */
function guardOrigin(request: IncomingMessage, allowed: ReadonlySet<string>): Answer | undefined {
  const { origin, host } = request.headers;
  if (origin !== undefined && allowed.has(origin)) return undefined;
  const foreignOrigin = origin !== undefined && origin.replace(/^https?:\/\//, '') !== host;
  return isCrossSite(request) || foreignOrigin
    ? toErrorAnswer(
        'admin_forbidden',
        'The admin cannot be called by a page of another origin. If the page is yours, start the twin with --admin-origins ORIGIN.',
      )
    : undefined;
}

/** Ends a turn. */
type EndTurn = () => void;

/** The memory is that of the process, so all twins in it take turns together. */
let last: Promise<void> = Promise.resolve();

/**
 * Waits until no other call has a large body parsed, as such a body takes up to 25 times its length
 * until its call is done: two at once may be more than the heap holds.
 */
async function takeTurn(): Promise<EndTurn> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  return resolve;
}
