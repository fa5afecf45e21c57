import { defined } from '../../common/defined.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { type Case, isTidying, isUnsafe } from '../cases/case.ts';
import { completeCase } from '../cases/example-call.ts';
import { createBodyStore } from '../transcript/body.ts';
import {
  type Answer,
  type Exchange,
  isAnswered,
  type MadeItem,
  type SentRequest,
  type Target,
} from '../transcript/exchange.ts';
import type { Item } from '../transcript/items.ts';
import { leftItems } from '../transcript/leftovers.ts';
import { isMade } from '../transcript/made.ts';
import type { SkippedCase, SkipReason } from '../transcript/skip-reasons.ts';
import { type LimitTrial, ownRun, type Transcript } from '../transcript/transcript.ts';
import type { Choice, Pace } from './choices.ts';
import { type HttpResult, type PassedExchange, send } from './http/target.ts';
import { atView, withSlashes } from './item-paths.ts';
import { versionHeader, withVersion } from './item-version.ts';
import { type Budget, callsLeft, type Key, largeReserve } from './keys/budget.ts';
import { isCounted, missingSchemes, toCredential, withQuery } from './keys/credential.ts';
import { createKeyWatch, KeyRing, tidyingTime } from './keys/key-ring.ts';
import { Ownership } from './ownership.ts';
import { Refusals } from './refusals.ts';
import { type SetupCall, setupName } from './setup-call.ts';
import { Turnstile } from './turnstile.ts';
import { type FilledCase, toRequest, type Values } from './values.ts';
import { now, wait } from './wait.ts';
import type { WebhookDesk } from './webhook-listener.ts';

export type SessionOptions = Pace & {
  document: Api;
  choice: Choice;
  target: Target;
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
  /** The paths of items below which others may be created. */
  parents?: readonly string[];
  /** The calls that are made first. */
  setupCalls?: readonly SetupCall[];
  prover: Prover;
  /** Headers of every call, besides those that it has itself. */
  headers?: Readonly<Record<string, string>>;
  /** Receives the webhooks and callbacks of the target. */
  desk?: WebhookDesk;
  /** Called with each exchange, and the most milliseconds that the rest may take, once that is known. */
  onExchange: (exchange: Exchange, left?: number) => void;
  /** Called with each exchange as it passed, keys included. */
  onPassed?: (exchange: PassedExchange) => void;
};

/** Holds what a look before a call found: the items of a list, and the status of a read at its path. */
export type Before = { listed?: readonly Item[] | undefined; status?: number | undefined };

/** Tells what calls of the run made. */
export interface Prover {
  /** Tells whose the item is that a create was answered with. */
  proveMade(session: Session, create: Answer): Promise<MadeItem>;
  /** Looks at what is there before a call that may make something is sent to a path. */
  lookBefore(session: Session, one: Case, path: string): Promise<Before>;
  /** Tells what such a call made, as creates. */
  proveAllowed(session: Session, call: Answer, before: Before): Promise<Answer[]>;
}

/** Of calls that were under way then, more may get no answer. */
const noAnswers = { code: 'no-answers', times: 3 } as const;

/** The placeholder for the key in a path until it is sent. */
const keyInPath = '$KEY';

/** Sends cases to one target within the quota of its keys, and records the exchanges. */
export class Session {
  readonly options: SessionOptions;
  readonly #read = createBodyStore();
  /** The change that was sent last, where they are made one at a time. */
  #lastChange: Promise<unknown> = Promise.resolve();
  readonly #watch: ReturnType<typeof createKeyWatch>;
  readonly #waitsInVain = new Map<Operation | undefined, number>();
  #sent = 0;
  /** Calls that were sent, and those that wait for a key. */
  #begun = 0;
  /** The most items that the calls can have made. */
  #mostMade = 0;
  #tidiesSince: number | undefined;
  readonly #turnstile: Turnstile;

  readonly transcript: Transcript & {
    exchanges: Exchange[];
    skipped: SkippedCase[];
    trials: LimitTrial[];
  };
  readonly keys: KeyRing;
  readonly values: Values;
  readonly choice: Choice;
  /** Whether the target ends with the run, so that all that is there may be changed. */
  readonly isTemporary: boolean;
  readonly ownership: Ownership;
  /** Lessons of refusals about bodies and parameters. */
  readonly refusals: Refusals;
  /** How many calls in all got no answer. */
  stops = 0;
  /** How many exchanges there were when it was tidied up last. */
  tidiedUpTo = 0;
  /** When it aborts, requests under way are cut off. */
  readonly cutOff: AbortSignal | undefined;

