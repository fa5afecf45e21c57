import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isSuccess } from '../../common/success.ts';
import type { Operation } from '../../openapi/index.ts';
import type { Behaviour, Call } from '../behaviours/behaviour.ts';
import { withReplays } from '../behaviours/replayed.ts';
import type { Authenticate, Security } from '../http/authenticate.ts';
import type { Cors } from '../http/cors.ts';
import { foreignOriginOf } from '../http/guard-request.ts';
import { type ToLimitHeaders, toLimitAnswer, toLimitReason } from '../http/limit-headers.ts';
import { type EnterSandbox, localsOf, type RecordExchange } from '../http/locals.ts';
import type { SendApiAnswer } from '../http/send-answer.ts';
import type { BehaviourKind, Reason } from '../journal/reason.ts';
import type { Problem } from '../json/validator.ts';
import type { Decision } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import { withVariants } from './content-variants.ts';
import type { Deprecation } from './deprecation.ts';
import type { DocumentedAnswer } from './documented-answer.ts';
import { withEntityTag, withPreconditions } from './entity-tags.ts';
import {
  createOperationBody,
  createOperationParameters,
  type InputOptions,
} from './operation-input.ts';

/** What the steps of calls are made of. */
export type CallOptions = InputOptions & {
  send: SendApiAnswer;
  cors: Cors;
  toLimitHeaders: ToLimitHeaders;
  security: Security;
  enter: EnterSandbox;
  behaviourOf: (operation: Operation, options: CallOptions) => Behaviour;
  /** What the twin itself does, whatever behaviours of the user's own do instead. */
  plainBehaviourOf: (operation: Operation, options: CallOptions) => Behaviour;
  /** Steps that may answer instead of an operation, by the places where they stand. */
  stepsInsteadOf: (
    operation: Operation,
    options: CallOptions,
  ) => (place: Place) => readonly RequestHandler[];
  deprecationOf: (operation: Operation) => Deprecation | undefined;
  documentedOf: (operation: Operation) => DocumentedAnswer | undefined;
  record: RecordExchange;
};

/** An operation, and what a document says of all its answers. */
type Called = {
  operation: Operation;
  deprecation: Deprecation | undefined;
  documented: DocumentedAnswer | undefined;
};

/** Makes a step of the calls of an operation; undefined where it has nothing to do. */
type CreateStep = (called: Called, options: CallOptions) => RequestHandler | undefined;

/** A place for steps that answer instead of an operation: on demand, or as it is pinned. */
export type Place = 'before input' | 'before behaviour';

/** Such steps of an operation, as an extra has them. */
export type StepsInstead = Readonly<Partial<Record<Place, RequestHandler | undefined>>>;

/** Makes the steps of the calls of an operation. */
export function stepsOf(operation: Operation, options: CallOptions): RequestHandler[] {
  const called: Called = {
    operation,
    deprecation: options.deprecationOf(operation),
    documented: options.documentedOf(operation.answersAs ?? operation),
  };
  /** In the order in which they run; each answers, or lets the next one go on. */
  const steps: readonly (CreateStep | Place)[] = [
    admitCaller,
    'before input',
    refuseRemoved,
    readParameters,
    refuseUnacceptable,
    readRequestBody,
    'before behaviour',
    behave,
  ];
  const instead = options.stepsInsteadOf(operation, options);
  return steps.flatMap((step) => {
    if (typeof step === 'string') return instead(step);
    return step(called, options) ?? [];
  });
}

type AdmitOptions = Pick<CallOptions, 'enter' | 'security' | 'send'>;

/** Admits whoever may call an operation, and counts the call. */
const admitCaller: CreateStep = ({ operation }, options) => {
  const admit = createAdmit(options.security.of(operation), options);
  return (request, response, next) => {
    localsOf(response).operation = operation;
    admit(request, response, next);
  };
};

/** Admits whoever asks for what is no operation, beside these. */
export function admitElsewhere(
  operations: readonly Operation[],
  options: AdmitOptions,
): RequestHandler {
  return createAdmit(options.security.elsewhere(operations), options);
}

/**
 * Admits a call whose key is valid and has calls left, and notes the window that its answer shows;
 * anybody where there is nothing to check.
 */
function createAdmit(
  authenticate: Authenticate | undefined,
  { enter, send }: AdmitOptions,
): RequestHandler {
  const admitAnybody: RequestHandler = (_request, response, next) => {
    const { refresh } = enter(response, localsOf(response));
    if (refresh) refresh().then(() => next(), next);
    else next();
  };
  if (!authenticate) return admitAnybody;
  const goOn = (decision: Decision, key: ApiKey, response: Response, next: NextFunction) => {
    const locals = localsOf(response);
    locals.window = decision.window;
    if (decision.outcome === 'allowed') return next();
    const { limiter, clock } = locals.sandbox;
    const plan = limiter.planOf(key);
    const answer = toLimitAnswer(decision, plan, clock.now());
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
    if (!key) return admitAnybody(request, response, next);
    const { limiter } = enter(response, locals);
    locals.key = key;
    const decision = limiter.take(key);
    if (!(decision instanceof Promise)) return goOn(decision, key, response, next);
    // Until it is decided, and where it cannot be, the answer shows the window as it was.
    locals.window = limiter.windowOf(key);
    decision.then((decided) => goOn(decided, key, response, next)).catch(next);
  };
}

