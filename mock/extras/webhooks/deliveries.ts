import { defined } from '../../../common/defined.ts';
import { isSuccess } from '../../../common/success.ts';
import type { ServiceCall } from '../../../openapi/index.ts';
import { bytesOfFields } from '../../answers/answer.ts';
import { hopsHeader } from '../../http/guard-request.ts';
import { type TraceHeaders, traceOf } from '../../journal/trace.ts';
import type { Log } from '../../log.ts';
import type { RunTask } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { BoundedMap } from '../../state/budget.ts';
import { createTurns } from '../../state/turns.ts';
import { TaskError } from '../../tasks/tasks.ts';
import type { Subject } from './payload.ts';
import type { Outcome, Send } from './send.ts';
import { isSameEvent } from './triggers.ts';

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
  /** The other origin of the page that said where it goes. */
  origin?: string | undefined;
  method: string;
  /** The headers of the last attempt, or the headers that are the same for all. */
  headers: Readonly<Record<string, string>>;
  body: string;
  at: number;
  state: 'pending' | 'delivered' | 'failed' | 'refused' | 'unsent';
  tries: Try[];
  /** When it is tried again. */
  nextTry?: number;
};

/** A URL that a request gave for a callback, and the item that the request was about. */
export type Subscription = { call: ServiceCall; url: string; origin?: string | undefined } & Omit<
  Subject,
  'item'
>;

/** How many deliveries, and how many URLs of callbacks, a sandbox retains. */
const maxRetained = 500;

/** The webhooks of a sandbox, as far as this process knows them. */
export class Deliveries {
  readonly #list: BoundedMap<Delivery>;
  readonly #subscriptions: BoundedMap<Subscription>;
  /** URLs that answered 410. */
  readonly #gone: BoundedMap<true>;
  /** How many tries are to fail on purpose. */
  failing = 0;
  count = 0;
  #subscribed = 0;
  /** The queues of the tries to each URL. */
  readonly #turns = new Map<string, ReturnType<typeof createTurns>>();
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

  /** Stores a delivery, or updates a stored one. */
  add(delivery: Delivery): void {
    const { url = '', headers, body, tries } = delivery;
    const texts = tries.map(({ answer = '', problem = '' }) => answer + problem).join('');
    const characters = url.length + body.length + texts.length;
    this.#list.set(delivery.id, delivery, 2 * characters + bytesOfFields(headers));
  }

  subscribe(subscription: Subscription): void {
    const { url, id, places = {} } = subscription;
    const characters = [url, id, ...Object.values(places)].join('').length;
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
    const turns = this.#turns.get(url) ?? createTurns(() => this.#turns.delete(url));
    this.#turns.set(url, turns);
    await turns(act);
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

/** The arguments by which any process can attempt a delivery; `tried` counts the attempts. */
type Args = Pick<Delivery, 'id' | 'event' | 'method' | 'headers' | 'body' | 'at'> & {
  url: string;
  item?: string;
  origin?: string;
  tried: number;
};

/** The headers of all tries, which no others take the place of. */
export function ownHeaders(
  mediaType: string | undefined,
  trace: TraceHeaders = {},
): Record<string, string> {
  return {
    ...trace,
    ...(mediaType !== undefined && { 'content-type': mediaType }),
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
 * Plans the only next try of each delivery, the first one at once. Deliveries fail if the sandbox has
 * too many tasks; returns what it says of these.
 */
export async function planTries(
  sandbox: Sandbox,
  deliveries: readonly Delivery[],
  tried = 0,
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const now = sandbox.clock.now();
  const due = now + (delays[tried - 1] ?? 0);
  const ids = new Set<unknown>(deliveries.map(({ id }) => id));
  for (const delivery of deliveries) {
    delivery.state = 'pending';
    delete delivery.nextTry;
  }
  const problems = await sandbox.change(() => {
    for (const task of sandbox.tasks.list())
      if (task.name === taskName && ids.has((task.args as Args).id)) sandbox.tasks.remove(task.id);
    return deliveries.map((delivery) => {
      try {
        sandbox.tasks.add({ name: taskName, args: toArgs(delivery, tried), due });
        return undefined;
      } catch (error) {
        if (error instanceof TaskError) return error.message;
        throw error;
      }
    });
  });
  for (const [index, delivery] of deliveries.entries()) {
    const problem = problems[index];
    if (problem !== undefined) {
      delivery.tries.push({ at: now, problem });
      delivery.state = 'failed';
    } else if (tried > 0) delivery.nextTry = due;
  }
  deliveriesOf(sandbox).wake();
  return problems.filter((one) => one !== undefined);
}

function toArgs(delivery: Delivery, tried: number): Args {
  const { id, event, method, headers, body, at, item, origin, url = '' } = delivery;
  return { ...{ id, event, method, headers, body, at, url, tried }, ...defined({ item, origin }) };
}

export type DeliverOptions = {
  send: Send;
  /** The headers that sign a try; none where the item of its endpoint is switched off or gone. */
  sign: (sandbox: Sandbox, delivery: Delivery) => Promise<Record<string, string> | undefined>;
  /** A URL as it may be shown. */
  showUrl: (url: string) => string;
  /** Origins whose pages may say where webhooks go. */
  origins: readonly string[];
  log: Pick<Log, 'warn'>;
};

/** Creates the task that attempts a delivery, and plans the next attempt after a failure. */
export function createDeliver({ send, sign, showUrl, origins, log }: DeliverOptions): RunTask {
  return async (given, { sandbox, beside }) => {
    const { tried, ...args } = given as unknown as Args;
    const fixed = ownHeaders(args.headers['content-type'], traceOf(args.headers));
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
      const { origin } = delivery;
      const isForeign = origin !== undefined && !origins.includes(origin);
      const refusal = isForeign ? foreign : signed ? undefined : withoutEndpoint;
      let outcome = refusal ?? withoutSending(deliveries, url);
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
        await planTries(sandbox, [delivery], tried + 1);
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

const foreign: Outcome = {
  isRefused: true,
  problem:
    'a page of another origin said where to; --admin-origins ORIGIN allows it where that page is yours',
};

const withoutEndpoint: Outcome = {
  isRefused: true,
  problem: 'its endpoint is disabled or deleted, so nothing was sent',
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
  return isSuccess({ status }) ? 'delivered' : 'failed';
}

function inWords(milliseconds: number): string {
  if (milliseconds < minute) return `${milliseconds / second} seconds`;
  return milliseconds < hour ? `${milliseconds / minute} minutes` : `${milliseconds / hour} hours`;
}
