import type { Case } from '../cases/case.ts';
import { completeCase } from '../cases/example-call.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import type { ApiDocument, Operation } from '../description/document.ts';
import type { Answered, Exchange, Made, Target } from '../transcript/exchange.ts';
import { isMade } from '../transcript/made.ts';
import type { ResponseValidators } from '../transcript/schema/validator.ts';
import type {
  LimitTrial,
  RefusedKey,
  Skipped,
  SkipReason,
  Transcript,
} from '../transcript/transcript.ts';
import type { Choice, Pace } from './choices.ts';
import { acceptOf, completeBody, type NeededFields, writeForm } from './complete-body.ts';
import { createBodyStore } from './http/body-store.ts';
import { type PassedExchange, send } from './http/target.ts';
import {
  type Budget,
  beginningOf,
  bulkOf,
  chooseProbe,
  createBudget,
  type Key,
  toKeyInfo,
} from './keys/budget.ts';
import { toCredential, withQuery } from './keys/credential.ts';
import { createKeyWatch } from './keys/key-watch.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import { createPatience, createStrain } from './strain.ts';
import type { Values } from './values.ts';
import { now, wait } from './wait.ts';
export type SessionOptions = Pace & {
  document: ApiDocument;
  choice: Choice;
  target: Target;
  validators: ResponseValidators;
  keys: readonly Key[];
  values: Values;
  /** Nothing is sent after this time, in Unix milliseconds. */
  deadline: number;
  /** When it aborts, nothing more is sent, and all waits end. */
  signal?: AbortSignal;
  /** Whether requests under way are cut off then too; by default their responses are awaited. */
  cutsOff?: boolean;
  /** Whether the target ends with the run, and everything created there with it. */
  isTemporary?: boolean;
  /** Whether items may be created there. */
  writes: boolean;
  /** The ids of operations that may be called whatever they change. */
  allowed?: readonly string[];
  /** Tells whose the item is that a create was answered with. */
  prove: (session: Session, create: Answered) => Promise<Made>;
  /** Headers of every call, besides those that it has itself. */
  headers?: Readonly<Record<string, string>>;
  onExchange: (exchange: Exchange) => void;
  /** Called with each exchange as it passed, keys included. */
  onPassed?: (exchange: PassedExchange) => void;
};

/** Sends cases to one target within the quota of its keys, and records the exchanges. */
export interface Session {
  readonly transcript: Transcript & {
    exchanges: Exchange[];
    skipped: Skipped[];
    trials: LimitTrial[];
  };
  /** The keys that are not refused. */
  readonly budgets: readonly Budget[];
  readonly values: Values;
  readonly choice: Choice;
  /** Whether the target ends with the run, so that all that is there may be changed. */
  readonly isTemporary: boolean;
  readonly ownership: Ownership;
  /** How many exchanges there were when it was tidied up last. */
  tidiedUpTo: number;
  /** What creates need besides what the document requires. */
  readonly needed: NeededFields;
  /** Whether an operation may be called whatever it changes. */
  mayCall(operation: Operation): boolean;
  /** Milliseconds for one exchange. */
  readonly timeout: number;
  /** When it aborts, requests under way are cut off. */
  readonly cutOff: AbortSignal | undefined;
  /** Called with each exchange as it passed, keys included. */
  readonly onPassed: ((exchange: PassedExchange) => void) | undefined;
  /** Stops using a key that the target refuses; `status` is its response. */
  refuse(budget: Budget, status: number): void;
  /**
   * Sends one case. Unless a key is named, it is the one with the most calls left, or, where no limits
   * are stated, the same one for all: a deployment may show each key items of its own. Undefined if
   * it was skipped or its operation was not chosen.
   */
  call(one: Case, budget?: Budget): Promise<Exchange | undefined>;
  /** What is left for the run: requests, and milliseconds. */
  left(): { requests: number; milliseconds: number };
  /** How many requests a run may make in all. */
  readonly maxRequests: number;
  /** How many calls may be under way at a time. */
  readonly concurrency: number;
  /** Sends cases in parallel. */
  callAll(cases: readonly Case[]): Promise<void>;
  /** The keys for bulk work: all except the one reserved for limits, unless it is the only one. */
  readonly bulk: readonly Budget[];
  /** The key whose limit is tried. */
  readonly probe: Budget;
  /** Resolves after this many milliseconds, or once the run is interrupted. */
  pause(milliseconds: number): Promise<void>;
  /** Whether what an operation made is waited for once more: twice for each. */
  mayWaitFor(operation: Operation | undefined): boolean;
  /** Notes the case by which a key was accepted, to ask whether it still is. */
  prove(budget: Budget, one: Case): void;
  /** Why nothing more can be sent, if so. */
  stopped(): SkipReason | undefined;
}

const failuresToStop = 3;

/** Of calls that were under way then, more may get no answer. */
const noAnswers: SkipReason = { code: 'no-answers', times: failuresToStop };

