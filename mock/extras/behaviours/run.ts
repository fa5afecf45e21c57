import { AsyncLocalStorage } from 'node:async_hooks';
import { format } from 'node:util';
import type { Faker } from '@faker-js/faker';
import { faker as shared } from '@faker-js/faker/locale/en';
import { nearestName } from '../../../contracts/cli/nearest-name.ts';
import { type Duration, parseDuration } from '../../clock.ts';
import { quote } from '../../json/quote.ts';
import type { Log } from '../../log.ts';
import type { RunTask } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Store } from '../../state/store.ts';
import { type JsonValue, maxTasks, type Task as SandboxTask } from '../../tasks/tasks.ts';
import type { Context, Task } from './define.ts';
import type { ToItems } from './own-items.ts';
import { whereIs } from './where.ts';

/** How long a behaviour or a task may take, in milliseconds of real time. */
export const timeLimit = 10_000;

/** How often one call may use items, and call `next`. */
const maxUses = 10_000;

/** How many may run at the same time: one that calls its own operation over HTTP has no end. */
const maxUnderWay = 200;

/** What is wrong with how a behaviour uses what it is given. */
export class UseError extends Error {
  /** The file and line of it, where that is not the behaviour's. */
  readonly at: string | undefined;

  constructor(message: string, at?: string) {
    super(message);
    this.at = at;
  }
}

/** Sends a webhook. */
type Emit = (sandbox: Sandbox, name: string, payload?: unknown) => Promise<void>;

export type RunnerOptions = {
  toItems: ToItems;
  tasks: Readonly<Record<string, Task>>;
  /** Gives what sends webhooks, if anything does. */
  emit: () => Emit | undefined;
  log: Log;
};

/** What is under way, with what it is to do once its changes are stored. */
export type Running = {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly context: Context;
  /** Throws where it is over, or used too much. */
  use(): void;
};

type Own = Running & {
  isOver: boolean;
  uses: number;
  pending: NotedPromise<unknown>[];
  tasks: Omit<SandboxTask, 'id'>[];
  emitted: { name: string; payload: unknown }[];
};

const running = new AsyncLocalStorage<Own>();
let underWay = 0;

/** Runs code in a sandbox: what it changes there is stored when it ends, and nothing where it throws. */
export type Run = <T>(
  sandbox: Sandbox,
  name: string,
  act: (running: Running) => T | Promise<T>,
) => Promise<T>;

export type Runner = {
  run: Run;
  /** Does what `after` and `every` were given. */
  tasks: Readonly<Record<string, RunTask>>;
};

/** Makes what runs behaviours and tasks. */
export function createRunner(options: RunnerOptions): Runner {
  const run: Run = async (sandbox, name, act) => {
    if (underWay >= maxUnderWay)
      throw new UseError(
        `More than ${maxUnderWay.toLocaleString('en')} calls are under way at once.`,
      );
    underWay += 1;
    const limit = startLimit();
    try {
      const seed = Math.floor(sandbox.random() * 2 ** 32);
      const { value, own } = await sandbox.store.transact(async (store) => {
        const own = toOwn({ name, sandbox, store }, seed, options);
        const ended = running.run(own, async () => {
          const value = await act(own);
          // What nobody waits for belongs to the call as well.
          for (const one of own.pending) await (one.isAwaited ? one.catch(() => {}) : one);
          return value;
        });
        try {
          const value = await Promise.race([ended, limit.passed]);
          ensureRoom(own);
          return { value, own };
        } finally {
          own.isOver = true;
          ended.catch(() => {});
        }
      });
      await finish(own, options);
      return value;
    } finally {
      underWay -= 1;
      limit.clear();
    }
  };
  const doTask = async (
    name: string,
    { sandbox, task }: Parameters<RunTask>[1],
    work: (context: Context) => unknown,
  ) => {
    const given = await run(sandbox, name, ({ context }) => work(context)).catch((error) => {
      const problem = error instanceof Error ? error.message : String(error);
      const place = whereIs(error);
      throw place === undefined ? error : new Error(`${problem} (${place})`);
    });
    if (task.every !== undefined && given === false)
      await sandbox.change(() => sandbox.tasks.remove(task.id));
  };
  const named = Object.entries(options.tasks).map(([name, act]): [string, RunTask] => [
    `${prefix}${name}`,
    (args, due) => doTask(`the task ${name}`, due, (context) => act(args, context)),
  ]);
  return {
    run,
    tasks: {
      ...Object.fromEntries(named),
      async [closure](args, due) {
        const { of, work: id } = args as { of: string; work: number };
        const held = closures.get(due.sandbox);
        const work = held?.get(id);
        if (!work)
          throw new Error(`The function that ${of} gave to after() or every() is no longer held.`);
        if (due.task.every === undefined) held?.delete(id);
        await doTask(`after() in ${of}`, due, work);
      },
    },
  };
}

