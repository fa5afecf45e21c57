import type {
  ErrorRequestHandler,
  Express,
  IRoute,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'express';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import type { Steps } from '../../contracts/description/steps.ts';
import { contentOf, sentStatus, toErrorAnswer } from '../answers/answer.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { BehaviourKind, Reason } from '../journal/reason.ts';
import type { CompileSchema, Problem } from '../json/validator.ts';
import type { Decision } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Pins } from '../pins/pins.ts';
import { allowedMethods, toMethodAnswer } from './allowed-methods.ts';
import type { Authenticate, Security } from './authenticate.ts';
import type { Cors } from './cors.ts';
import { createDeprecation } from './deprecation.ts';
import { createDocumentedAnswer } from './documented-answer.ts';
import { createFindEarlyMistake, createToBodyRefusal } from './early-mistakes.ts';
import type { ToLimitHeaders } from './limit-headers.ts';
import { type EnterSandbox, localsOf } from './locals.ts';
import { createOperationBody, createOperationParameters } from './operation-input.ts';
import { toLimitAnswer, toLimitReason } from './rate-limit.ts';
import type { RecordExchange } from './record-exchange.ts';
import { sendNoContent, tooManyUnread } from './send-answer.ts';
import type { SendApiAnswer } from './send-api-answer.ts';
import { toRoutes } from './to-routes.ts';
import { reserveUnread, reserveWritten } from './unread-answers.ts';

export type ApiOptions = {
  document: ApiDocument;
  cors: Cors;
  toLimitHeaders: ToLimitHeaders;
  security: Security;
  enter: EnterSandbox;
  compileSchema: CompileSchema;
  behaviourOf: (operation: Operation) => Behaviour;
  /**
   * The steps that may answer instead of an operation: before its own steps, and before its
   * behaviour.
   */
  forcedStepsOf: (operation: Operation) => {
    first: RequestHandler;
    beforeBehaviour?: RequestHandler;
  };
  record: RecordExchange;
  /** How the twin behaves where the interface is silent, if that is pinned. */
  pins?: Pins | undefined;
};

const routesOfStep = 50;

/**
 * Puts the operations of the document on an Express app, each as steps in this order: credentials,
 * limit, forced answers, removal, query, body, behaviour. Hundreds of operations take a while, so
 * they are put there in steps.
 */
export function* mountOperations(
  app: Express,
  send: SendApiAnswer,
  options: ApiOptions,
): Steps<void> {
  const { document } = options;
  let mounted = 0;
  const admitters = createAdmitters(send, options);
  const sendOptions = createSendOptions(options);
  const mount = (route: IRoute, operation: Operation): void => {
    const method = operation.method.toLowerCase() as 'get';
    const enter = createEnter(operation, options.security.of(operation), admitters);
    const begin: RequestHandler = (request, response, next) => {
      localsOf(response).operation = operation;
      enter(request, response, next);
    };
    const early = createEarlyStep(operation, send, options);
    route[method](...early, begin, ...stepsOf(operation, send, options));
  };
  for (const operations of toRoutes(document.operations)) {
    const allow = allowedMethods(operations);
    const letIn = admitters.elsewhere(options.security.elsewhere(operations));
    const byPath = [...Map.groupBy(operations, ({ path }) => path)];
    if (mounted++ % routesOfStep === routesOfStep - 1) yield;
    const form = operations.some(({ path }) => path.includes('{'))
      ? undefined
      : options.pins?.collectionMethod;
    const pinned = form && { form };
    for (const [index, [path, ofPath]] of byPath.entries()) {
      const route = app.route(toExpressPath(document.basePath + path));
      const isDescribed = ofPath.some(({ method }) => method === 'OPTIONS');
      route.options((request, response, next) => {
        const isPreflight = request.headers['access-control-request-method'] !== undefined;
        if (isDescribed && !isPreflight) next();
        else sendOptions(request, response, allow);
      });
      for (const operation of ofPath) mount(route, operation);
      // Until then, the method may be one of the same path with other names.
      if (index === byPath.length - 1)
        route.all(letIn, (request, response) =>
          send(response, { ...toMethodAnswer(request, allow), ...pinned }, { step: 'routing' }),
        );
    }
  }
}

/**
 * Puts what is asked of no operation on an Express app: unknown paths of the API ask for
 * credentials too. Mounted behind all that has a path of its own, as the API may have no base path.
 */
