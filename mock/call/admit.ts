import type { NextFunction, RequestHandler, Response } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { Authenticate } from '../http/authenticate.ts';
import { toLimitAnswer, toLimitReason } from '../http/limit-headers.ts';
import { localsOf } from '../http/locals.ts';
import type { Decision } from '../limits/decide.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { CallOptions, CreateStep } from './step.ts';

type AdmitOptions = Pick<CallOptions, 'countsElsewhere' | 'enter' | 'security' | 'send'>;

/** Admits whoever may call an operation, and counts the call. */
export const admitCaller: CreateStep = ({ operation }, options) => {
  const authenticate = options.security.of(operation);
  const isFree = operation.method === 'GET' && !options.countsElsewhere;
  const admit = createAdmit(authenticate, options);
  const admitHead = isFree ? createAdmit(authenticate, options, isFree) : admit;
  return (request, response, next) => {
    localsOf(response).operation = operation;
    (request.method === 'HEAD' ? admitHead : admit)(request, response, next);
  };
};

/** Admits whoever asks for what is no operation, beside these; it may use no quota. */
export function admitElsewhere(
  operations: readonly Operation[],
  options: AdmitOptions,
): RequestHandler {
  return createAdmit(options.security.elsewhere(operations), options, !options.countsElsewhere);
}

/**
 * Admits a call whose key is valid and has calls left, and notes the window that its answer shows;
 * anybody where there is nothing to check. A free call needs the key alone.
 */
function createAdmit(
  authenticate: Authenticate | undefined,
  { enter, send }: AdmitOptions,
  isFree = false,
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
    if (decision.outcome === 'allowed') {
      locals.countedAt = decision.at;
      return next();
    }
    const { limiter, clock, settings } = locals.sandbox;
    const plan = limiter.planOf(key);
    const answer = toLimitAnswer(decision, plan, clock.now(), settings.policy.minute);
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
