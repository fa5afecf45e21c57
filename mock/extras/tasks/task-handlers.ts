import type { Api } from '../../../openapi/index.ts';
import { noContent, toJsonAnswer } from '../../answers/answer.ts';
import { createRedact, secretNamesOf } from '../../redact.ts';
import type { JsonValue, Task } from '../../tasks/tasks.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuseUnknown } from '../admin/refusal.ts';
import type { TaskRunner } from './task-runner.ts';

/** A task in lists: due as ISO 8601, with arguments without the secrets of URLs. */
export type TaskView = Omit<Task, 'due' | 'holder'> & { due: string };

/** List, run and remove the tasks of a sandbox. */
export function createTaskHandlers(runner: TaskRunner | undefined, document: Api): AdminHandlers {
  const redact = createRedact([]);
  redact.hide([], secretNamesOf(document));
  const toView = ({ holder: _, due, args, ...task }: Task): TaskView => ({
    ...task,
    args: JSON.parse(JSON.stringify(args), (_, value) =>
      typeof value === 'string' ? redact.url(value) : value,
    ) as JsonValue,
    due: new Date(due).toISOString(),
  });
  return {
    listTasks: ({ sandbox: { tasks } }) => toJsonAnswer({ tasks: tasks.list().map(toView) }),
    async runTask({ sandbox, params: { id = '' } }) {
      const problem = await runner?.runNow(sandbox, id);
      if (problem === null || !runner) refuseUnknownTask(id);
      return toJsonAnswer(
        problem === undefined ? { status: 'done' } : { status: 'failed', message: problem },
      );
    },
    deleteTask: ({ sandbox: { tasks }, params: { id = '' } }: AdminCall) => {
      if (!tasks.remove(id)) refuseUnknownTask(id);
      return noContent;
    },
    deleteTasks({ sandbox: { tasks } }) {
      tasks.clear();
      return noContent;
    },
  };
}

function refuseUnknownTask(id: string): never {
  refuseUnknown('task', id, 'GET /__admin/tasks lists those that are to be done.');
}