export function mountUnknownPaths(app: Express, send: SendApiAnswer, options: ApiOptions): void {
  const { document } = options;
  const sendOptions = createSendOptions(options);
  const authenticate = options.security.elsewhere(document.operations);
  const letIn = createAdmitters(send, options).elsewhere(authenticate);
  const base = toExpressPath(document.basePath) || '/';
  app.use(base, (request, response, next) => {
    if (request.method === 'OPTIONS') return sendOptions(request, response, []);
    letIn(request, response, next);
  });
  app.use(base, ((error, request, response, next) => {
    if (!isUndecodable(error)) return next(error);
    letIn(request, response, () => send(response, undecodable, { step: 'routing' }));
  }) satisfies ErrorRequestHandler);
  app.use((request, response, next) => {
    if (request.url === '*') sendOptions(request, response, allowedMethods(document.operations));
    else next();
  });
}

function createAdmitAll({ enter }: ApiOptions): RequestHandler {
  return (_request, response, next) => {
    const { refresh } = enter(response, localsOf(response));
    if (refresh) refresh().then(() => next(), next);
    else next();
  };
}

function createSendOptions({ cors, toLimitHeaders, record }: ApiOptions) {
  return (request: Request, response: Response, allow: readonly string[]): void => {
    const fields = [
      ...toLimitHeaders(localsOf(response).sandbox, undefined),
      ...cors.optionsHeaders(request, allow),
    ];
    record(response, { step: 'options' }, sendNoContent(response, fields));
  };
}

/** The steps that let callers in, one for each way of checking them. */
type Admitters = {
  /** Uses a call of the quota. */
  ofOperation(authenticate: Authenticate | undefined): RequestHandler;
  /** For what is no operation, which may use no quota. */
  elsewhere(authenticate: Authenticate | undefined): RequestHandler;
};

function createAdmitters(send: SendApiAnswer, options: ApiOptions): Admitters {
  const admitAll = createAdmitAll(options);
  const isFree = options.pins?.freeElsewhere === true;
  const made = new Map<Authenticate | undefined, RequestHandler>([[undefined, admitAll]]);
  const ofOperation = (authenticate: Authenticate | undefined) => {
    const known = made.get(authenticate);
    if (known || !authenticate) return known ?? admitAll;
    const admit = createAdmit(send, options, { authenticate, admitAll });
    made.set(authenticate, admit);
    return admit;
  };
  return {
    ofOperation,
    elsewhere: (authenticate) =>
      isFree && authenticate
        ? createAdmit(send, options, { authenticate, admitAll, isFree })
        : ofOperation(authenticate),
  };
}

/** HEAD uses no quota where what is no operation uses none. */
function createEnter(
  { method }: Operation,
  authenticate: Authenticate | undefined,
  { ofOperation, elsewhere }: Admitters,
): RequestHandler {
  const [admit, admitFree] = [ofOperation(authenticate), elsewhere(authenticate)];
  if (admit === admitFree || method !== 'GET') return admit;
  return (request, response, next) =>
    (request.method === 'HEAD' ? admitFree : admit)(request, response, next);
}

type AdmitOptions = {
  authenticate: Authenticate;
  /** Lets in who needs no key. */
  admitAll: RequestHandler;
  isFree?: boolean;
};

/**
 * Admits a call whose key is valid and has calls left; stores the window that its answer shows. A
 * free call needs the key alone.
 */
function createAdmit(
  send: SendApiAnswer,
  { enter, pins }: ApiOptions,
  { authenticate, admitAll, isFree = false }: AdmitOptions,
): RequestHandler {
  const goOn = (decision: Decision, key: ApiKey, response: Response, next: NextFunction) => {
    const locals = localsOf(response);
    locals.window = decision.window;
    if (decision.outcome === 'allowed') {
      locals.countedAt = decision.at;
      return next();
    }
    const { limiter, clock } = locals.sandbox;
    const plan = limiter.planOf(key);
    const answer = toLimitAnswer(decision, plan, clock.now(), pins?.minute);
    send(response, answer, toLimitReason(decision, plan));
  };
  return (request, response, next) => {
    const locals = localsOf(response);
    const { key, refusal, problem, expected } = authenticate(request, locals);
    if (refusal)
      return send(response, refusal, {
        step: 'credentials',
        problem,
        ...(expected !== undefined && { expected }),
      });
    if (!key) return admitAll(request, response, next);
    const { limiter } = enter(response, locals);
    locals.key = key;
    if (isFree) {
      locals.window = limiter.windowOf(key);
      return next();
    }
    const decision = limiter.take(key);
    if (!(decision instanceof Promise)) return goOn(decision, key, response, next);
    // Until it is decided, and where it cannot be, the answer shows the window as it was.
    locals.window = limiter.windowOf(key);
    decision.then((decided) => goOn(decided, key, response, next)).catch(next);
  };
}

/** The step that reports other mistakes before a missing key, where that is pinned. */
function createEarlyStep(
  operation: Operation,
  send: SendApiAnswer,
  { pins, security, ...options }: ApiOptions,
): RequestHandler[] {
  const find = pins && createFindEarlyMistake(operation, { ...options, pins });
  const authenticate = security.of(operation);
  if (!find || !authenticate) return [];
  return [
    (request, response, next) => {
      if (!authenticate(request, localsOf(response)).refusal) return next();
      localsOf(response).operation = operation;
      find(request, response)
        .then((mistake) => (mistake ? send(response, mistake, { step: 'body' }) : next()))
        .catch(next);
    },
  ];
}

