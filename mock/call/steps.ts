import type { Request, Response } from 'express';
import { isSuccess } from '../../common/success.ts';
import type { Operation } from '../../openapi/index.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import type { Behaviour, Call } from '../behaviours/behaviour.ts';
import { withReplays } from '../behaviours/replayed.ts';
import { states } from '../documented/responses.ts';
import type { Authenticate, Authentication, Security } from '../http/authenticate.ts';
import type { Cors } from '../http/cors.ts';
import { foreignOriginOf } from '../http/guard-request.ts';
import { type ToLimitHeaders, toLimitAnswer, toLimitReason } from '../http/limit-headers.ts';
import type { EnterSandbox, Locals, RecordExchange } from '../http/locals.ts';
import type { ReadBody } from '../http/read-body.ts';
import type { SendApiAnswer } from '../http/send-answer.ts';
import type { BehaviourKind, Reason } from '../journal/reason.ts';
import type { CompileSchema, Problem } from '../json/validator.ts';
import type { Decision } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import { withVariants } from './content-variants.ts';
import type { Deprecation } from './deprecation.ts';
import type { DocumentedAnswer } from './documented-answer.ts';
import { createRefuseStale, withEntityTag, withPreconditions } from './entity-tags.ts';
import {
  createOperationBody,
  createOperationParameters,
  type InputOptions,
} from './operation-input.ts';

/**
 * The phases at which steps of extras intercept calls, in the order in which a call comes to them,
 * each with the step of the twin's own that is intercepted.
 */
export type Phases = {
  /** Finds who calls. */
  'around credentials': (call: Locals) => Authentication;
  /** Comes before anything is read of a call. */
  'before input': Handle;
  /** Reads the body. */
  'around body': (call: Locals) => Promise<ReadBody>;
  /** Comes once a call is known to be valid. */
  'before behaviour': Handle;
  /** Does what the operation does. */
  'around behaviour': Behaviour;
  /** Does what the kind of the operation does with its items. */
  'around kind': Behaviour;
  /** Sends any answer that is for an operation, or in place of one. */
  'before sending': (sending: UnsentAnswer) => void;
};

type Phase = keyof Phases;

/** Answers a call, or lets the next step go on; it may change what that is given, and gives. */
export type Step<P extends Phase> = (
  call: Parameters<Phases[P]>[0],
  next: Phases[P],
) => ReturnType<Phases[P]>;

/** Handles a call to its end. */
export type Handle = (call: Locals) => unknown;

/** An answer on its way. */
type UnsentAnswer = { response: Response; answer: Answer | TextAnswer; reason: Reason };

type StepSubject<P extends Phase> = P extends 'before sending' ? [] : [Operation, CallOptions];

/**
 * Steps at a phase, made for each operation; undefined where one has nothing to do. Of those at one
 * phase, that with the lowest number comes first.
 */
export type Interception = {
  [P in Phase]: {
    phase: P;
    order: number;
    /** Leaves out requests without preferences: most have none, and must not pay for them. */
    onPreference?: P extends 'before sending' ? never : boolean;
    of: (...about: StepSubject<P>) => Step<P> | undefined;
  };
}[Phase];

/** Composes what calls go through at a phase, once for all of them. */
export function compose<P extends Phase>(
  phase: P,
  all: readonly Interception[],
  last: Phases[P],
  ...about: StepSubject<P>
): Phases[P] {
  type Any = (call: { mayPrefer?: boolean }) => unknown;
  type AnyStep = (call: { mayPrefer?: boolean }, next: Any) => unknown;
  return all
    .filter((one) => one.phase === phase)
    .toSorted((one, other) => other.order - one.order)
    .reduce<Any>((next, { of, onPreference }) => {
      const step = (of as (...about: StepSubject<P>) => AnyStep | undefined)(...about);
      if (!step) return next;
      if (!onPreference) return (call) => step(call, next);
      return (call) => (call.mayPrefer ? step(call, next) : next(call));
    }, last as Any) as Phases[P];
}

/** Values that calls are made with, which extras may supply in place of the twin's own. */
export type CallValues = Pick<InputOptions, 'inputRules'> & {
  /** Judges requests. */
  compileSchema?: CompileSchema;
  cors: Cors;
  security: Security;
  deprecationOf: (operation: Operation) => Deprecation | undefined;
  documentedOf: (operation: Operation) => DocumentedAnswer | undefined;
  /** Notes what accepts nothing that is answered with, in place of a refusal. */
  onUnacceptable?: (call: Locals) => void;
};

/** Options of the steps of calls. */
export type CallOptions = InputOptions &
  CallValues & {
    send: SendApiAnswer;
    toLimitHeaders: ToLimitHeaders;
    enter: EnterSandbox;
    /** Creates the twin's own behaviour, which steps may intercept. */
    bind: (operation: Operation) => Behaviour;
    /** The steps of extras. */
    steps: readonly Interception[];
    record: RecordExchange;
  };

