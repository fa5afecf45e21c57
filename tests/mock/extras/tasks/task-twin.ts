import type { Extra } from '../../../../mock/extra.ts';
import { allExtras } from '../../../../mock/extras/all-extras.ts';
import type { RunTask } from '../../../../mock/sandboxes/run-task.ts';
import type { Sandbox } from '../../../../mock/sandboxes/sandbox.ts';
import type { JsonValue } from '../../../../mock/tasks/tasks.ts';

/** All extras, and one that does tasks by these names. */
export function extrasWith(tasks: Readonly<Record<string, RunTask>>): Extra[] {
  return [...Object.values(allExtras), () => ({ tasks })];
}

/** A task that notes what it was given, and what the clock showed. */
export function createNote() {
  const noted: [args: JsonValue, now: number][] = [];
  const note: RunTask = async (args, { sandbox }) => {
    noted.push([args, sandbox.clock.now()]);
  };
  return { noted, note };
}

/** Adds a task that is due some milliseconds from now. */
export function addTask(
  sandbox: Sandbox,
  name: string,
  { args = null, after, every }: { args?: JsonValue; after: number; every?: number },
) {
  const due = sandbox.clock.now() + after;
  return sandbox.change(() =>
    sandbox.tasks.add({ name, args, due, ...(every !== undefined && { every }) }),
  );
}
