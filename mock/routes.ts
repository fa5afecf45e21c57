import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { messageOf, toExcerpt } from '../common/look/visible.ts';
import { isPlainTemplate, toComparedPath } from '../common/path-template.ts';
import type { Operation } from '../openapi/index.ts';
import { type Answer, toErrorAnswer, toFailureAnswer } from './answers/answer.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import { createDeprecation } from './call/deprecation.ts';
import {
  authenticateUnmatched,
  type CallOptions,
  compose,
  createHandle,
  type Handle,
  type Interception,
  type Phases,
} from './call/steps.ts';
import { createAnswerWithPrism } from './documented/answer-with-prism.ts';
import type { ToErrorForm } from './documented/error-forms.ts';
import type { ExtraParts, RoutesOptions, RoutesTools } from './extra.ts';
import { admitAnyone, createKeySecurity } from './http/authenticate.ts';
import {
  allowedMethods,
  createEncodeSlashes,
  createFindElsewhere,
  createFindSimilarPath,
  isUndecodable,
  toExpressPath,
  toMethodAnswer,
  toRoutes,
  undecodable,
} from './http/express-path.ts';
import { guardRequest, isUnknownHost, resolveSandbox } from './http/guard-request.ts';
import { createRecordBareAnswer, localsOf } from './http/locals.ts';
import type { BareAnswers } from './http/refuse-connection.ts';
import { type SendApiAnswer, sendNoContent } from './http/send-answer.ts';
import { toTolerance } from './http/tolerance.ts';
import type { Journals } from './journal/journals.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import type { PreparedFiles } from './served.ts';
import { StoreUnavailableError } from './state/store.ts';
/** Puts all that a twin answers on an Express app: the core, and what extras add to it. */
export function mountRoutes(
  app: Express,
  options: RoutesOptions,
  extras: readonly ExtraParts[],
): void {
  app.use(createEntry(options, extras));
  for (const { mountInFront } of extras) mountInFront?.(app, extras);
  const calls = toCallOptions(options, extras);
  mountOperations(app, calls, toTolerance(options.settings).isBaseOptional);
  for (const { mountBehind } of extras) mountBehind?.(app);
  mountUnknownPaths(app, calls);
  app.use(createUnknownPath(options));
  app.use(createFailure(options));
}

/**
 * Creates the sender of operations' answers: extras may change them, and errors take the document's
 * form.
 */
export function createSendOfOperations(
  { toErrorForm }: PreparedFiles,
  { send }: Pick<RoutesTools, 'send'>,
  extras: readonly ExtraParts[],
): SendApiAnswer {
  const plain: Phases['before sending'] = (one) => send(one.response, one.answer, one.reason);
  const whole = compose('before sending', stepsOf(extras), plain);
  const changed: SendApiAnswer =
    whole === plain ? send : (response, answer, reason) => whole({ response, answer, reason });
  return toErrorForm ? createShapedSend(changed, toErrorForm) : changed;
}

/** Creates the first step of every request: it refuses invalid paths and finds the sandbox. */
function createEntry(
  { served, tools: { guardHost, sandboxes, send } }: RoutesOptions,
  extras: readonly ExtraParts[],
): RequestHandler {
  const isPlain = served.document.operations.every(({ path }) => isPlainTemplate(path));
  const refuse = async (request: Request, response: Response, refusal: Answer) => {
    if (isUnknownHost(refusal))
      for (const { serveHost } of extras) if (await serveHost?.(request, response)) return;
    send(response, refusal, { step: 'guard' });
  };
  return (request, response, next) => {
    const refusal = guardRequest(request, guardHost);
    if (refusal) return refuse(request, response, refusal);
    const address = resolveSandbox(request);
    if (address.refusal) return send(response, address.refusal, { step: 'sandbox' });
    const { name, prefix } = address;
    const locals = localsOf(response);
    locals.prefix += prefix;
    if (name !== undefined) {
      locals.sandboxName = name;
      // Only a request that is let in may make a sandbox or close another.
      locals.sandbox = sandboxes.find(name)?.sandbox ?? sandboxes.defaultSandbox;
    }
    request.url = isPlain ? address.url : address.url.replace(/^[^?]+/, toComparedPath);
    next();
  };
}

