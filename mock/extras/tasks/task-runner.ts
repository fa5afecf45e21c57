import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClockState } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { RunTask, TaskListener } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { createTurns } from '../../state/turns.ts';
import type { Task } from '../../tasks/tasks.ts';
import type { MoveClock } from '../admin/clock-handlers.ts';

/** What tasks do, by their names. */
export type RunTasks = Readonly<Record<string, RunTask>>;

export type TaskRunnerOptions = {
  sandboxes: Pick<Sandboxes, 'defaultSandbox' | 'find' | 'findStored' | 'list'>;
  /** What it hears of tasks by, and of the end of the twin. */
  taskListener: TaskListener;
  /** How many milliseconds of real time a task may take before others go on without it. */
  maxTime?: number;
  /**
   * After how many milliseconds a process looks again at sandboxes that it shares, and does what it
   * saw due the last time; longer than a task may take.
   */
  lookAgain?: number;
};

/** More tasks than allowed ran in one move of a clock; the message says which is next. */
export class TooManyRunsError extends Error {}

/** How many tasks may run in one move of a clock, or else one after another. */
const maxRuns = 10_000;

/** The longest that a timer of Node waits, in milliseconds. */
const longestWait = 2 ** 31 - 1;

/**
 * Runs the tasks of sandboxes that are due: in real time with one timer, and where a clock is moved.
 * Those of a sandbox run one after another.
 */
export class TaskRunner {
  readonly #options: Required<TaskRunnerOptions>;
  #table: RunTasks = {};
  #log: Pick<Log, 'error' | 'warn'> | undefined;
  /** When to look at sandboxes, by their names, in milliseconds of the system's clock. */
  readonly #looks = new Map<string, number>();
  /** What was due already when a shared sandbox was looked at last, by the ids of tasks. */
  readonly #overdue = new WeakMap<Sandbox, ReadonlySet<string>>();
  readonly #turns = new WeakMap<Sandbox, ReturnType<typeof createTurns>>();
  /** Names of tasks that nothing does, of which the log has told. */
  readonly #unknown = new Set<string>();
  /** Those that have got tasks in this process since they were looked at. */
  readonly #added = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Leaves the change of a sandbox in which a timer is set. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(options: TaskRunnerOptions) {
    this.#options = { maxTime: 10_000, lookAgain: 15_000, ...options };
    const { taskListener } = options;
    taskListener.onTasks = (sandbox, isAdded) => {
      if (isAdded) this.#added.add(sandbox.name);
      this.#plan(sandbox);
    };
    taskListener.close = () => {
      this.#isClosed = true;
      clearTimeout(this.#timer);
    };
  }

  /** Does tasks by this table from now on. */
  follow(table: RunTasks, log: Pick<Log, 'error' | 'warn'>): void {
    this.#table = table;
    this.#log = log;
    this.#unknown.clear();
    for (const { sandbox } of this.#options.sandboxes.list()) this.#plan(sandbox);
  }

  /**
   * Moves the clock of a sandbox: it stands at the instant of each task that falls due while that
   * runs, and only then shows the aim. Throws {@link TooManyRunsError}.
   */
  readonly move: MoveClock = (sandbox, aim) => {
    const { clock, tasks } = sandbox;
    return this.#inTurn(sandbox, async () => {
      let target: ClockState = { offset: 0 };
      let standing: number | undefined;
      const step = (isLast: boolean) => () => {
        if (standing === undefined) target = aim(clock);
        // A reset, or another process, has moved it meanwhile.
        else if (clock.save().frozenAt !== standing) return undefined;
        const before = clock.now();
        clock.load(target);
        const task = this.#findDue(sandbox, clock.now());
        if (!task) return undefined;
        const at = isLast ? before : Math.max(before, task.due);
        if (isLast) clock.advance(at - clock.now());
        else {
          clock.freeze(at);
          tasks.take(task.id, at);
        }
        return { task, at };
      };
      for (let runs = 0; ; runs++) {
        const next = await sandbox.change(step(runs === maxRuns));
        if (!next) break;
        const { task, at } = next;
        if (runs === maxRuns)
          throw new TooManyRunsError(
            `${maxRuns.toLocaleString('en')} tasks ran, the maximum of one move of the clock, which is at ${new Date(at).toISOString()} now. Next is ${task.name}; move the clock again, or remove what repeats too often (GET /__admin/tasks).`,
          );
        standing = at;
        await this.#run(sandbox, task);
      }
    }).finally(() => this.#plan(sandbox));
  };

