import { messageOf } from '../../../common/look/visible.ts';
import type { Emit, RunTask } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { maxTasks } from '../../tasks/tasks.ts';
import {
  type ContextOptions,
  closure,
  closures,
  createRunning,
  findTask,
  prefix,
  type RunningCode,
  running,
  UseError,
} from './context.ts';
import type { Context } from './define.ts';
import { whereIs } from './where.ts';

/** How long a behaviour or a task may take, or a file to load, in milliseconds of real time. */
const timeLimit = 10_000;

/** How many may run at the same time: one that calls its own operation over HTTP has no end. */
const maxInFlight = 200;

export type RunnerOptions = ContextOptions & {
  /** The names of tasks that any sandbox has. */
  taskNames: Iterable<string>;
  /** Returns the sender of webhooks, if there is one. */
  emit: () => Emit | undefined;
};

let inFlight = 0;

/** Runs code in a sandbox. Its changes are stored when it ends, and none if it throws. */
export type Run = <T>(
  sandbox: Sandbox,
  name: string,
  act: (running: RunningCode) => T | Promise<T>,
) => Promise<T>;

export type Runner = {
  run: Run;
  /** Does what `after` and `every` were given. */
  tasks: Readonly<Record<string, RunTask>>;
};

/** Creates the runner of behaviours and tasks. */
export function createRunner(options: RunnerOptions): Runner {
  const run: Run = async (sandbox, name, act) => {
    if (inFlight >= maxInFlight)
      throw new UseError(
        `More than ${maxInFlight.toLocaleString('en')} calls are under way at once.`,
      );
    inFlight += 1;
    const limit = startLimit('It did not end');
    try {
      const seed = Math.floor(sandbox.random() * 2 ** 32);
      const { value, own } = await sandbox.store.transact(async (store) => {
        const own = createRunning({ name, sandbox, store }, seed, options);
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
      inFlight -= 1;
      limit.clear();
    }
  };
  const doTask = async (
    name: string,
    { sandbox, task }: Parameters<RunTask>[1],
    work: (context: Context) => unknown,
  ) => {
    const act = (own: RunningCode) => {
      own.isQuiet = task.isQuiet === true;
      return work(own.context);
    };
    const given = await run(sandbox, name, act).catch((error) => {
      const place = whereIs(error);
      throw place === undefined ? error : new Error(`${messageOf(error)} (${place})`);
    });
    if (task.every !== undefined && given === false)
      await sandbox.change(() => sandbox.tasks.remove(task.id));
  };
  const named = [...options.taskNames].map((name): [string, RunTask] => [
    `${prefix}${name}`,
    async (args, due) => {
      const act = findTask(name, options.tasksOf(due.sandbox));
      await doTask(`the task ${name}`, due, (context) => act(args, context));
    },
  ]);
  return {
    run,
    tasks: {
      ...Object.fromEntries(named),
      async [closure](args, due) {
        const { of, work: id } = args as { of: string; work: number };
        const held = closures.get(due.sandbox);
        const work = held?.get(id);
        if (!work) throw new Error(`The function that ${of} gave to after() or every() is lost.`);
        if (due.task.every === undefined) held?.delete(id);
        await doTask(`after() in ${of}`, due, work);
      },
    },
  };
}

/** Begins to wait so long as anything may take: `passed` rejects then, with `problem`, unless cleared. */
export function startLimit(problem: string): { passed: Promise<never>; clear: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const timer = setTimeout(
    () => reject(new UseError(`${problem} within ${timeLimit / 1000} seconds.`)),
    timeLimit,
  );
  return { passed: promise, clear: () => clearTimeout(timer) };
}

function ensureRoom({ tasks, sandbox }: RunningCode): void {
  if (tasks.length > 0 && sandbox.tasks.list().length + tasks.length > maxTasks)
    throw new UseError(`The sandbox would have more than ${maxTasks.toLocaleString('en')} tasks.`);
}

/** Does what waits until the changes are stored. */
async function finish(
  { sandbox, tasks, emitted, isQuiet, trace }: RunningCode,
  { emit }: RunnerOptions,
): Promise<void> {
  if (tasks.length > 0)
    await sandbox.change(() => {
      for (const task of tasks) sandbox.tasks.add({ ...task, ...(isQuiet && { isQuiet }) });
    });
  if (isQuiet) return;
  for (const { name, payload } of emitted) await emit()?.(sandbox, name, payload, trace);
}
