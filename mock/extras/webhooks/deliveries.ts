import { METHODS } from 'node:http';
import { isObject } from '../../../contracts/description/schema.ts';
import { isSameEvent } from '../../../contracts/description/triggers.ts';
import type { ServiceCall } from '../../../contracts/description/webhooks.ts';
import { bytesOfFields } from '../../answers/answer.ts';
import { hopsHeader } from '../../http/guard-request.ts';
import type { Fields } from '../../items/stored-item.ts';
import type { Log } from '../../log.ts';
import type { RunTask } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Kept } from '../../state/budget.ts';
import { createTurns } from '../../state/turns.ts';
import { TaskError } from '../../tasks/tasks.ts';
import type { Subject } from './payload.ts';
import type { Outcome, Send } from './send.ts';

/** A try to deliver a webhook: when, in Unix milliseconds by the clock of the sandbox. */
export type Try = Outcome & { at: number };

/** A webhook or a callback that is sent to a receiver. */
export type Delivery = {
  id: string;
  event: string;
  /** Left out where the event has no endpoint. */
  url?: string;
  /** The item of the API that says where it goes, as its endpoint has it. */
  item?: string | undefined;
  method: string;
  /** Those of the last try, or those that are the same for all. */
  headers: Readonly<Record<string, string>>;
  body: string;
  at: number;
  state: 'pending' | 'delivered' | 'failed' | 'refused' | 'unsent';
  tries: Try[];
  /** When it is tried again. */
  nextTry?: number;
};

/** A URL that a request gave for a callback, and the item that the request was about. */
export type Subscription = { call: ServiceCall; url: string } & Omit<Subject, 'item'>;

/** How many deliveries, and how many URLs of callbacks, a sandbox retains. */
const maxRetained = 500;

/** The webhooks of a sandbox, as far as this process knows them. */
export class Deliveries {
  readonly #list: Kept<Delivery>;
  readonly #subscriptions: Kept<Subscription>;
  /** URLs that answered 410. */
  readonly #gone: Kept<true>;
  /** How many tries are to fail on purpose. */
  failing = 0;
  count = 0;
  #subscribed = 0;
  /** What runs the tries to each URL one after another. */
  readonly #turns = new Map<string, { turns: ReturnType<typeof createTurns>; waiting: number }>();
  readonly #taken = new WeakSet<Delivery>();
  #tried = Promise.withResolvers<void>();

  constructor(sandbox: Sandbox) {
    const max = maxRetained;
    this.#list = sandbox.kept('deliveries', { max });
    this.#subscriptions = sandbox.kept('subscriptions', { max });
    this.#gone = sandbox.kept('gone receivers', { max });
  }

  get list(): readonly Delivery[] {
    return this.#list.values();
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions.values();
  }

  find(id: string): Delivery | undefined {
    return this.#list.get(id);
  }

  /** Keeps a delivery; counts it again where it is kept already. */
  add(delivery: Delivery): void {
    const { url = '', headers, body, tries } = delivery;
    const texts = tries.map(({ answer = '', problem = '' }) => answer + problem).join('');
    const characters = url.length + body.length + texts.length;
    this.#list.set(delivery.id, delivery, 2 * characters + bytesOfFields(headers));
  }

  subscribe(subscription: Subscription): void {
    const { url, id } = subscription;
    const characters = url.length + String(id).length;
    this.#subscriptions.set(String((this.#subscribed += 1)), subscription, 2 * characters);
  }

  isGone(url: string): boolean {
    return this.#gone.get(url) ?? false;
  }

  setGone(url: string, isGone: boolean): void {
    if (isGone) this.#gone.set(url, true, 0);
    else this.#gone.delete(url);
  }

