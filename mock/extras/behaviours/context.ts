import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { Faker } from '@faker-js/faker';
import { faker as shared } from '@faker-js/faker/locale/en';
import { didYouMean } from '../../../common/cli/nearest-name.ts';
import { stringifyExact } from '../../../common/json.ts';
import { messageOf } from '../../../common/look/visible.ts';
import { type Duration, parseDuration } from '../../clock.ts';
import type { TraceHeaders } from '../../journal/trace.ts';
import { parseExact } from '../../json/exact-json.ts';
import { quote } from '../../json/quote.ts';
import type { Log } from '../../log.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Store } from '../../state/store.ts';
import {
  checkTimes,
  copyArgs,
  type JsonValue,
  maxTasks,
  type Task as SandboxTask,
} from '../../tasks/tasks.ts';
import type { Context, Task } from './define.ts';
import type { ToItems } from './own-items.ts';

/** How often one call may use items, and call `next`. */
const maxUses = 10_000;

/** An error in a behaviour's use of the values and functions it is given. */
export class UseError extends Error {
  /** The file and line of it, where that is not the behaviour's. */
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

export type ContextOptions = {
  toItems: ToItems;
  /** The tasks of a sandbox, by their names. */
  tasksOf: (sandbox: Sandbox) => Readonly<Record<string, Task>>;
  log: Log;
};

/** A call or a task that is under way, with what its code did so far. */
export type RunningCode = {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly context: Context;
  /** Throws if the call has ended, or after too many uses. */
  use(): void;
  isOver: boolean;
  /** Whether no webhook is sent after it, nor after the tasks that it plans. */
  isQuiet: boolean;
  uses: number;
  /** Uses of items that perhaps nobody waits for. */
  pending: NotedPromise<unknown>[];
  /** Tasks and webhooks to start once the changes are stored. */
  tasks: Omit<SandboxTask, 'id'>[];
  emitted: { name: string; payload: unknown }[];
  /** The trace of the call. */
  trace?: TraceHeaders;
};

/** The context that the running code belongs to. */
export const running = new AsyncLocalStorage<RunningCode>();

/** The prefix of task names, and the name of tasks whose function one process holds. */
export const prefix = 'behaviour:';
export const closure = `${prefix}closure`;

/** Functions that were given to `after` and `every`, by their numbers. */
export const closures = new WeakMap<Sandbox, Map<number, () => unknown>>();
let lastClosure = 0;

/** Creates the context of code that runs in a sandbox. */
export function createRunning(
  { name, sandbox, store }: Pick<RunningCode, 'name' | 'sandbox' | 'store'>,
  seed: number,
  { toItems, tasksOf, log }: ContextOptions,
): RunningCode {
  /** A function that is run later belongs to what runs it, whatever it was given by. */
  const current = () => {
    const now = running.getStore() ?? made;
    now.use();
    return now;
  };
  const later = (duration: Duration, isRepeated: boolean, work: unknown, args: object = {}) => {
    const now = current();
    const { sandbox } = now;
    const length = toMilliseconds(duration);
    const due = sandbox.clock.now() + length;
    const times = { due, ...(isRepeated && { every: length }) };
    if (typeof work === 'string') {
      findTask(work, tasksOf(sandbox));
      const task = { name: `${prefix}${work}`, args: args as JsonValue, ...times };
      // Once the changes are stored it is too late to refuse.
      checkTimes(task);
      now.tasks.push({ ...task, args: copyArgs(task) });
    } else if (typeof work === 'function') {
      checkTimes({ name: closure, ...times });
      const id = hold(sandbox, work as () => unknown);
      const { holder } = sandbox.tasks;
      now.tasks.push({ name: closure, args: { of: now.name, work: id }, holder, ...times });
    } else throw new UseError('after() and every() need a function, or the name of a task.');
  };
  let faker: Faker | undefined;
  const made: RunningCode = {
    ...{ name, sandbox, store, isOver: false, uses: 0, pending: [], tasks: [], emitted: [] },
    isQuiet: false,
    use() {
      if (made.isOver) throw new UseError(`${name} is over. Wait for what it does with await.`);
      if (++made.uses > maxUses)
        throw new UseError(`It used items more than ${maxUses.toLocaleString('en')} times.`);
    },
    context: {
      sandbox: sandbox.name,
      clock: { now: () => new Date(sandbox.clock.now()) },
      get faker() {
        faker ??= createFaker(seed, sandbox);
        return faker;
      },
      items: (thing: string) =>
        toItems(thing, (use) => {
          const now = current();
          const used = use(now.store, now.sandbox);
          const noted = new NotedPromise<never>((resolve, reject) => {
            used.then(resolve as (value: unknown) => void, reject);
          });
          now.pending.push(noted);
          return noted;
        }) as never,
      log: (...values) => log.info(`${name}: ${format(...values)}`),
      after: (duration: Duration, work: unknown, args?: object) =>
        later(duration, false, work, args),
      every: (duration: Duration, work: unknown, args?: object) =>
        later(duration, true, work, args),
      emit: (event, payload) =>
        void current().emitted.push({ name: event, payload: copyPayload(event, payload) }),
    },
  };
  return made;
}

/** A promise that notes whether anybody waits for it, and is no unhandled rejection where nobody does. */
class NotedPromise<T> extends Promise<T> {
  isAwaited = false;

  constructor(...args: ConstructorParameters<typeof Promise<T>>) {
    super(...args);
    super.then(undefined, () => {});
  }

  static override get [Symbol.species]() {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then: Promise<T>['then'] = (...handlers) => {
    this.isAwaited = true;
    return super.then(...handlers);
  };
}

function createFaker(seed: number, { clock }: Sandbox): Faker {
  const OwnFaker = shared.constructor as typeof Faker;
  const made = new OwnFaker({ locale: shared.rawDefinitions, seed });
  made.setDefaultRefDate(() => new Date(clock.now()));
  return made;
}

function toMilliseconds(duration: Duration): number {
  try {
    return Math.ceil(parseDuration(duration));
  } catch (error) {
    throw new UseError((error as Error).message);
  }
}

/** The payload as it is now, which can be sent. */
function copyPayload(event: unknown, payload: unknown): unknown {
  if (typeof event !== 'string') throw new UseError('emit() needs the name of a webhook.');
  try {
    // JSON has no text for undefined.
    const text = stringifyExact(payload) as string | undefined;
    return text === undefined ? undefined : parseExact(text);
  } catch (error) {
    throw new UseError(`The payload of ${event} must be JSON: ${messageOf(error)}`);
  }
}

function hold(sandbox: Sandbox, work: () => unknown): number {
  const held = closures.get(sandbox) ?? new Map();
  closures.set(sandbox, held);
  if (held.size > 2 * maxTasks) {
    const waiting = new Set(
      sandbox.tasks.list().map(({ args }) => (args as { work?: number } | null)?.work),
    );
    for (const id of held.keys()) if (!waiting.has(id)) held.delete(id);
  }
  held.set(++lastClosure, work);
  return lastClosure;
}

export function findTask(name: string, tasks: Readonly<Record<string, Task>>): Task {
  const found = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (found) return found;
  const advice = didYouMean(name, Object.keys(tasks));
  throw new UseError(
    `There is no task ${quote(name)}.${advice} Name it in "tasks" of defineBehaviours.`,
  );
}