function toCallOptions(
  { served, host, settings, tools, sendOfOperations, enter }: RoutesOptions,
  extras: readonly ExtraParts[],
): CallOptions {
  const { document } = served;
  const { log } = host;
  const answerWithPrism = createAnswerWithPrism(document, log);
  const steps = stepsOf(extras);
  const calls: CallOptions = {
    document,
    send: sendOfOperations,
    cors: tools.cors,
    toLimitHeaders: tools.toLimitHeaders,
    enter,
    security: createKeySecurity(document, served.keys),
    compileSchema: served.compileSchema,
    record: tools.record,
    deprecationOf: (operation) => createDeprecation(operation, document),
    documentedOf: () => undefined,
    ...Object.assign({}, ...extras.map(({ values }) => values?.(extras))),
    steps,
    bind: (operation) =>
      bindBehaviour({
        ...served,
        ...settings,
        operation,
        intercept: (made, one) => compose('around kind', steps, made, one, calls),
        answerWithPrism,
        challengeOf: calls.security.challengeOf,
        log,
      }),
  };
  const { admitsAnyone } = toTolerance(settings);
  return admitsAnyone ? { ...calls, security: admitAnyone(calls.security) } : calls;
}

function stepsOf(extras: readonly ExtraParts[]): Interception[] {
  return extras.flatMap(({ steps = [] }) => steps);
}

function createUnknownPath({ served, sendOfOperations: send }: RoutesOptions): RequestHandler {
  const findSimilarPath = createFindSimilarPath(served.document);
  return (request, response) => {
    const { prefix } = localsOf(response);
    const similar = findSimilarPath(request.path);
    const advice = similar
      ? `Did you mean ${prefix}${similar}?`
      : `The API is under ${prefix}${served.document.basePath || '/'}.`;
    const message = `There is no operation at ${prefix}${toExcerpt(request.path, 200)}. ${advice}`;
    send(response, toErrorAnswer('unknown_path', message), { step: 'routing' });
  };
}

function createFailure({ host, sendOfOperations: send }: RoutesOptions): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const message = messageOf(error);
    const step = error instanceof StoreUnavailableError ? 'store' : 'failure';
    send(response, toFailureAnswer(error, host.log), { step, message });
  };
}

/** Sends errors in the form that the document describes; the journal has the code of the twin's. */
function createShapedSend(send: SendApiAnswer, toErrorForm: ToErrorForm): SendApiAnswer {
  return (response, answer, reason) => {
    if ('text' in answer || !answer.error) return send(response, answer, reason);
    const { operation, sandbox } = localsOf(response);
    const { method, originalUrl } = response.req;
    const [path = ''] = originalUrl.split('?', 1);
    const now = sandbox.clock.now();
    const { error } = answer;
    const shaped = toErrorForm(answer, { operation, path, method, now, source: response.req });
    send(response, { ...shaped, shapedFrom: error }, { ...reason, error: error.code });
  };
}

type BareOptions = { journals: Journals; tools: RoutesTools; now: { served: PreparedFiles } };

/**
 * Creates the answers to input that never becomes a request, with headers of the default sandbox.
 */
export function createBareAnswers(
  defaultSandbox: Sandbox,
  { journals, tools, now }: BareOptions,
): BareAnswers {
  const { cors, record, toLimitHeaders } = tools;
  const recordBareAnswer = createRecordBareAnswer(journals);
  return {
    headers: () => [...toLimitHeaders(defaultSandbox, undefined), ...cors.headers],
    record: (sent, response) =>
      response
        ? record(response as Response, { step: 'connection' }, sent)
        : recordBareAnswer(defaultSandbox, sent),
    toForm: (answer) => toBareForm(answer, now.served, defaultSandbox),
  };
}

/** The answer in the form of the document, as far as that is JSON. */
function toBareForm(answer: Answer, { toErrorForm }: PreparedFiles, { clock }: Sandbox): Answer {
  const request = { operation: undefined, method: '', path: '', now: clock.now() };
  const shaped = toErrorForm?.(answer, request) ?? answer;
  return 'text' in shaped ? answer : shaped;
}

