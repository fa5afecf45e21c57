import type { TraceHeaders } from '../journal/trace.ts';
import type { JsonValue, Task } from '../tasks/tasks.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Runs a task of a sandbox, outside of `sandbox.change`. A rejected one is logged in a line, and
 * the others continue.
 */
export type RunTask = (
  args: JsonValue,
  context: {
    sandbox: Sandbox;
    task: Task;
    /** Lets other tasks go on while something ends; a clock that is moved waits for it. */
    beside: (work: Promise<void>) => void;
  },
) => Promise<void>;

/**
 * Sends a webhook of a name with a payload, or with an item that its payload is to hold, and with the
 * trace of the call that caused it.
 */
export type Emit = (
  sandbox: Sandbox,
  name: string,
  payload?: unknown,
  trace?: TraceHeaders,
) => Promise<void>;

/** A listener for the tasks of sandboxes; the core calls the listener if there is one. */
export type TaskListener = {
  /** Hears of a sandbox whose tasks may be due earlier than before; `isAdded` by this process. */
  onTasks?: (sandbox: Sandbox, isAdded: boolean) => void;
  close?: () => void;
};