/** An operation, and what a document says of all its answers. */
type CalledOperation = {
  operation: Operation;
  deprecation: Deprecation | undefined;
  documented: DocumentedAnswer | undefined;
};

/** Creates a step of an operation's calls; undefined where it has nothing to do. */
type CreateStep = (
  called: CalledOperation,
  options: CallOptions,
) => Step<'before input'> | undefined;

/** Creates the handler of an operation's calls. */
export function createHandle(operation: Operation, options: CallOptions): Handle {
  const called: CalledOperation = {
    operation,
    deprecation: options.deprecationOf(operation),
    documented: options.documentedOf(operation.answersAs ?? operation),
  };
  /** In the order in which they run; each answers, or lets the next one go on. */
  const steps: readonly (CreateStep | 'before input' | 'before behaviour')[] = [
    admitCaller,
    'before input',
    refuseRemoved,
    readParameters,
    refuseUnacceptable,
    readRequestBody,
    'before behaviour',
  ];
  return steps.reduceRight<Handle>(
    (next, one) => {
      if (typeof one === 'string') return compose(one, options.steps, next, operation, options);
      const step = one(called, options);
      return step ? (call) => step(call, next) : next;
    },
    createBehave(called, options),
  );
}

/** Admits whoever may call an operation, and counts the call. */
const admitCaller: CreateStep = ({ operation }, options) => {
  const own = toCheck(options.security.of(operation));
  const check = compose('around credentials', options.steps, own, operation, options);
  const admit = createAdmit(check, options);
  return (call, next) => {
    const { headers, url } = call.request;
    call.operation = operation;
    call.mayPrefer = headers.prefer !== undefined || url.includes('__');
    return admit(call, next);
  };
};

/** Admits whoever asks for what is no operation, beside these. */
export function authenticateUnmatched(
  operations: readonly Operation[],
  options: CallOptions,
): Step<'before input'> {
  return createAdmit(toCheck(options.security.ofUnmatched(operations)), options);
}

type Check = Phases['around credentials'];

const toCheck = (authenticate: Authenticate | undefined): Check =>
  authenticate ? (call) => authenticate(call.request, call) : () => ({});

/**
 * Admits a call whose key is valid and has calls left, and notes the window that its answer shows;
 * anybody where there is nothing to check.
 */
function createAdmit(check: Check, { enter, send }: CallOptions): Step<'before input'> {
  const goOn = (decision: Decision, key: ApiKey, call: Locals, next: Handle) => {
    call.window = decision.window;
    if (decision.outcome === 'allowed') return next(call);
    const { limiter, clock } = call.sandbox;
    const plan = limiter.planOf(key);
    const answer = toLimitAnswer(decision, plan, clock.now());
    send(call.response, answer, toLimitReason(decision, plan));
  };
  return (call, next) => {
    const { key, refusal, problem, expected } = check(call);
    if (refusal) {
      const wrong = { problem, ...(expected !== undefined && { expected }) };
      return send(call.response, refusal, { step: 'credentials', ...wrong });
    }
    const { limiter, refresh } = enter(call.response, call);
    if (!key) return refresh ? refresh().then(() => next(call)) : next(call);
    call.key = key;
    const decision = limiter.take(key);
    if (!(decision instanceof Promise)) return goOn(decision, key, call, next);
    // Until it is decided, and where it cannot be, the answer shows the window as it was.
    call.window = limiter.windowOf(key);
    return decision.then((decided) => goOn(decided, key, call, next));
  };
}

/** Refuses a call of an operation that is removed (410). */
const refuseRemoved: CreateStep = ({ operation, deprecation }, { send }) =>
  deprecation &&
  ((call, next) => {
    const { sandbox, prefix, response } = call;
    const refusal = deprecation.refusal(sandbox.clock.now(), prefix);
    if (!refusal) return next(call);
    const sunset = new Date(operation.sunset ?? 0).toISOString();
    send(response, refusal, { step: 'removal', sunset });
  });

/** Reads the parameters of a call, and refuses wrong ones. */
const readParameters: CreateStep = ({ operation }, { send, ...options }) => {
  const read = createOperationParameters(operation, options);
  const hasNone = operation.parameters.length === 0;
  return (call, next) => {
    const { request } = call;
    if (hasNone && !request.url.includes('?')) return next(call);
    const { texts, values, refusal, wrong } = read(request);
    if (refusal) return send(call.response, refusal, { step: 'query', ...wrong });
    call.query = texts;
    call.parameters = values;
    return next(call);
  };
};

