import type { Log } from '../../log.ts';
import type { RunTask } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { TaskError } from '../../tasks/tasks.ts';
import { type Deliveries, type Delivery, deliveriesOf } from './deliveries.ts';
import { isTaken, type Outcome, type Send } from './send.ts';

/** The task that tries a delivery. */
export const taskName = 'webhook:deliver';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed try the next one follows, as Standard Webhooks has it. */
const delays = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
];

/** How many tries of a process are under way at a time. */
const maxUnderWay = 10;

/** What any process can try a delivery by; `tried` is how often that was done. */
type Args = Pick<Delivery, 'id' | 'event' | 'method' | 'headers' | 'body' | 'at'> & {
  url: string;
  tried: number;
};

export type DeliverOptions = {
  send: Send;
  /** The headers that sign a try. */
  sign: (sandbox: Sandbox, delivery: Delivery) => Promise<Record<string, string>>;
  /** A URL as it may be shown. */
  showUrl: (url: string) => string;
  log: Pick<Log, 'warn'>;
};

/** Adds the task that tries a delivery at once. Runs inside `sandbox.change`. */
export function startDelivery(sandbox: Sandbox, delivery: Delivery, tried = 0): void {
  const { id, event, method, headers, body, at, url = '' } = delivery;
  const args: Args = { id, event, method, headers, body, at, url, tried };
  delivery.state = 'pending';
  try {
    sandbox.tasks.add({ name: taskName, args, due: sandbox.clock.now() });
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    endWith(sandbox, delivery, { problem: error.message });
  }
}

/** Makes what tries a delivery, and plans the next try where one fails. */
export function createDeliver({ send, sign, showUrl, log }: DeliverOptions): RunTask {
  const inTurn = createGate(maxUnderWay);
  return async (given, { sandbox }) => {
    const { tried, ...args } = given as unknown as Args;
    const deliveries = deliveriesOf(sandbox);
    let delivery = deliveries.list.find(({ id }) => id === args.id);
    // Another process may have begun it.
    if (!delivery) deliveries.add((delivery = { ...args, state: 'pending', tries: [] }));
    const { event, url, method, body } = args;
    const headers = { ...args.headers, ...(await sign(sandbox, delivery)) };
    const wasLate = delivery.tries.at(-1)?.isLate === true;
    const outcome =
      withoutSending(deliveries, url) ??
      (await inTurn(() => send({ method, url, headers, body, wasLate })));
    delivery.headers = headers;
    delete delivery.nextTry;
    if (outcome.status === 410) deliveries.gone.add(url);
    const delay = delays[tried];
    const isOver = isTaken(outcome) || outcome.isRefused || outcome.status === 410;
    const isForgotten = deliveriesOf(sandbox) !== deliveries;
    if (!isOver && !isForgotten && delay !== undefined) {
      delivery.nextTry = sandbox.clock.now() + delay;
      const task = { name: taskName, args: { ...args, tried: tried + 1 }, due: delivery.nextTry };
      await sandbox.change(() => void sandbox.tasks.add(task));
    }
    const { problem } = outcome;
    if (problem !== undefined) {
      const next =
        delivery.nextTry === undefined ? '' : ` It is tried again in ${inWords(delay ?? 0)}.`;
      log.warn(`The webhook ${event} to ${showUrl(url)}: ${problem}.${next}`);
    }
    endWith(sandbox, delivery, outcome);
  };
}

/** How a try ends for which nothing is sent; undefined of any other. */
function withoutSending(deliveries: Deliveries, url: string): Outcome | undefined {
  if (deliveries.gone.has(url))
    return { isRefused: true, problem: 'the receiver answered 410 before, so nothing was sent' };
  if (deliveries.failing === 0) return undefined;
  deliveries.failing -= 1;
  return { status: 500, problem: 'it failed on purpose, and nothing was sent' };
}

/** Notes how a try ended. */
function endWith(sandbox: Sandbox, delivery: Delivery, outcome: Outcome): void {
  delivery.tries.push({ at: sandbox.clock.now(), ...outcome });
  if (isTaken(outcome)) delivery.state = 'delivered';
  else if (outcome.isRefused) delivery.state = 'refused';
  else if (delivery.nextTry === undefined) delivery.state = 'failed';
  deliveriesOf(sandbox).announce();
}

function inWords(milliseconds: number): string {
  if (milliseconds < minute) return `${milliseconds / second} seconds`;
  return milliseconds < hour ? `${milliseconds / minute} minutes` : `${milliseconds / hour} hours`;
}

/** Lets at most some run at a time, and others wait. */
function createGate(max: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (act) => {
    if (underWay >= max) await new Promise<void>((go) => waiting.push(go));
    else underWay += 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