/**
 * Puts the operations of the document on an Express app, each as the steps of its calls. Express
 * tries one path after another, so paths have a router for each number of slashes, made at its first
 * request.
 */
function mountOperations(app: Express, options: CallOptions, isBaseOptional: boolean): void {
  const { document } = options;
  const others = [createFindElsewhere(document, isBaseOptional), createEncodeSlashes(document)];
  for (const findOther of others.filter((one) => one !== undefined))
    app.use((request, _response, next) => {
      const path = findOther(request.path);
      if (path !== undefined) request.url = path + request.url.slice(request.path.length);
      next();
    });
  const bySlashes = Map.groupBy(document.operations, ({ path }) =>
    countSlashes(document.basePath + path.replace(/\{[^{}]*\}/g, '')),
  );
  const routers = new Map<number, Router>();
  app.use((request, response, next) => {
    const slashes = countSlashes(request.path);
    const all = bySlashes.get(slashes);
    if (!all) return next();
    let router = routers.get(slashes);
    if (!router) routers.set(slashes, (router = createRouter(all, options)));
    router(request, response, next);
  });
}

function countSlashes(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

function createRouter(all: readonly Operation[], options: CallOptions): Router {
  const { document, send } = options;
  const sendOptions = createSendOptions(options);
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const operations of toRoutes(all)) {
    const allow = allowedMethods(operations);
    const byPath = [...Map.groupBy(operations, ({ path }) => path)];
    for (const [index, [path, ofPath]] of byPath.entries()) {
      const route = router.route(toExpressPath(document.basePath + path));
      const isDescribed = ofPath.some(({ method }) => method === 'OPTIONS');
      route.options((request, response, next) => {
        const isPreflight = request.headers['access-control-request-method'] !== undefined;
        if (isDescribed && !isPreflight) next();
        else sendOptions(request, response, allow);
      });
      for (const operation of ofPath)
        route[operation.method.toLowerCase() as 'get'](
          lateHandle(() => createHandle(operation, options)),
        );
      // Until then, the method may be one of the same path with other names.
      if (index === byPath.length - 1)
        route.all(
          lateHandle(() => {
            const admit = authenticateUnmatched(operations, options);
            const refuse: Handle = ({ request, response }) =>
              send(response, toMethodAnswer(request, allow), { step: 'routing' });
            return (call) => admit(call, refuse);
          }),
        );
    }
  }
  return router;
}

/**
 * Creates a handler at the first call, as few operations of a large document are ever called.
 * Express handles the errors.
 */
function lateHandle(create: () => Handle): RequestHandler {
  let handle: Handle | undefined;
  return (_request, response) => (handle ??= create())(localsOf(response)) as Promise<void>;
}

/**
 * Mounts the answers for unknown paths, which also require credentials. They come last, as the API
 * may have no base path.
 */
function mountUnknownPaths(app: Express, options: CallOptions): void {
  const { document, send } = options;
  const sendOptions = createSendOptions(options);
  const admit = authenticateUnmatched(document.operations, options);
  const base = toExpressPath(document.basePath) || '/';
  app.use(base, (request, response, next) => {
    if (request.method === 'OPTIONS') return sendOptions(request, response, []);
    return admit(localsOf(response), () => next()) as Promise<void>;
  });
  app.use(base, ((error, _request, response, next) => {
    if (!isUndecodable(error)) return next(error);
    return admit(localsOf(response), () => send(response, undecodable, { step: 'routing' }));
  }) satisfies ErrorRequestHandler);
  app.use((request, response, next) => {
    if (request.url === '*') sendOptions(request, response, allowedMethods(document.operations));
    else next();
  });
}

function createSendOptions({ cors, toLimitHeaders, record }: CallOptions) {
  return (request: Request, response: Response, allow: readonly string[]): void => {
    const fields = [
      ...toLimitHeaders(localsOf(response).sandbox, undefined),
      ...cors.optionsHeaders(request, allow),
    ];
    record(response, { step: 'options' }, sendNoContent(response, fields));
  };
}