  /** Runs a task now, whenever it is due. Gives why it failed; null where there is no such task. */
  runNow(sandbox: Sandbox, id: string): Promise<string | undefined | null> {
    const { clock, tasks } = sandbox;
    return this.#inTurn(sandbox, async () => {
      const task = await sandbox.change(() => {
        const found = tasks.list().find((one) => one.id === id);
        return found && this.#canTake(sandbox, found) && tasks.take(id, clock.now());
      });
      return task ? this.#run(sandbox, task) : null;
    });
  }

  #inTurn<T>(sandbox: Sandbox, act: () => Promise<T>): Promise<T> {
    let turns = this.#turns.get(sandbox);
    if (!turns) this.#turns.set(sandbox, (turns = createTurns()));
    return turns(act);
  }

  /** Plans to look at a sandbox when its next task is due, or one of another process may be. */
  #plan(sandbox: Sandbox): void {
    const { clock, name, refresh, tasks } = sandbox;
    const next = tasks.list().find((task) => this.#canTake(sandbox, task));
    let wait = Number.POSITIVE_INFINITY;
    if (next && (!clock.frozen || next.due <= clock.now())) wait = next.due - clock.now();
    if (this.#isLeftToOthers(sandbox)) wait = Number.POSITIVE_INFINITY;
    const { sandboxes, lookAgain } = this.#options;
    const isDefault = sandbox === sandboxes.defaultSandbox;
    if (refresh && (isDefault || tasks.list().length > 0)) wait = Math.min(wait, lookAgain);
    if (wait < Number.POSITIVE_INFINITY) this.#lookIn(name, Math.max(0, wait));
  }

  /** Whether another process that moves the clock may be about to do what is due. */
  #isLeftToOthers({ clock, name, refresh }: Sandbox): boolean {
    return refresh !== undefined && clock.frozen && !this.#added.has(name);
  }

  #lookIn(name: string, milliseconds: number): void {
    const at = Date.now() + milliseconds;
    if (at >= (this.#looks.get(name) ?? Number.POSITIVE_INFINITY)) return;
    this.#looks.set(name, at);
    this.#setTimer();
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#looks.size === 0 || this.#isClosed) return;
    const wait = Math.min(...this.#looks.values()) - Date.now();
    const delay = Math.min(Math.max(1, wait), longestWait);
    this.#timer = this.#outside(() => setTimeout(() => this.#lookAtAll(), delay).unref());
  }

  #lookAtAll(): void {
    for (const [name, at] of this.#looks)
      if (at <= Date.now()) {
        this.#looks.delete(name);
        void this.#lookAt(name);
      }
    this.#setTimer();
  }

  /** Runs what is due in a sandbox, if there still is one of the name. */
  async #lookAt(name: string): Promise<void> {
    const { sandboxes, lookAgain } = this.#options;
    try {
      const isShared = sandboxes.defaultSandbox.refresh !== undefined;
      const entry = isShared ? await sandboxes.findStored(name) : sandboxes.find(name);
      if (!entry) return;
      const { sandbox } = entry;
      await this.#inTurn(sandbox, () => this.#runDue(sandbox));
      this.#plan(sandbox);
    } catch (error) {
      if (this.#isClosed) return;
      // The store itself tells that it cannot be used.
      if (!(error instanceof StoreUnavailableError))
        this.#log?.error(
          `The tasks of sandbox "${name}" cannot go on for ${lookAgain / 1000} s: ${toMessage(error)}`,
        );
      // Later than what was added meanwhile asks for.
      this.#looks.delete(name);
      this.#lookIn(name, lookAgain);
    }
  }

  async #runDue(sandbox: Sandbox): Promise<void> {
    const { clock, name, tasks } = sandbox;
    const only = this.#isLeftToOthers(sandbox) ? this.#overdue.get(sandbox) : undefined;
    this.#added.delete(name);
    const findDue = () => this.#findDue(sandbox, clock.now(), only);
    for (let runs = 0; findDue(); runs++) {
      if (runs === maxRuns)
        throw new TooManyRunsError(`${maxRuns.toLocaleString('en')} ran without a pause.`);
      const task = await sandbox.change(() => {
        const due = findDue();
        return due && tasks.take(due.id, clock.now());
      });
      if (task) await this.#run(sandbox, task);
    }
    const due = tasks.list().filter((task) => task.due <= clock.now());
    this.#overdue.set(sandbox, new Set(due.map(({ id }) => id)));
  }

  #findDue(sandbox: Sandbox, now: number, only?: ReadonlySet<string>): Task | undefined {
    return sandbox.tasks
      .list()
      .find(
        (task) => task.due <= now && only?.has(task.id) !== false && this.#canTake(sandbox, task),
      );
  }

  /** Whether this process does a task, or removes it as the process that held it is gone. */
  #canTake(sandbox: Sandbox, { id, name, holder }: Task): boolean {
    if (holder !== undefined && holder !== sandbox.tasks.holder)
      return !sandbox.refresh || this.#overdue.get(sandbox)?.has(id) === true;
    if (Object.hasOwn(this.#table, name)) return true;
    if (!this.#unknown.has(name))
      this.#log?.warn(
        `Nothing does the task ${name} any more; it waits until something does, or until it is removed (DELETE /__admin/tasks/${id}).`,
      );
    this.#unknown.add(name);
    return false;
  }

  /** Runs a task that was taken out; gives why it failed. */
  async #run(sandbox: Sandbox, task: Task): Promise<string | undefined> {
    const { maxTime } = this.#options;
    const shown = `The task ${task.name} (${task.id} of sandbox "${sandbox.name}")`;
    if (task.holder !== undefined && task.holder !== sandbox.tasks.holder) {
      this.#log?.warn(
        `${shown} is lost with the process that held its function. Give it a name to keep it.`,
      );
      return 'the process that held it is gone';
    }
    const { promise: isLate, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(resolve, maxTime, `did not end within ${maxTime / 1000} s`);
    const run = async () => {
      try {
        await this.#table[task.name]?.(task.args, { sandbox, task });
        return undefined;
      } catch (error) {
        return toMessage(error);
      }
    };
    const problem = await Promise.race([run(), isLate]);
    clearTimeout(timer);
    if (problem !== undefined && !this.#isClosed) this.#log?.error(`${shown} failed: ${problem}`);
    return problem;
  }
}

/** What an error says, in one line. */
function toMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}