const prefix = 'behaviour:';
const closure = `${prefix}closure`;

/** Functions that were given to `after` and `every`, by their numbers. */
const closures = new WeakMap<Sandbox, Map<number, () => unknown>>();
let lastClosure = 0;

function startLimit() {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const timer = setTimeout(
    () => reject(new UseError(`It did not end within ${timeLimit / 1000} seconds.`)),
    timeLimit,
  );
  return { passed: promise, clear: () => clearTimeout(timer) };
}

function toOwn(
  { name, sandbox, store }: Pick<Running, 'name' | 'sandbox' | 'store'>,
  seed: number,
  { toItems, tasks, log }: RunnerOptions,
): Own {
  /** A function that is run later belongs to what runs it, whatever it was given by. */
  const current = () => {
    const now = running.getStore() ?? own;
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
      if (!Object.hasOwn(tasks, work)) throw new UseError(describeUnknownTask(work, tasks));
      now.tasks.push({ name: `${prefix}${work}`, args: args as JsonValue, ...times });
    } else if (typeof work === 'function') {
      const id = hold(sandbox, work as () => unknown);
      const { holder } = sandbox.tasks;
      now.tasks.push({ name: closure, args: { of: now.name, work: id }, holder, ...times });
    } else throw new UseError('after() and every() need a function, or the name of a task.');
  };
  let made: Faker | undefined;
  const own: Own = {
    ...{ name, sandbox, store, isOver: false, uses: 0, pending: [], tasks: [], emitted: [] },
    use() {
      if (own.isOver) throw new UseError(`${name} is over. Wait for what it does with await.`);
      if (++own.uses > maxUses)
        throw new UseError(`It used items more than ${maxUses.toLocaleString('en')} times.`);
    },
    context: {
      sandbox: sandbox.name,
      clock: { now: () => new Date(sandbox.clock.now()) },
      get faker() {
        made ??= createFaker(seed, sandbox);
        return made;
      },
      items: (thing: string) =>
        toItems(thing, (use) => {
          const now = current();
          const used = use(now.store);
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
      emit: (event, payload) => void current().emitted.push({ name: event, payload }),
    },
  };
  return own;
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

function describeUnknownTask(name: string, tasks: object): string {
  const nearest = nearestName(name, Object.keys(tasks));
  const advice = nearest === undefined ? '' : ` Did you mean ${quote(nearest)}?`;
  return `There is no task ${quote(name)}.${advice} Name it in "tasks" of defineBehaviours.`;
}

function ensureRoom({ tasks, sandbox }: Own): void {
  if (tasks.length > 0 && sandbox.tasks.list().length + tasks.length > maxTasks)
    throw new UseError(`The sandbox would have more than ${maxTasks.toLocaleString('en')} tasks.`);
}

/** Does what waits until the changes are stored. */
async function finish({ sandbox, tasks, emitted }: Own, { emit }: RunnerOptions): Promise<void> {
  if (tasks.length > 0)
    await sandbox.change(() => {
      for (const task of tasks) sandbox.tasks.add(task);
    });
  for (const { name, payload } of emitted) await emit()?.(sandbox, name, payload);
}
