import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../../common/look/visible.ts';
import { oncePer } from '../../../common/once-per.ts';
import type { ClockState } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { MoveClock } from '../../sandboxes/move-clock.ts';
import type { RunTask, TaskListener } from '../../sandboxes/run-task.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { Sandboxes } from '../../sandboxes/sandboxes.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { createTurns } from '../../state/turns.ts';
import { type Task, TooManyRunsError } from '../../tasks/tasks.ts';

/** The functions of tasks, by name. */
export type RunTasks = Readonly<Record<string, RunTask>>;

export type TaskRunnerOptions = {
  sandboxes: Pick<Sandboxes, 'defaultSandbox' | 'find' | 'findStored' | 'list'>;
  /** The listener for tasks, and for the end of the twin. */
  taskListener: TaskListener;
  /** How many milliseconds of real time a task may take before others go on without it. */
  maxTime?: number;
  /**
   * After how many milliseconds a process looks again at sandboxes that it shares; longer than a task
   * may take.
   */
  lookAgain?: number;
};

/** How many tasks may run in one move of a clock, or else one after another. */
const maxRuns = 10_000;

/** The longest that a timer of Node waits, in milliseconds. */
const longestWait = 2 ** 31 - 1;

/** The data that a process has about the tasks of a sandbox. */
type SandboxWork = {
  inTurn: ReturnType<typeof createTurns>;
  /** Work that runs beside tasks. */
  beside: Set<Promise<void>>;
  /** Whether this process added tasks, or moves the clock, since it looked at the sandbox. */
  isMine: boolean;
  /** When it first saw tasks due, by their ids, in milliseconds of the system's clock. */
  dueSince: ReadonlyMap<string, number>;
};

/**
 * Runs the tasks of sandboxes that are due: in real time by timers, and where a clock is moved.
 * Those of a sandbox run one after another.
 */