  constructor(options: SessionOptions) {
    const { document, target, values, signal, isTemporary = false } = options;
    const { isMarked } = values;
    const keys = new KeyRing(options);
    const exchanges: Exchange[] = [];
    const watch = createKeyWatch(exchanges, (one, budget) => this.call(one, budget));
    this.options = { ...options };
    this.#watch = watch;
    this.#turnstile = new Turnstile(options);
    this.transcript = {
      document,
      target,
      observer: ownRun,
      get keys() {
        return keys.infos;
      },
      refusedKeys: keys.refused,
      trials: [],
      exchanges,
      skipped: [],
      get ended() {
        return watch.loss;
      },
    };
    this.keys = keys;
    this.values = values;
    this.choice = options.choice;
    this.isTemporary = isTemporary;
    this.refusals = new Refusals(document, isMarked);
    this.ownership = new Ownership({ ...options, transcript: this.transcript, isMarked });
    this.cutOff = options.cutsOff ? signal : undefined;
  }

  /**
   * Sends one case. Unless a key is named, it is the one with the most calls left, or, where no limits
   * are stated, the same one for all: a deployment may show each key items of its own. Undefined if
   * it was skipped or its operation was not chosen.
   */
  call(one: Case, named?: Budget): Promise<Exchange | undefined> {
    const isStrain = !this.isTemporary && !this.keys.areLimitsStated && isUnsafe(one);
    if (!isStrain) return this.callNow(one, named);
    const made = this.#lastChange.then(() => this.callNow(one, named));
    this.#lastChange = made.catch(() => undefined);
    return made;
  }

  /** Sends cases in parallel. */
  async callAll(cases: readonly Case[]): Promise<void> {
    const queue = cases.values();
    const worker = async () => {
      for (const one of queue) await this.call(one);
    };
    await Promise.all(Array.from({ length: this.options.concurrency }, worker));
  }

