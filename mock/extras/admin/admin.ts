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
import { type Answer, type TextAnswer, toErrorAnswer } from '../../answers/answer.ts';
import { isUndecodable, toExpressPath, undecodable } from '../../http/express-path.ts';
import { type EnterSandbox, localsOf, type RecordExchange } from '../../http/locals.ts';
import { sendAnswer, sendNoContent } from '../../http/send-answer.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { createAdminCors, createGuard, headers } from './guard.ts';
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
    const sandbox = operation.secured ? enter(response, locals) : locals.sandbox;
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
    if (operation.secured && state === 'read') await sandbox.refresh?.();
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