export class TaskRunner {
  readonly #options: Required<TaskRunnerOptions>;
  #table: RunTasks = {};
  #log: Pick<Log, 'error' | 'warn'> | undefined;
  /** When sandboxes are looked at, by their names, in milliseconds of the system's clock. */
  readonly #looks = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  readonly #knownOf = oncePer(
    (_: Sandbox): SandboxWork => ({
      inTurn: createTurns(),
      beside: new Set(),
      isMine: false,
      dueSince: new Map(),
    }),
  );
  /** Names of tasks that nothing does, of which the log has told. */
  readonly #unknown = new Set<string>();
  #isClosed = false;
  /** Leaves the change of a sandbox in which a timer is set. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(options: TaskRunnerOptions) {
    this.#options = { maxTime: 10_000, lookAgain: 15_000, ...options };
    const { taskListener } = options;
    taskListener.onTasks = (sandbox, isAdded) => {
      if (isAdded) this.#knownOf(sandbox).isMine = true;
      this.#plan(sandbox);
    };
    taskListener.close = () => {
      this.#isClosed = true;
      for (const { timer } of this.#looks.values()) clearTimeout(timer);
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
   * Moves the clock of a sandbox: it shows the instant of each task that falls due while that runs,
   * and only then the aim. Throws {@link TooManyRunsError}.
   */
  readonly move: MoveClock = async (sandbox, aim) => {
    const { clock } = sandbox;
    const { beside } = this.#knownOf(sandbox);
    let target: ClockState = { offset: 0 };
    let reached: ClockState | undefined;
    let runs = 0;
    // A clock that is to run does so on the way, too: if the process ends, none is left standing.
    const goOn = () => {
      if (!reached) target = aim(clock);
      // A reset, or another process, has moved it meanwhile.
      else if (!isDeepStrictEqual(clock.save(), reached)) return undefined;
      const before = clock.now();
      clock.load(target);
      const next = this.#findDue(sandbox);
      if (!next) return undefined;
      if (reached && runs === maxRuns) {
        clock.load(reached);
        throw tooManyRuns(sandbox, next);
      }
      clock.advance(Math.max(before, next.due) - clock.now());
      return clock.save();
    };
    await this.#takeOver(sandbox, async () => {
      for (;;) {
        await Promise.all(beside);
        reached = await sandbox.change(goOn);
        if (!reached) return;
        runs = await this.#runDue(sandbox, runs);
      }
    });
  };

  /**
   * Runs a task now, before it is due. Returns the reason of a failure; null for an unknown task.
   */
  runNow(sandbox: Sandbox, id: string): Promise<string | undefined | null> {
    const { clock, tasks } = sandbox;
    const { beside } = this.#knownOf(sandbox);
    return this.#takeOver(sandbox, async () => {
      const task = await sandbox.change(() => {
        const found = tasks.list().find((one) => one.id === id);
        return found && this.#canTake(sandbox, found) && tasks.take(id, clock.now());
      });
      if (!task) return null;
      const problem = await this.#run(sandbox, task);
      await Promise.all(beside);
      return problem;
    });
  }

  /** Does something in turn with the tasks of a sandbox, also with those that other processes added. */
  #takeOver<T>(sandbox: Sandbox, act: () => Promise<T>): Promise<T> {
    const known = this.#knownOf(sandbox);
    return known
      .inTurn(() => {
        known.isMine = true;
        return act();
      })
      .finally(() => this.#lookIn(sandbox.name, 0));
  }

  /** Schedules a check of a sandbox when its next task is due, or may be due by another process. */
  #plan(sandbox: Sandbox): void {
    const { clock, name, refresh, tasks } = sandbox;
    const next = tasks.list().find((task) => this.#canTake(sandbox, task));
    let wait = Number.POSITIVE_INFINITY;
    if (next && (!clock.frozen || next.due <= clock.now())) wait = next.due - clock.now();
    const { sandboxes, lookAgain } = this.#options;
    const isDefault = sandbox === sandboxes.defaultSandbox;
    if (refresh && (isDefault || tasks.list().length > 0)) wait = Math.min(wait, lookAgain);
    if (wait < Number.POSITIVE_INFINITY) this.#lookIn(name, wait);
  }

  #lookIn(name: string, milliseconds: number): void {
    const delay = Math.min(Math.max(1, milliseconds), longestWait);
    const at = Date.now() + delay;
    const planned = this.#looks.get(name);
    if (this.#isClosed || (planned && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    const look = () => {
      this.#looks.delete(name);
      void this.#lookAt(name);
    };
    this.#looks.set(name, { at, timer: this.#outside(() => setTimeout(look, delay).unref()) });
  }

  /** Runs the due tasks of a sandbox, if it still exists. */
  async #lookAt(name: string): Promise<void> {
    const { sandboxes, lookAgain } = this.#options;
    try {
      const isShared = sandboxes.defaultSandbox.refresh !== undefined;
      const entry = isShared ? await sandboxes.findStored(name) : sandboxes.find(name);
      if (!entry) return;
      const { sandbox } = entry;
      const known = this.#knownOf(sandbox);
      await known.inTurn(async () => {
        await this.#runDue(sandbox);
        known.isMine = false;
        const due = sandbox.tasks.list().filter((task) => task.due <= sandbox.clock.now());
        const since = (id: string) => known.dueSince.get(id) ?? Date.now();
        known.dueSince = new Map(due.map(({ id }) => [id, since(id)]));
      });
      this.#plan(sandbox);
    } catch (error) {
      if (this.#isClosed) return;
      // The store itself tells that it cannot be used.
      if (!(error instanceof StoreUnavailableError))
        this.#log?.error(
          `The tasks of sandbox "${name}" cannot go on for ${lookAgain / 1000} s: ${messageOf(error)}`,
        );
      // Later than what was added meanwhile asks for.
      clearTimeout(this.#looks.get(name)?.timer);
      this.#looks.delete(name);
      this.#lookIn(name, lookAgain);
    }
  }

  /** Runs what is due now, one after another. Gives how many ran, with those before. */
  async #runDue(sandbox: Sandbox, runs = 0): Promise<number> {
    for (let ran = runs; ; ran++) {
      const next = this.#findDue(sandbox);
      if (!next) return ran;
      if (ran === maxRuns) throw tooManyRuns(sandbox, next);
      const task = await sandbox.change(() => {
        const due = this.#findDue(sandbox);
        return due && sandbox.tasks.take(due.id, sandbox.clock.now());
      });
      if (task) await this.#run(sandbox, task);
    }
  }

  #findDue(sandbox: Sandbox): Task | undefined {
    const now = sandbox.clock.now();
    return sandbox.tasks.list().find((task) => task.due <= now && this.#canTake(sandbox, task));
  }

  /** Whether this process does a task, or removes it as the process that held it has ended. */
  #canTake(sandbox: Sandbox, { id, name, holder }: Task): boolean {
    const { clock, refresh, tasks } = sandbox;
    const { isMine, dueSince } = this.#knownOf(sandbox);
    const isHeld = holder !== undefined && holder !== tasks.holder;
    if (refresh && (isHeld || (clock.frozen && !isMine))) {
      // Another process does it, unless that is gone.
      const since = dueSince.get(id) ?? Number.POSITIVE_INFINITY;
      if (Date.now() - since < this.#options.maxTime) return false;
    }
    if (isHeld) return true;
    if (Object.hasOwn(this.#table, name)) return true;
    if (!this.#unknown.has(name))
      this.#log?.warn(
        `No handler exists for the task ${name}; it waits for one, or until it is removed (DELETE /__admin/tasks/${id}).`,
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
      return 'the process that held it has ended';
    }
    const fail = (problem: string) => {
      if (!this.#isClosed) this.#log?.error(`${shown} failed: ${problem}`);
      return problem;
    };
    const { beside: all } = this.#knownOf(sandbox);
    const beside = (work: Promise<void>) => {
      const noted = work
        .catch((error) => void fail(messageOf(error)))
        .finally(() => all.delete(noted));
      all.add(noted);
    };
    const { promise: isLate, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(resolve, maxTime, `did not end within ${maxTime / 1000} s`);
    const run = async () => this.#table[task.name]?.(task.args, { sandbox, task, beside });
    const problem = await Promise.race([run().then(() => undefined, messageOf), isLate]);
    clearTimeout(timer);
    return problem === undefined ? undefined : fail(problem);
  }
}

function tooManyRuns({ clock }: Sandbox, next: Task): TooManyRunsError {
  const at = new Date(clock.now()).toISOString();
  return new TooManyRunsError(
    `${maxRuns.toLocaleString('en')} tasks ran without a pause, the maximum. The clock is at ${at}, and next is ${next.name}. Remove what repeats too often (GET /__admin/tasks), or move the clock again.`,
  );
}