  /** Returns how many requests and milliseconds are left: no more than fit if the target stays as fast. */
  left(): { requests: number; milliseconds: number } {
    const { maxRequests, deadline } = this.options;
    const milliseconds = deadline - Date.now();
    const fitting = Math.floor(milliseconds / (this.#turnstile.perCall() ?? 0));
    return { requests: Math.min(maxRequests - this.#begun, fitting), milliseconds };
  }

  /** Whether the keys have few calls left besides those that delete what the run made. */
  isShortOfCalls(): boolean {
    const toSpare = callsLeft(this.keys.bulk) - largeReserve;
    // Counting what is left takes longer with each call, and most runs have calls enough.
    if (toSpare > this.#mostMade) return false;
    return toSpare <= leftItems(this.transcript).filter(({ whose }) => whose === 'own').length;
  }

  /** Why nothing more can be sent, if so. */
  stopped(): SkipReason | undefined {
    const { signal, maxRequests, deadline } = this.options;
    if (signal?.aborted) return { code: 'interrupted' };
    if (this.#watch.loss) return { code: 'key-stopped' };
    if (this.stops >= noAnswers.times) return noAnswers;
    if (this.#begun >= maxRequests) return { code: 'max-requests', requests: maxRequests };
    return Date.now() >= deadline ? { code: 'out-of-time' } : undefined;
  }

  /** Resolves after this many milliseconds, or once the run is interrupted. */
  pause(milliseconds: number): Promise<void> {
    return wait(milliseconds, this.options.signal);
  }

  /** Whether what an operation made is waited for once more: until two waits were in vain. */
  mayWaitFor(operation: Operation | undefined): boolean {
    return (this.#waitsInVain.get(operation) ?? 0) < 2;
  }

  /** Notes that what an operation made was waited for, and did not appear. */
  countWaitInVain(operation: Operation | undefined): void {
    this.#waitsInVain.set(operation, (this.#waitsInVain.get(operation) ?? 0) + 1);
  }

  /** Notes the case by which a key was accepted, to ask whether it still is. */
  prove(budget: Budget, one: Case): void {
    this.#watch.prove(budget, one);
  }

  /** Sends one case at once, also a change beside another one. */
  async callNow(given: Case, named?: Budget): Promise<Exchange | undefined> {
    const { operation } = given;
    if (operation && !given.isNeeded && !this.choice.isChosen(operation)) return undefined;
    const reason = isTidying(given) ? this.#whyNotTidied() : this.stopped();
    if (reason) return this.#skip(given, reason);
    const asked = operation && isCounted(given) ? missingSchemes(operation, this.options.keys) : [];
    if (asked.length > 0) return this.#skip(given, { code: 'no-key', schemes: asked });
    const one = atView(this.transcript, given, (text) => this.values.fill(text).text);
    if (!one) return this.#skip(given, { code: 'no-value', name: given.path });
    const isAllowed = this.options.allowed?.includes(one.operation?.id ?? '') === true;
    const isAction = one.operation?.kind === undefined && isUnsafe(one);
    const complete = completeCase(this.transcript.document, one, {
      given: this.options.headers,
      isFresh: isAction && !isAllowed && !this.isTemporary,
      givenFor: (name) => this.values.get(setupName(name)),
    });
    if ('lacks' in complete) return this.#skip(one, { code: 'no-value', name: complete.lacks });
    this.#begun += 1;
    const planned = this.#fill(complete);
    if ('code' in planned) return this.#leave(one, planned);
    const fill = (text: string) => this.values.fill(text).text;
    const path = this.refusals.address(one, planned.path, fill);
    const filled = { ...planned, path, body: this.refusals.adjust(one, planned.body, fill) };
    const barred = this.ownership.whyNot(one, filled);
    if (barred) return this.#leave(one, barred);
    const budget = await this.#takeKey(one, named);
    if ('code' in budget) return this.#leave(one, budget);
    const { prover } = this.options;
    const before = this.#mayMake(one, filled) && (await prover.lookBefore(this, one, filled.path));
    const plain = this.#toRequest(complete, filled);
    const sent = this.options.desk?.address(one, plain) ?? { case: one, request: plain };
    const send = () => this.#send(sent.case, sent.request, budget);
    // What is said of a limit depends on how much is sent at once.
    const isOfLimit = one.purpose.kind === 'exhaust' || one.purpose.kind === 'count';
    const exchange = await (isOfLimit ? send() : this.#turnstile.inTurn(send));
    if (exchange.failure && this.cutOff?.aborted) return this.#leave(one, { code: 'interrupted' });
    await this.#learn(exchange, budget);
    const isDone = isAnswered(exchange) && exchange.response.status < 300;
    if (before && isDone) exchange.creates = await prover.proveAllowed(this, exchange, before);
    else if (isMade(exchange)) exchange.made = await prover.proveMade(this, exchange);
    this.#mostMade += 1 + (exchange.creates?.length ?? 0);
    const isWorthAgain = isAnswered(exchange) && this.refusals.learn(exchange);
    return isWorthAgain ? this.callNow(one, named) : exchange;
  }

  /** The request of a case, with the secrets that the run made up for it. */
  #toRequest(one: Case, filled: FilledCase): SentRequest {
    const request = toRequest(one, filled, this.options.headers);
    const sent = [filled.path, filled.body, ...Object.values(filled.headers)].join(' ');
    const secrets = [...this.values.secrets].filter((secret) => sent.includes(secret));
    const { operation = one.parametersOf } = one;
    const sentAs = operation && withSlashes(this.transcript, operation, filled.path);
    return defined({ ...request, sentAs, secrets: secrets.length > 0 ? secrets : undefined });
  }

  /** Whether a call may make or change what nothing tells: it has no kind, or only `--call` allows it. */
  #mayMake(one: Case, { path }: FilledCase): boolean {
    const { operation, method } = one;
    const isAllowed = this.options.allowed?.includes(operation?.id ?? '') === true;
    const isOpen = operation !== undefined && (isAllowed || operation.kind === undefined);
    const isMeant = isOpen && !this.isTemporary && isUnsafe({ method }) && method !== 'DELETE';
    // What changes an item of the run makes no other.
    const isChange = operation?.kind !== undefined && this.ownership.mayChange(operation, path);
    return isMeant && operation?.kind !== 'create' && !isChange;
  }

  /**
   * Returns why items of the run can no longer be deleted. Deletes may outlast the run for a short
   * time.
   */
  #whyNotTidied(): SkipReason | undefined {
    if (!this.stopped()) return undefined;
    this.#tidiesSince ??= Date.now();
    if (this.#watch.loss) return { code: 'key-stopped' };
    return Date.now() >= this.#tidiesSince + tidyingTime ? { code: 'out-of-time' } : undefined;
  }

  #skip(one: Case, reason: SkipReason): undefined {
    this.transcript.skipped.push({ case: one, reason });
  }

  /** Skips a case that was begun. */
  #leave(one: Case, reason: SkipReason): undefined {
    this.#begun -= 1;
    this.#skip(one, reason);
  }

  #fill(one: Case): FilledCase | SkipReason {
    const { values } = this;
    const toPart = (value: unknown) => encodeURIComponent(String(value));
    const path = values.fill(one.path.replaceAll('{{key}}', keyInPath), toPart);
    const body = one.body === undefined ? undefined : values.fill(one.body);
    const marker = one.marker === undefined ? undefined : values.fill(one.marker).text;
    const filled = Object.entries(one.headers ?? {}).map(
      ([name, value]) => [name, values.fill(value, name === 'Cookie' ? toPart : String)] as const,
    );
    const headers = Object.fromEntries(filled.map(([name, { text = '' }]) => [name, text]));
    const missing = [path, body, ...filled.map(([, one]) => one)].find(
      (one) => one?.missing,
    )?.missing;
    if (missing !== undefined) return { code: 'no-value', name: missing };
    const { exchanges } = this.transcript;
    const version = versionHeader(exchanges, one, path.text as string);
    return {
      path: withVersion(exchanges, one, path.text as string),
      ...{ body: body?.text, marker, headers: { ...headers, ...version } },
    };
  }

  /** The key of a call; where a call counts, it is taken from the key's quota. */
  async #takeKey(one: Case, named: Budget | undefined): Promise<Budget | SkipReason> {
    const { keys } = this;
    const counts = isCounted(one);
    if (counts && named && named.retryAt() > Date.now()) return { code: 'key-must-wait' };
    const taken = counts
      ? (named?.take() ?? (await keys.take({ isTidying: isTidying(one) })))
      : (named ?? keys.bulk[0]);
    return taken ?? { code: this.options.signal?.aborted ? 'interrupted' : 'quota-used-up' };
  }

  async #send(one: Case, request: SentRequest, { key }: Budget): Promise<Exchange> {
    this.#sent += 1;
    const number = this.#sent;
    const sentAt = now();
    const result = await this.#exchange(one, request, key);
    const showsKey = one.credential !== 'none' && key.secret !== '';
    return {
      number,
      case: one,
      request: { ...request, ...(showsKey && { keyName: key.name }) },
      sentAt,
      endedAt: now(),
      ...result,
    };
  }

  /** Sends a request with its key, which no exchange shows. */
  #exchange(one: Case, request: SentRequest, key: Key): Promise<HttpResult> {
    const { target, keys, timeout, onPassed } = this.options;
    const { operation = one.parametersOf } = one;
    const secrets = keys.map(({ secret }) => secret);
    const credential = toCredential(one.credential, key, { operation, secrets });
    const given = request.sentAs ?? request.path;
    const path = given.replaceAll(keyInPath, encodeURIComponent(key.secret));
    const headers = { ...request.headers, ...credential.headers };
    return send(
      target.url,
      { ...request, path: withQuery(path, credential.query), headers },
      {
        timeout,
        cutOff: isTidying(one) ? undefined : this.cutOff,
        read: this.#read,
        onPassed: onPassed && ((passed) => onPassed({ ...passed, secrets: request.secrets ?? [] })),
      },
    );
  }

  async #learn(exchange: Exchange, budget: Budget): Promise<void> {
    const { failure, response } = exchange;
    const isOfKey = isCounted(exchange.case);
    if (isOfKey) budget.received(exchange);
    const isTooSlow = failure?.kind === 'timeout';
    if (isTooSlow || failure?.kind === 'unreachable') this.stops += 1;
    const took = exchange.endedAt - exchange.sentAt;
    this.#turnstile.learn({ took, isTooMuch: isTooSlow || response?.status === 503 });
    this.transcript.exchanges.push(exchange);
    this.options.desk?.learn(exchange);
    const perCall = this.#turnstile.perCall();
    this.options.onExchange(exchange, perCall && this.left().requests * perCall);
    this.ownership.learn(exchange);
    if (isOfKey && response?.status === 401) await this.#watch.ask(budget, exchange);
  }
}
