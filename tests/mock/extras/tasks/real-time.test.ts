import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TaskRunner } from '../../../../mock/extras/tasks/task-runner.ts';
import { createMemoryBackend } from '../../../../mock/sandboxes/open-sandboxes.ts';
import type { RunTask } from '../../../../mock/sandboxes/run-task.ts';
import type { Sandbox } from '../../../../mock/sandboxes/sandbox.ts';
import { openMemoryStore } from '../../../../mock/state/store-of-tables.ts';
import { openProcess } from '../../sandboxes/open-process.ts';
import { addTask, createNote } from './task-twin.ts';

const day = 86_400_000;
const again: RunTask = async (_, { sandbox }) => void addTask(sandbox, 'again', { after: 0 });
const hang: RunTask = () => new Promise(() => {});

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) }));
afterEach(() => void vi.useRealTimers());

async function openRunner(options: { maxTime?: number } = {}) {
  const process = await openProcess({ open: async () => createMemoryBackend(openMemoryStore) });
  const runner = new TaskRunner({ ...process, ...options });
  const { noted, note } = createNote();
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const log = { warn: push, error: push };
  runner.follow({ note, again, hang }, log);
  const { defaultSandbox } = process.sandboxes;
  return { ...process, runner, log, sandbox: defaultSandbox, noted, note, lines };
}

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const idsOf = ({ tasks }: Sandbox) => tasks.list().map(({ id }) => id);

it('waits until the next task is due, however far that is', async () => {
  const { sandbox, sandboxes, noted } = await openRunner();
  await addTask(sandbox, 'note', { args: 'far', after: 60 * day });
  await addTask(sandboxes.get('a'), 'note', { args: 'near', after: 5 });
  await wait(4);
  expect(noted).toEqual([]);
  await wait(1);
  expect(noted.map(([args]) => args)).toEqual(['near']);
  await wait(60 * day);
  expect(noted.map(([args]) => args)).toEqual(['near', 'far']);
  expect(vi.getTimerCount()).toBe(0);
});

it('runs nothing by real time while the clock stands still before it', async () => {
  const { sandbox, runner, noted } = await openRunner();
  await runner.move(sandbox, (clock) => ({ frozenAt: clock.now() }));
  await addTask(sandbox, 'note', { after: 1 });
  await wait(day);
  expect([noted, vi.getTimerCount()]).toEqual([[], 0]);
  await runner.move(sandbox, () => ({ offset: 0 }));
  expect(noted).toHaveLength(1);
});

it('runs once what was missed several times', async () => {
  const { sandbox, noted } = await openRunner();
  await addTask(sandbox, 'note', { after: 10, every: 10 });
  vi.setSystemTime(Date.now() + day + 5);
  await wait(10);
  expect(noted).toHaveLength(1);
  await wait(10);
  expect(noted).toHaveLength(2);
});

it('goes on without a task that does not end, and says so', async () => {
  const { sandbox, runner, noted, lines } = await openRunner({ maxTime: 2000 });
  await addTask(sandbox, 'hang', { after: 1 });
  await addTask(sandbox, 'note', { after: 2 });
  const moved = runner.move(sandbox, (clock) => ({ frozenAt: clock.now() + 5 }));
  await wait(2000);
  await moved;
  expect(noted).toHaveLength(1);
  expect(lines).toEqual([
    'The task hang (task-1 of sandbox "default") failed: did not end within 2 s',
  ]);
});

it('pauses where tasks add each other without end', async () => {
  const { sandbox, runner, lines } = await openRunner();
  await runner.move(sandbox, (clock) => ({ frozenAt: clock.now() }));
  await addTask(sandbox, 'again', { after: 0 });
  await wait(1);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toContain(
    'The tasks of sandbox "default" cannot go on for 15 s: 10,000 tasks ran without a pause, the maximum.',
  );
  expect(idsOf(sandbox)).toEqual(['task-10001']);
  await wait(14_000);
  expect(idsOf(sandbox)).toEqual(['task-10001']);
});

it('does what nothing did before, once something does it', async () => {
  const { sandbox, runner, log, note, noted, lines } = await openRunner();
  await addTask(sandbox, 'new', { args: 'a', after: 0 });
  await wait(day);
  expect([noted, lines.length]).toEqual([[], 1]);
  runner.follow({ new: note }, log);
  await wait(1);
  expect(noted.map(([args]) => args)).toEqual(['a']);
});

it('runs nothing after the end of the twin', async () => {
  const { sandbox, taskListener, noted } = await openRunner();
  await addTask(sandbox, 'note', { after: 1 });
  taskListener.close?.();
  await wait(day);
  expect([noted, vi.getTimerCount()]).toEqual([[], 0]);
});
