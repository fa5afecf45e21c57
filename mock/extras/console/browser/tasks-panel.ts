import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ClockView } from '../../admin/clock-handlers.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { toCountdown, toSpan, toUtcText } from '../../pages/browser/words.ts';
import type { TaskView } from '../../tasks/task-handlers.ts';
import { ActionButton } from './action-button.ts';
import { freezeAt } from './clock-panel.ts';
import { namedCard, panelList, panelSection, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

/**
 * Shows the sandbox's tasks at instants of its clock; runs a task now, moves the clock, or removes
 * the task.
 */
export function TasksPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ tasks: TaskView[] }>('tasks', { every: 1000 });
  const now = useAdmin<ClockView>('clock', { every: 1000 }).value?.currentEpochMillis;
  const tasks = value?.tasks;
  const [said, say] = useState('');
  const { shown, pager } = usePages(tasks ?? [], { about: 'tasks' });
  const none = 'Nothing is to be done later. Behaviours and webhooks add tasks.';
  const cards = shown.map((task) => taskCard(task, { now, say }));
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'task-list', title: 'Tasks', said },
        html`
          ${panelList(tasks && cards, { label: 'Tasks, in the order in which they are due', none })}
          ${pager}
          ${
            tasks &&
            tasks.length > 0 &&
            h(ActionButton, {
              label: 'Remove all tasks',
              operation: { method: 'DELETE', path: 'tasks' },
              dangerous: `Remove all tasks (${tasks.length})?`,
              onDone: () => say('All tasks are removed.'),
            })
          }
        `,
      )}
    </div>
  `;
}

type CardOptions = { now: number | undefined; say: (text: string) => void };

function taskCard({ id, name, args, due, every }: TaskView, { now, say }: CardOptions) {
  const path = `tasks/${encodeURIComponent(id)}`;
  const countdown = now === undefined ? '' : `, ${toCountdown(Date.parse(due), now)}`;
  const repeated = every === undefined ? '' : `, then every ${toSpan(every)}`;
  return namedCard(
    {
      ...{ name, id },
      note: id,
      holds: `Due at ${toUtcText(due)}${countdown}${repeated}`,
      more: argumentsOf(args),
    },
    [
      h(ActionButton, {
        label: 'Run now',
        about: id,
        operation: { method: 'POST', path: `${path}/run` },
        onDone: (value) => {
          const { message } = value as { message?: string };
          say(message === undefined ? `${id} is done.` : `${id} failed: ${message}`);
        },
      }),
      h(ActionButton, {
        label: 'Move the clock to it',
        about: id,
        operation: freezeAt(due),
        onDone: () => say(`The clock stands at ${toUtcText(due)}.`),
      }),
      h(ActionButton, {
        label: 'Remove',
        about: id,
        operation: { method: 'DELETE', path },
        onDone: () => say(`${id} is removed.`),
      }),
    ],
  );
}

/** Shows the arguments of a task, a line for each member. */
function argumentsOf(args: TaskView['args']): JSX.Element | string {
  if (args === null) return 'No arguments';
  const members = typeof args === 'object' ? Object.entries(args) : [['Argument', args]];
  return html`${members.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = text.length > 100 ? `${text.slice(0, 100)} ...` : text;
    return html`<span class="sub">${quoted(`${name}: ${shown}`)}</span>`;
  })}`;
}
