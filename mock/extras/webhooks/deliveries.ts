import { isSameEvent } from '../../../contracts/description/triggers.ts';
import type { ServiceCall } from '../../../contracts/description/webhooks.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Outcome } from './send.ts';

/** A try to deliver a webhook: when, in Unix milliseconds by the clock of the sandbox. */
export type Try = Outcome & { at: number };

/** A webhook or a callback that is sent to a receiver. */
export type Delivery = {
  id: string;
  event: string;
  /** Left out where the event has no endpoint. */
  url?: string;
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
export type Subscription = { call: ServiceCall; url: string; about: About };

/** The item that something is about: the name of its collection, and its id as text. */
export type About = { collection: string | undefined; id: string };

/** How many deliveries, and how many URLs of callbacks, a sandbox retains. */
const maxRetained = 500;

/** The webhooks of a sandbox, as far as this process knows them. */
export class Deliveries {
  readonly list: Delivery[] = [];
  readonly subscriptions: Subscription[] = [];
  /** URLs that answered 410. */
  readonly gone = new Set<string>();
  /** How many tries are to fail on purpose. */
  failing = 0;
  count = 0;
  readonly #taken = new Set<Delivery>();
  #waiting: (() => void)[] = [];

  add(delivery: Delivery): void {
    const [dropped] = this.list.length >= maxRetained ? this.list.splice(0, 1) : [];
    if (dropped) this.#taken.delete(dropped);
    this.list.push(delivery);
  }

  subscribe(subscription: Subscription): void {
    if (this.subscriptions.length >= maxRetained) this.subscriptions.shift();
    this.subscriptions.push(subscription);
  }

  /** Says that a delivery was tried, or will never be. */
  announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
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
      await Promise.race([over, new Promise<void>((wake) => this.#waiting.push(wake))]);
    }
    return undefined;
  }
}

const name = 'webhooks';

/** The webhooks of a sandbox, from its last reset on. */
export function deliveriesOf({ notes }: Sandbox): Deliveries {
  const known = notes.get(name) as Deliveries | undefined;
  const deliveries = known ?? new Deliveries();
  if (!known) notes.set(name, deliveries);
  return deliveries;
}