  /** Tries one URL after all that came before; others do not wait for it. */
  async inTurn(url: string, act: () => Promise<void>): Promise<void> {
    const { turns, waiting } = this.#turns.get(url) ?? { turns: createTurns(), waiting: 0 };
    this.#turns.set(url, { turns, waiting: waiting + 1 });
    await turns(act).finally(() => {
      const { waiting: left = 0 } = this.#turns.get(url) ?? {};
      if (left > 1) this.#turns.set(url, { turns, waiting: left - 1 });
      else this.#turns.delete(url);
    });
  }

  /** Says that a delivery was tried, or will never be. */
  wake(): void {
    this.#tried.resolve();
    this.#tried = Promise.withResolvers();
  }

  /** The oldest delivery of an event that was tried and that no call before got. */
  async next(event: string, ends: Promise<unknown>): Promise<Delivery | undefined> {
    let isOver = false;
    const over = ends.then(() => (isOver = true));
    while (!isOver) {
      const found = this.list.find(
        (one) =>
          isSameEvent(one.event, event) &&
          (one.state !== 'pending' || one.tries.length > 0) &&
          !this.#taken.has(one),
      );
      if (found) this.#taken.add(found);
      if (found) return found;
      await Promise.race([over, this.#tried.promise]);
    }
    return undefined;
  }
}

const name = 'webhooks';

/** The webhooks of a sandbox, from its last reset on. */
export function deliveriesOf(sandbox: Sandbox): Deliveries {
  const { notes } = sandbox;
  const known = notes.get(name) as Deliveries | undefined;
  const deliveries = known ?? new Deliveries(sandbox);
  if (!known) notes.set(name, deliveries);
  return deliveries;
}

/** The task that tries a delivery. */
export const taskName = 'webhook:deliver';

/** What any process can try a delivery by; `tried` is how often that was done. */
type Args = Pick<Delivery, 'id' | 'event' | 'method' | 'headers' | 'body' | 'at'> & {
  url: string;
  item?: string;
  tried: number;
};

const isText = (value: unknown) => typeof value === 'string';
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Names the form of each argument, and tells whether a value has it. */
const argumentRules: Readonly<Record<string, readonly [string, (value: unknown) => boolean]>> = {
  ...{ id: ['a text', isText], event: ['a text', isText], url: ['a text', isText] },
  ...{ body: ['a text', isText], at: ['Unix milliseconds', isCount] },
  ...{ tried: ['a whole number from 0 on', isCount] },
  method: ['a method of HTTP', (value) => METHODS.includes(String(value))],
  item: ['a text', (value) => value === undefined || isText(value)],
  headers: ['an object', isObject],
};

/** Says what is wrong with the arguments of such a task, as the end of a sentence; undefined if nothing is. */
export function argumentProblemOf(args: unknown): string | undefined {
  const given: Fields = isObject(args) ? args : {};
  const wrong = Object.entries(argumentRules).find(([name, [, isFit]]) => !isFit(given[name]));
  return wrong && `must have "${wrong[0]}", which is ${wrong[1][0]}`;
}

/** The headers of all tries, which no others take the place of. */
export function ownHeaders(mediaType: unknown): Record<string, string> {
  return {
    ...(isText(mediaType) && { 'content-type': String(mediaType) }),
    ...{ 'user-agent': 'petstore-twin', [hopsHeader.toLowerCase()]: '1' },
  };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed try the next one follows, as Standard Webhooks has it. */
const delays = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/**
 * Plans the only next try of a delivery, the first one at once. It fails where the sandbox has too many
 * tasks.
 */
export async function planTry(sandbox: Sandbox, delivery: Delivery, tried = 0): Promise<void> {
  const { id, event, method, headers, body, at, item, url = '' } = delivery;
  const ofItem = item !== undefined && { item };
  const args: Args = { id, event, method, headers, body, at, url, ...ofItem, tried };
  const now = sandbox.clock.now();
  const due = now + (delays[tried - 1] ?? 0);
  delivery.state = 'pending';
  delete delivery.nextTry;
  try {
    await sandbox.change(() => {
      for (const task of sandbox.tasks.list())
        if (task.name === taskName && (task.args as Args).id === id) sandbox.tasks.remove(task.id);
      sandbox.tasks.add({ name: taskName, args, due });
    });
    if (tried > 0) delivery.nextTry = due;
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    delivery.tries.push({ at: now, problem: error.message });
    delivery.state = 'failed';
    deliveriesOf(sandbox).wake();
  }
}

export type DeliverOptions = {
  send: Send;
  /** The headers that sign a try; none where the item of its endpoint is switched off or gone. */
  sign: (sandbox: Sandbox, delivery: Delivery) => Promise<Record<string, string> | undefined>;
  /** A URL as it may be shown. */
  showUrl: (url: string) => string;
  log: Pick<Log, 'warn'>;
};

/** Makes what tries a delivery, and plans the next try where one fails. */
export function createDeliver({ send, sign, showUrl, log }: DeliverOptions): RunTask {
  return async (given, { sandbox, beside }) => {
    const problem = argumentProblemOf(given);
    if (problem !== undefined) throw new Error(`Its arguments ${problem}.`);
    const { tried, ...args } = given as unknown as Args;
    const fixed = ownHeaders(args.headers['content-type']);
    const { event, url, method, body } = args;
    const deliveries = deliveriesOf(sandbox);
    const isForgotten = () => deliveriesOf(sandbox) !== deliveries;
    const known = deliveries.find(args.id);
    // Another process may have begun it.
    const delivery: Delivery = known ?? { ...args, state: 'pending', tries: [] };
    if (!known) deliveries.add(delivery);
    const tryOnce = async () => {
      if (isForgotten()) return;
      delete delivery.nextTry;
      const signed = await sign(sandbox, delivery);
      let outcome = signed ? withoutSending(deliveries, url) : withoutEndpoint;
      if (!outcome) {
        const wasLate = delivery.tries.at(-1)?.isLate === true;
        delivery.headers = { ...signed, ...fixed };
        outcome = await send({ method, url, headers: delivery.headers, body, wasLate });
      }
      delivery.tries.push({ at: sandbox.clock.now(), ...outcome });
      delivery.state = stateAfter(outcome);
      if (!isForgotten()) deliveries.add(delivery);
      if (outcome.status === 410 && !isForgotten()) deliveries.setGone(url, true);
      else if (delivery.state === 'failed' && tried < delays.length && !isForgotten())
        await planTry(sandbox, delivery, tried + 1);
      const next =
        delivery.nextTry === undefined
          ? ''
          : ` It is tried again in ${inWords(delays[tried] ?? 0)}.`;
      if (outcome.problem !== undefined)
        log.warn(`The webhook ${event} to ${showUrl(url)}: ${outcome.problem}.${next}`);
      deliveries.wake();
    };
    beside(deliveries.inTurn(url, tryOnce));
  };
}

const withoutEndpoint: Outcome = {
  isRefused: true,
  problem: 'its endpoint is switched off or gone, so nothing was sent',
};

/** How a try ends for which nothing is sent; undefined of any other. */
function withoutSending(deliveries: Deliveries, url: string): Outcome | undefined {
  if (deliveries.isGone(url))
    return { isRefused: true, problem: 'the receiver answered 410 before, so nothing was sent' };
  if (deliveries.failing === 0) return undefined;
  deliveries.failing -= 1;
  return { status: 500, problem: 'it failed on purpose, and nothing was sent' };
}

function stateAfter({ status = 0, isRefused }: Outcome): Delivery['state'] {
  if (isRefused) return 'refused';
  return status >= 200 && status < 300 ? 'delivered' : 'failed';
}

function inWords(milliseconds: number): string {
  if (milliseconds < minute) return `${milliseconds / second} seconds`;
  return milliseconds < hour ? `${milliseconds / minute} minutes` : `${milliseconds / hour} hours`;
}