/** The maximum size of all answers of a run, in bytes: beyond it there is nothing more to learn. */
const maxReceived = 192 * 1024 * 1024;

/** The maximum total wait for quota, as a multiple of the longest wait. */
const waitsInAll = 2;

/** The longest that deleting may take, whatever ended the run, in milliseconds. */
const tidyingTime = 30_000;

/** The placeholder for the key in a path until it is sent. */
const keyInPath = '$KEY';

export function openSession(options: SessionOptions): Session {
  const {
    document,
    choice,
    target,
    keys,
    values,
    timeout,
    wait: maxWait,
    maxRequests,
    concurrency,
    deadline,
    signal,
    cutsOff = false,
    isTemporary = false,
    allowed = [],
    headers: ownHeaders = {},
    onExchange,
    onPassed,
  } = options;
  const cutOff = cutsOff ? signal : undefined;
  const areLimitsStated = Object.keys(document.plans).length > 0;
  let budgets: readonly Budget[] = keys.map((key) => createBudget(key, document.plans));
  let probe = chooseProbe(budgets, document);
  let bulk = bulkOf(budgets, probe);
  const refusedKeys: RefusedKey[] = [];
  const secrets = keys.map(({ secret }) => secret);
  const exchanges: Exchange[] = [];
  const skipped: Skipped[] = [];
  let sent = 0;
  /** Calls that were sent, and those that wait for a key. */
  let begun = 0;
  let stops = 0;
  let tidiesSince: number | undefined;
  /** Whether the target was too busy once, so that it is called one at a time from then on. */
  let isBusy = false;
  const needed: NeededFields = new Map();
  const ownership = createOwnership({ ...options, allowed, isMarked: values.isMarked });

  const { read } = createBodyStore();
  let received = 0;
  const onReceived = (bytes: number) => {
    received += bytes;
  };
  const waits = createPatience(maxWait * waitsInAll);
  const waitsToTidy = createPatience(tidyingTime);
  const strain = createStrain(signal);
  const waitedFor = new Map<Operation | undefined, number>();

  const pause = (milliseconds: number) => wait(milliseconds, signal);

  const stopped = (): SkipReason | undefined => {
    if (signal?.aborted) return { code: 'interrupted' };
    if (watch.loss) return { code: 'key-stopped' };
    if (received > maxReceived)
      return { code: 'too-much-received', mebibytes: maxReceived / 1024 / 1024 };
    if (stops >= failuresToStop) return noAnswers;
    if (begun >= maxRequests) return { code: 'max-requests', requests: maxRequests };
    return Date.now() >= deadline ? { code: 'out-of-time' } : undefined;
  };

  /** What the run created is deleted even if nothing else may be sent, but not for long. */
  const whyNotTidied = (): SkipReason | undefined => {
    if (!stopped()) return undefined;
    tidiesSince ??= Date.now();
    if (watch.loss) return { code: 'key-stopped' };
    return Date.now() >= tidiesSince + tidyingTime ? { code: 'out-of-time' } : undefined;
  };

  /** Without stated limits, another key is only for what the one before has no calls left for. */
  const chooseKey = (): Budget => {
    const first = areLimitsStated ? undefined : bulk.find((budget) => budget.available() > 0);
    const byLeft = bulk.toSorted((left, right) => right.available() - left.available());
    return first ?? (byLeft[0] as Budget);
  };

  /**
   * Takes a call without awaiting anything where a key has one left, so that parallel calls never
   * take more than there is.
   */
  const takeCall = async (isTidying: boolean): Promise<Budget | undefined> => {
    const best = chooseKey();
    if (best.available() > 0) return best.take();
    const soonest = bulk.toSorted((left, right) => left.readyAt() - right.readyAt())[0] as Budget;
    const until = soonest.readyAt() - Date.now();
    if (isTidying ? !waitsToTidy.allow(until) : until > maxWait || !waits.allow(until))
      return undefined;
    await wait(Math.max(0, until) + 50, isTidying ? undefined : signal);
    const isStopped = !isTidying && signal?.aborted;
    return soonest.available() > 0 && !isStopped ? soonest.take() : undefined;
  };

  const skip = (testCase: Case, reason: SkipReason) => {
    skipped.push({ case: testCase, reason });
    return undefined;
  };

  /** Skips a case that was begun. */
  const leave = (one: Case, reason: SkipReason) => {
    begun -= 1;
    return skip(one, reason);
  };

  /** Where limits are stated, a deployment says itself how much it can take. */
  const call = (testCase: Case, named?: Budget): Promise<Exchange | undefined> => {
    const make = () => callNow(testCase, named);
    return isTemporary || areLimitsStated || !isUnsafe(testCase) ? make() : strain.change(make);
  };

  const callNow = async (testCase: Case, named?: Budget): Promise<Exchange | undefined> => {
    if (testCase.operation && !testCase.isNeeded && !choice.isChosen(testCase.operation))
      return undefined;
    const isTidying = testCase.purpose.kind === 'tidy';
    const reason = isTidying ? whyNotTidied() : stopped();
    if (reason) return skip(testCase, reason);
    const complete = completeCase(document, testCase);
    if ('lacks' in complete) return skip(testCase, { code: 'no-value', name: complete.lacks });
    begun += 1;
    const path = values.fill(complete.path.replaceAll('{{key}}', keyInPath));
    const filled = testCase.body === undefined ? undefined : values.fill(testCase.body);
    const bodyText =
      filled?.text && completeBody(needed, testCase, filled.text, (one) => values.fill(one).text);
    const marker = testCase.marker === undefined ? undefined : values.fill(testCase.marker).text;
    const missing = path.missing ?? filled?.missing;
    if (missing !== undefined) return leave(testCase, { code: 'no-value', name: missing });
    const barred = ownership.whyNot(testCase, { path: path.text as string, body: bodyText });
    if (barred) return leave(testCase, barred);
    const spends = testCase.credential === 'valid' || testCase.credential === 'lower-case-scheme';
    if (spends && named && named.retryAt() > Date.now())
      return leave(testCase, { code: 'key-must-wait' });
    const budget = spends ? (named?.take() ?? (await takeCall(isTidying))) : (named ?? bulk[0]);
    if (!budget)
      return leave(testCase, { code: signal?.aborted ? 'interrupted' : 'quota-used-up' });
    const { secret, name } = budget.key;
    const { method, form } = complete;
    const written = writeForm(form, bodyText);
    const isOfForm = complete.headers?.['Content-Type'] === form?.mediaType;
    const headers = {
      ...acceptOf(testCase.operation),
      ...ownHeaders,
      ...complete.headers,
      ...(written && isOfForm && { 'Content-Type': written.mediaType }),
    };
    const request = {
      method,
      headers,
      path: path.text as string,
      ...(bodyText !== undefined && { body: written?.body ?? bodyText }),
    };
    sent += 1;
    const number = sent;
    const sentAt = now();
    const { operation = testCase.parametersOf } = testCase;
    const credential = toCredential(testCase.credential, budget.key, { operation, secrets });
    const result = await send(
      target.url,
      {
        ...request,
        path: withQuery(
          request.path.replaceAll(keyInPath, encodeURIComponent(secret)),
          credential.query,
        ),
        headers: { ...headers, ...credential.headers },
      },
      { timeout, cutOff: isTidying ? undefined : cutOff, read, onReceived, onPassed },
    );
    if (result.failure && cutOff?.aborted) return leave(testCase, { code: 'interrupted' });
    const exchange: Exchange = {
      number,
      case: testCase,
      request: {
        ...request,
        ...(written && { value: written.value }),
        ...(marker !== undefined && { marker }),
        ...(testCase.credential !== 'none' && secret !== '' && { keyName: name }),
      },
      sentAt,
      endedAt: now(),
      ...result,
    };
    if (spends) budget.received(exchange);
    const isTooSlow = exchange.failure?.kind === 'timeout';
    if (isTooSlow || exchange.failure?.kind === 'unreachable') stops += 1;
    isBusy ||= isTooSlow || exchange.response?.status === 503;
    exchanges.push(exchange);
    onExchange(exchange);
    ownership.learn(exchange);
    if (isMade(exchange)) exchange.made = await options.prove(session, exchange);
    if (spends && exchange.response?.status === 401) await watch.ask(budget, exchange);
    return exchange;
  };

  const watch = createKeyWatch(exchanges, call);

  const session: Session = {
    transcript: {
      document,
      target,
      validators: options.validators,
      secondOpinions: new Map(),
      get keys() {
        return budgets.map(({ key }) => toKeyInfo(key));
      },
      refusedKeys,
      trials: [],
      exchanges,
      skipped,
      get ended() {
        return watch.loss;
      },
    },
    get budgets() {
      return budgets;
    },
    values,
    choice,
    isTemporary,
    ownership,
    tidiedUpTo: 0,
    needed,
    mayCall: ({ id }) => isTemporary || allowed.includes(id),
    timeout,
    cutOff,
    onPassed,
    get bulk() {
      return bulk;
    },
    refuse(refused, status) {
      budgets = budgets.filter((budget) => budget !== refused);
      probe = chooseProbe(budgets, document);
      bulk = bulkOf(budgets, probe);
      refusedKeys.push({
        ...toKeyInfo(refused.key),
        beginning: beginningOf(refused.key.secret),
        status,
      });
    },
    get probe() {
      return probe;
    },
    call,
    left: () => ({ requests: maxRequests - begun, milliseconds: deadline - Date.now() }),
    maxRequests,
    concurrency,
    async callAll(cases) {
      const queue = cases.values();
      const worker = async (_: unknown, index: number) => {
        for (const one of queue) {
          await call(one);
          if (isBusy && index > 0) return;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
    pause,
    mayWaitFor(operation) {
      const times = waitedFor.get(operation) ?? 0;
      waitedFor.set(operation, times + 1);
      return times < 2;
    },
    prove: watch.prove,
    stopped,
  };
  return session;
}