/** Refuses a call that accepts nothing that the operation answers with (406). */
const refuseUnacceptable: CreateStep = ({ documented }, { send, onUnacceptable }) =>
  documented &&
  ((call, next) => {
    const refusal = documented.refusal(call.request);
    if (refusal && !onUnacceptable) return send(call.response, refusal, { step: 'routing' });
    if (refusal) onUnacceptable?.(call);
    return next(call);
  });

/** Reads the body of a call, and refuses one that does not fit. */
const readRequestBody: CreateStep = ({ operation }, options) => {
  const { send, steps } = options;
  const readBody = createOperationBody(operation, options);
  if (!readBody) return undefined;
  const readPlain: Phases['around body'] = (call) => readBody(call.request, call.response);
  const read = compose('around body', steps, readPlain, operation, options);
  return async (call, next) => {
    const body = await read(call);
    call.received = body.bytes;
    call.receivedText = body.text;
    if (body.refusal) return send(call.response, body.refusal, toReason(body.problems));
    call.request.body = body.body;
    return next(call);
  };
};

/** Records only the first problems: a body may break a schema in as many places as it has bytes. */
function toReason(all: readonly Problem[] = []): Reason {
  const problems = all.slice(0, 20);
  return { step: 'body', ...(problems.length > 0 && { problems }) };
}

/** Creates the behaviour of an operation, as steps of extras intercept it. */
function bindWhole(one: Operation, options: CallOptions): Behaviour {
  return compose('around behaviour', options.steps, options.bind(one), one, options);
}

/** Creates the last step: it does what the operation does, and answers. */
function createBehave(called: CalledOperation, options: CallOptions): Handle {
  const { operation, deprecation, documented } = called;
  const { send, document } = options;
  const bind = (one: Operation) => bindWhole(one, options);
  const made = documented
    ? withVariants(bind(operation), { document, operation, bind, ...documented })
    : bind(operation);
  const refuse = createRefuseStale(document, operation);
  const isConditional = states(operation, 412) || refuse !== undefined;
  const isTagged = documented?.isTagged === true;
  const readNow = isConditional || isTagged ? createReadNow(operation, options) : undefined;
  const whole = readNow && isConditional ? withPreconditions(made, readNow, refuse) : made;
  const behaviour = withReplays(whole, { document, operation });
  const kind = kindOf(operation);
  const { besides } = operation;
  const isBeside = kind === 'example' && besides !== undefined;
  const plain: Reason = { step: 'behaviour', kind, ...(isBeside && { besides }) };
  const toReason = (answer: Answer | TextAnswer): Reason => {
    const { kind: own, besides: left } = answer;
    if ('xTwin' in answer && answer.xTwin) return { ...plain, xTwin: answer.xTwin };
    if (own) return { step: 'behaviour', kind: own };
    return left === undefined ? plain : { step: 'behaviour', kind: 'example', besides: left };
  };
  return async ({
    request,
    response,
    query = {},
    parameters,
    sandbox,
    prefix,
    key,
    received,
    mayPrefer,
    isStateless,
  }) => {
    const params = request.params as Record<string, string>;
    const { method, originalUrl: url, body } = request;
    const { store, clock } = sandbox;
    const call: Call = {
      sandbox,
      store,
      clock,
      method,
      url,
      source: request,
      received,
      params,
      query,
      parameters,
      body,
      origin: foreignOriginOf(request),
      caller: key?.key,
      mayPrefer,
    };
    if (isStateless) call.isLook = true;
    const made = await behaviour(call);
    const whole = documented ? documented.complete(made, request, prefix) : made;
    const isShown = readNow && isTagged && isSuccess(whole);
    const answer = isShown ? withEntityTag(whole, request, await readNow(call)) : whole;
    const reason = toReason(made);
    if (!deprecation) return send(response, answer, reason);
    const headers = { ...deprecation.headers(prefix), ...answer.headers };
    send(response, { ...answer, headers }, reason);
  };
}

/** Creates a reader of the item that an operation is about to change, as the GET at its path shows it. */
function createReadNow({ method, path }: Operation, options: CallOptions) {
  const reader = options.document.operations.find(
    (one) => one.path === path && one.method === 'GET' && !one.answersAs,
  );
  if (!reader || !['PUT', 'PATCH', 'DELETE'].includes(method)) return undefined;
  const read = bindWhole(reader, options);
  const documented = options.documentedOf(reader);
  return async (call: Call) => {
    const made = await read({ ...call, method: 'GET', body: undefined, query: {}, isLook: true });
    return documented ? documented.complete(made, call.source as Request, '') : made;
  };
}

function kindOf({ kind, singleton, actsOn, answersAs, readAs }: Operation): BehaviourKind {
  const other = answersAs ?? readAs;
  if (other) return kindOf(other);
  if (kind) return kind;
  if (singleton !== undefined) return 'singleton';
  return actsOn === undefined ? 'example' : 'action';
}