function behaviourKindOf({ kind, singleton, actsOn, answersAs }: Operation): BehaviourKind {
  if (answersAs) return behaviourKindOf(answersAs);
  if (kind) return kind;
  if (singleton !== undefined) return 'singleton';
  return actsOn === undefined ? 'example' : 'action';
}

function stepsOf(operation: Operation, send: SendApiAnswer, options: ApiOptions): RequestHandler[] {
  const { first, beforeBehaviour } = options.forcedStepsOf(operation);
  const steps: RequestHandler[] = [first];
  const deprecation = createDeprecation(operation, options.document, options.pins);
  if (deprecation)
    steps.push((_, response, next) => {
      const { sandbox, prefix } = localsOf(response);
      const refusal = deprecation.refusal(sandbox.clock.now(), prefix);
      if (refusal)
        send(response, refusal, {
          step: 'removal',
          sunset: new Date(operation.sunset ?? 0).toISOString(),
        });
      else next();
    });

  const { document, compileSchema, pins } = options;
  const readParameters = createOperationParameters(operation, { document, compileSchema, pins });
  steps.push((request, response, next) => {
    const { values, typed, refusal, wrong } = readParameters(request);
    if (refusal) return send(response, refusal, { step: 'query', ...wrong });
    const locals = localsOf(response);
    locals.query = values;
    locals.parameters = typed;
    next();
  });

  const documented = createDocumentedAnswer(document, operation.answersAs ?? operation);
  if (documented)
    steps.push((request, response, next) => {
      const refusal = documented.refusal(request);
      if (refusal) send(response, refusal, { step: 'routing' });
      else next();
    });

  const readBody = createOperationBody(operation, { document, compileSchema, pins });
  if (readBody) {
    const toRefusal = pins?.integerRange && createToBodyRefusal(pins.integerRange);
    steps.push(async (request, response, next) => {
      const read = await readBody(request, response);
      const locals = localsOf(response);
      locals.received = read.bytes;
      locals.receivedText = read.text;
      if (read.refusal)
        return send(response, toRefusal?.(read) ?? read.refusal, toBodyReason(read.problems));
      request.body = read.body;
      next();
    });
  }

  if (beforeBehaviour) steps.push(beforeBehaviour);
  const behave = options.behaviourOf(operation);
  const reason: Reason = { step: 'behaviour', kind: behaviourKindOf(operation) };
  steps.push(async (request, response) => {
    const { query = {}, parameters, sandbox, prefix, received } = localsOf(response);
    // An answer that repeats the body is refused before the item is stored, not after; 1,024 bytes
    // are for what is added.
    if (received && !reserveUnread(response, received.length + 1024))
      return send(response, tooManyUnread, reason);
    const params = request.params as Record<string, string>;
    const { method, originalUrl: url, body } = request;
    const { store, clock } = sandbox;
    const call = { store, clock, method, url, params, query, parameters, source: request, body };
    const made = await behave(call);
    const answer = documented ? documented.complete(made, request, prefix) : made;
    if (received) reserveWritten(response, contentOf(answer).length);
    const whole = deprecation
      ? {
          ...answer,
          headers: { ...deprecation.headers(prefix, sentStatus(answer)), ...answer.headers },
        }
      : answer;
    send(response, whole, reason);
  });
  return steps;
}

/**
 * A body may break a schema in as many places as it has bytes, so only the first problems are
 * recorded.
 */
function toBodyReason(problems: readonly Problem[] = []): Reason {
  return {
    step: 'body',
    ...(problems.length > 0 && { problems: problems.slice(0, maxProblemsRecorded) }),
  };
}

const maxProblemsRecorded = 20;

/** A path such as `/pets/{petId}` in the syntax of Express, with special characters escaped. */
export function toExpressPath(template: string): string {
  return template
    .split(/(\{[^{}]+\})/)
    .map((part) =>
      part.startsWith('{')
        ? `:${JSON.stringify(part.slice(1, -1))}`
        : part.replace(/[\\()[\]?+!*:{}]/g, '\\$&'),
    )
    .join('');
}

/** The answer to a path that is not valid percent-encoding. */
export const undecodable = toErrorAnswer(
  'malformed_request',
  'The path of the URL is not valid percent-encoded UTF-8.',
);

/** Whether Express could not decode a path parameter. */
export function isUndecodable(error: unknown): boolean {
  const { status, message } = error as { status?: number; message?: string };
  return (
    error instanceof URIError ||
    (status === 400 && message?.startsWith('Failed to decode') === true)
  );
}
