import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { toCountdown, toSpan, toUtcText } from '../../../../common/look/amounts.ts';
import type { ClockView } from '../../admin/clock-handlers.ts';
import { quoted } from '../../pages/browser/parts.ts';
import type { TaskView } from '../../tasks/task-handlers.ts';
import { freezeAt } from './clock-panel.ts';
import { button, namedCard, panelList, panelSection } from './panel.ts';
import type { PanelState } from './state.ts';

/**
 * Shows the sandbox's tasks at instants of its clock; runs a task now, moves the clock, or removes
 * the task.
 */
export function tasksPanel(state: PanelState): JSX.Element {
  const items = state.read<{ tasks: TaskView[] }>('tasks')?.tasks;
  const now = state.read<ClockView>('clock')?.currentEpochMillis;
  const toCard = (task: TaskView) => taskCard(task, now, state);
  const none = 'No tasks. Behaviours and webhooks add tasks.';
  const label = 'Tasks, in the order in which they are due';
  return panelSection(
    state,
    { id: 'task-list', title: 'Tasks' },
    html`
      ${panelList(state, { about: 'tasks', label, none, items, toCard })}
      ${
        items &&
        items.length > 0 &&
        button({
          label: 'Remove all tasks',
          operation: { method: 'DELETE', path: 'tasks' },
          dangerous: `Remove all tasks (${items.length})?`,
          done: 'All tasks are removed.',
        })
      }
    `,
  );
}

function taskCard(task: TaskView, now: number | undefined, { say }: PanelState): JSX.Element {
  const { id, name, args, due, every } = task;
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
      button({
        label: 'Run now',
        about: id,
        operation: { method: 'POST', path: `${path}/run` },
        onDone: (value) => {
          const { message } = value as { message?: string };
          say(message === undefined ? `${id} is done.` : `${id} failed: ${message}`);
        },
      }),
      button({
        label: 'Move the clock to it',
        about: id,
        operation: freezeAt(due),
        done: `The clock stands at ${toUtcText(due)}.`,
      }),
      button({
        label: 'Remove',
        about: id,
        operation: { method: 'DELETE', path },
        done: `${id} is removed.`,
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