/** Refuses a call of an operation that is removed (410). */
const refuseRemoved: CreateStep = ({ operation, deprecation }, { send }) =>
  deprecation &&
  ((_, response, next) => {
    const { sandbox, prefix } = localsOf(response);
    const refusal = deprecation.refusal(sandbox.clock.now(), prefix);
    if (!refusal) return next();
    const sunset = new Date(operation.sunset ?? 0).toISOString();
    send(response, refusal, { step: 'removal', sunset });
  });

/** Reads the parameters of a call, and refuses wrong ones. */
const readParameters: CreateStep = ({ operation }, { send, ...options }) => {
  const read = createOperationParameters(operation, options);
  const hasNone = operation.parameters.length === 0;
  return (request, response, next) => {
    if (hasNone && !request.url.includes('?')) return next();
    const { texts, values, refusal, wrong } = read(request);
    if (refusal) return send(response, refusal, { step: 'query', ...wrong });
    const locals = localsOf(response);
    locals.query = texts;
    locals.parameters = values;
    next();
  };
};

/** Refuses a call that accepts nothing that the operation answers with (406). */
const refuseUnacceptable: CreateStep = ({ documented }, { send }) =>
  documented &&
  ((request, response, next) => {
    const refusal = documented.refusal(request);
    if (refusal) send(response, refusal, { step: 'routing' });
    else next();
  });

/** Reads the body of a call, and refuses one that does not fit. */
const readRequestBody: CreateStep = ({ operation }, { send, ...options }) => {
  const read = createOperationBody(operation, options);
  return (
    read &&
    (async (request, response, next) => {
      const body = await read(request, response);
      const locals = localsOf(response);
      locals.received = body.bytes;
      locals.receivedText = body.text;
      if (body.refusal) return send(response, body.refusal, toReason(body.problems));
      request.body = body.body;
      next();
    })
  );
};

/**
 * A body may break a schema in as many places as it has bytes, so only the first problems are
 * recorded.
 */
function toReason(problems: readonly Problem[] = []): Reason {
  return {
    step: 'body',
    ...(problems.length > 0 && { problems: problems.slice(0, maxProblemsRecorded) }),
  };
}

const maxProblemsRecorded = 20;

/** Does what the operation does, and answers. */
const behave: CreateStep = ({ operation, deprecation, documented }, options) => {
  const { send } = options;
  const { document } = options;
  const bind = (one: Operation) => options.behaviourOf(one, options);
  const made = documented
    ? withVariants(bind(operation), { document, operation, bind, ...documented })
    : bind(operation);
  const isConditional = operation.responses.some(({ status }) => status === '412');
  const isTagged = documented?.isTagged === true;
  const readNow = isConditional || isTagged ? createReadNow(operation, options) : undefined;
  const whole = readNow && isConditional ? withPreconditions(made, readNow) : made;
  const behaviour = withReplays(whole, { document: options.document, operation });
  const kind = kindOf(operation);
  const { besides } = operation;
  const isBeside = kind === 'example' && besides !== undefined;
  const plain: Reason = { step: 'behaviour', kind, ...(isBeside && { besides }) };
  const own: Reason = { step: 'behaviour', kind: 'own' };
  return async (request, response) => {
    const { query = {}, parameters, sandbox, prefix, key } = localsOf(response);
    const params = request.params as Record<string, string>;
    const { method, originalUrl: url, body } = request;
    const { store, clock } = sandbox;
    const origin = foreignOriginOf(request);
    const given = { params, query, parameters, body, origin, caller: key?.key };
    const call = { sandbox, store, clock, method, url, source: request, ...given };
    const made = await behaviour(call);
    const whole = documented ? documented.complete(made, request, prefix) : made;
    const isShown = readNow && isTagged && isSuccess(whole);
    const answer = isShown ? withEntityTag(whole, request, await readNow(call)) : whole;
    const reason = made.kind === 'own' ? own : plain;
    if (!deprecation) return send(response, answer, reason);
    const headers = { ...deprecation.headers(prefix), ...answer.headers };
    send(response, { ...answer, headers }, reason);
  };
};

/** Creates a reader of the item that an operation is about to change, as the GET at its path shows it. */
function createReadNow({ method, path }: Operation, options: CallOptions) {
  const reader = options.document.operations.find(
    (one) => one.path === path && one.method === 'GET' && !one.answersAs,
  );
  if (!reader || !['PUT', 'PATCH', 'DELETE'].includes(method)) return undefined;
  const read = options.behaviourOf(reader, options);
  const documented = options.documentedOf(reader);
  return async (call: Call) => {
    const made = await read({ ...call, method: 'GET', body: undefined, query: {}, isLook: true });
    return documented ? documented.complete(made, call.source as Request, '') : made;
  };
}

function kindOf({ kind, singleton, actsOn, answersAs }: Operation): BehaviourKind {
  if (answersAs) return kindOf(answersAs);
  if (kind) return kind;
  if (singleton !== undefined) return 'singleton';
  return actsOn === undefined ? 'example' : 'action';
}
