import { messageOf } from '../../common/look/visible.ts';
import { oncePer } from '../../common/once-per.ts';
import { isInstant } from '../clock.ts';
import { quote } from '../json/quote.ts';
import { type Admit, OutOfRoomError } from '../state/store.ts';

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Work that a sandbox is to do at an instant of its clock. */
export type Task = {
  /** `task-1`, `task-2` and so on, in order of adding. */
  id: string;
  /** Names the work, prefixed by the extra that does it: `behaviour:deliver`, `webhook:deliver`. */
  name: string;
  args: JsonValue;
  /** When, in Unix milliseconds by the clock of the sandbox. */
  due: number;
  /** After how many milliseconds it is due again. */
  every?: number;
  /** Whether the task sends no webhooks, as a call that a mock sends planned it. */
  isQuiet?: true;
  /**
   * The twin that holds the work in its memory, such as a function; left out where any process that
   * shares the sandbox can do it. One with a holder is not in snapshots.
   */
  holder?: string;
};

/** Saves the number of the last task, and the tasks to do, in order. */
export type TasksState = { last: number; list: readonly Task[] };

/** A task cannot be added; the message says why, and what to do. */
export class TaskError extends Error {}

/** More tasks than allowed ran; the message says which is next. */
export class TooManyRunsError extends Error {}

/** The maximum number of tasks of a sandbox. */
export const maxTasks = 1000;

/** The maximum length of the arguments of a task as JSON, in UTF-16 units. */
const maxArgs = 65_536;

export type TasksOptions = {
  /** Identifies this mock among those that share its sandboxes. */
  holder: string;
  /** Throws OutOfRoomError where there is no room for so many bytes. */
  admit?: Admit | undefined;
  /** Called when tasks may be due earlier: one was added, or others were loaded. */
  onChange: (isAdded: boolean) => void;
};

/**
 * Holds the tasks of a sandbox. Change tasks only inside `sandbox.change`, and run them only
 * outside of it.
 */
export interface Tasks {
  /** The `holder` of tasks that only this twin can do. */
  readonly holder: string;
  /** Adds a task, with a copy of its arguments. Throws {@link TaskError}. */
  add(task: Omit<Task, 'id'>): Task;
  /** Takes out a task that is about to be done; one that is due again stays, behind others due then. */
  take(id: string, now: number): Task | undefined;
  /** Removes a task; returns whether there was one. */
  remove(id: string): boolean;
  clear(): void;
  /** In order of due, then of adding. */
  list(): readonly Task[];
  /** Returns the tasks to store; undefined if none was ever added. */
  save(): TasksState | undefined;
  load(state: TasksState | undefined): void;
}

const noTasks: TasksState = { last: 0, list: [] };

/** Holds the tasks of a sandbox: none at first. */
export function createTasks({ holder, admit, onChange }: TasksOptions): Tasks {
  let state = noTasks;
  const insert = (list: readonly Task[], task: Task) => {
    const behind = list.findLastIndex(({ due }) => due <= task.due) + 1;
    return list.toSpliced(behind, 0, task);
  };
  const without = (id: string) => state.list.filter((task) => task.id !== id);
  return {
    holder,
    add(given) {
      if (state.list.length >= maxTasks)
        throw new TaskError(
          `The sandbox has ${maxTasks.toLocaleString('en')} tasks, the maximum. Wait until some are done, or remove some with DELETE /__admin/tasks.`,
        );
      const args = copyArgs(given);
      checkTimes(given);
      const last = state.last + 1;
      const task = { ...given, id: `task-${last}`, args };
      try {
        admit?.(bytesOfTask(task));
      } catch (error) {
        throw error instanceof OutOfRoomError ? new TaskError(error.message) : error;
      }
      state = { last, list: insert(state.list, task) };
      onChange(true);
      return task;
    },
    take(id, now) {
      const task = state.list.find((one) => one.id === id);
      if (!task) return undefined;
      const { due, every } = task;
      const others = without(id);
      const next = every === undefined ? Number.NaN : nextDue(due, every, now);
      const list = isInstant(next) ? insert(others, { ...task, due: next }) : others;
      state = { ...state, list };
      return task;
    },
    remove(id) {
      const list = without(id);
      const isFound = list.length < state.list.length;
      state = { ...state, list };
      return isFound;
    },
    clear: () => void (state = { ...state, list: [] }),
    list: () => state.list,
    save: () => (state.last === 0 ? undefined : state),
    load(given = noTasks) {
      state = given;
      if (state.list.length > 0) onChange(false);
    },
  };
}

/** The memory of tasks, by their arguments, in bytes. */
export function bytesOfTasks(list: readonly Task[]): number {
  return list.reduce((sum, task) => sum + bytesOfTask(task), 0);
}

const bytesOfTask = oncePer(({ args }: Task) => 256 + 2 * JSON.stringify(args).length);

/** Instants that were missed are not made up for. */
function nextDue(due: number, every: number, now: number): number {
  return now < due ? due : now + every - ((now - due) % every);
}

/**
 * Numbers of JSON are doubles here, and what JSON leaves out is left out at once. Throws
 * {@link TaskError}.
 */
export function copyArgs({ name, args }: Pick<Task, 'name' | 'args'>): JsonValue {
  const refuse = (problem: string) =>
    new TaskError(`The arguments of the task ${name} must be JSON${problem}.`);
  let text: string;
  try {
    text =
      JSON.stringify(args, (member, value) => {
        if (typeof value !== 'bigint') return value;
        throw refuse(
          `, but ${quote(member)} is the bigint ${value}. Give it as text, with String()`,
        );
      }) ?? 'null';
  } catch (error) {
    throw error instanceof TaskError ? error : refuse(` (${messageOf(error)})`);
  }
  if (text.length <= maxArgs) return JSON.parse(text);
  throw new TaskError(
    `The arguments of the task ${name} have ${text.length} characters as JSON, and may have ${maxArgs}. Store the data in an item, and give its id.`,
  );
}

/** Throws {@link TaskError}. */
export function checkTimes({ name, due, every = 1 }: Omit<Task, 'id' | 'args'>): void {
  if (!isInstant(due))
    throw new TaskError(
      `The task ${name} must be due from 1970 on, and before the last instant of ECMAScript, but is due at ${due} ms.`,
    );
  if (!Number.isSafeInteger(every) || every < 1)
    throw new TaskError(
      `The task ${name} must be due again after a whole number of milliseconds, at least 1, but not after ${every}.`,
    );
}
