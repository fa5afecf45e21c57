import fc from 'fast-check';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { RunTask } from '../../../../mock/sandboxes/run-task.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { openTestTwin } from '../../../support/twin.ts';
import { addTask, createNote, extrasWith } from './task-twin.ts';

const start = Date.UTC(2030, 0, 1);
const day = 86_400_000;

const { noted, note } = createNote();
const again: RunTask = async (args, context) => {
  await note(args, context);
  await addTask(context.sandbox, 'again', { args, after: Number(args) });
};
let release = () => {};
const twin = await openTestTwin({
  extras: extrasWith({
    note,
    again,
    fail: async () => {
      throw new Error('no\n  stock');
    },
    hang: () => new Promise(() => {}),
    wait: () => new Promise((resolve) => (release = resolve)),
    beside: async (_, { beside }) => beside(new Promise((resolve) => (release = resolve))),
    reset: (_, { sandbox }) => sandbox.reset(),
  }),
});
const { call } = createSnapshotClient(twin);
const sandbox = twin.app.sandboxes.defaultSandbox;
afterAll(() => twin.close());

const clock = (body: object) => call('/__admin/clock', { method: 'PUT', body });
const advance = (durationMillis: number) => clock({ action: 'advance', durationMillis });
const notedAt = () => noted.map(([args, now]) => [args, now - start]);
const logged = (text: string) => twin.lines.filter((line) => line.includes(text));

beforeEach(async () => {
  await twin.app.reset();
  await clock({ action: 'freeze', instant: new Date(start).toISOString() });
  noted.length = 0;
  twin.lines.length = 0;
});

it('runs each task that falls due while the clock stands at its instant, and answers then', async () => {
  await addTask(sandbox, 'note', { args: 'second', after: 2 * day });
  await addTask(sandbox, 'note', { args: 'first', after: day });
  await addTask(sandbox, 'note', { args: 'not yet', after: 4 * day });
  const { json } = await advance(3 * day);
  expect(notedAt()).toEqual([...Object.entries({ first: day, second: 2 * day })]);
  expect(json).toMatchObject({ currentEpochMillis: start + 3 * day, frozen: true });
  expect(sandbox.tasks.list()).toHaveLength(1);
  await clock({ action: 'freeze', instant: new Date(start + 5 * day).toISOString() });
  expect(notedAt().at(-1)).toEqual(['not yet', 4 * day]);
});

it('runs them in the order of due, then of adding, whatever they add', async () => {
  const added = fc.array(fc.nat({ max: 6 }), { maxLength: 12 });
  const moves = fc.array(fc.nat({ max: 4 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(added, moves, async (afters, steps) => {
      await twin.app.reset();
      await clock({ action: 'freeze', instant: new Date(start).toISOString() });
      noted.length = 0;
      for (const [n, after] of afters.entries())
        await addTask(sandbox, 'note', { args: n, after: after + 1 });
      for (const step of steps) await advance(step);
      const end = steps.reduce((sum, step) => sum + step, 0);
      const expected = [...afters.entries()]
        .map(([n, after]) => [n, after + 1] as const)
        .filter(([, at]) => at <= end)
        .toSorted((left, right) => left[1] - right[1]);
      expect(notedAt()).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

it('runs what tasks add, if it falls due on the way, and what is due again', async () => {
  await addTask(sandbox, 'again', { args: 1000, after: 1000 });
  await addTask(sandbox, 'note', { args: 'every', after: 500, every: 1500 });
  await advance(3500);
  expect(notedAt()).toEqual([
    ['every', 500],
    [1000, 1000],
    ['every', 2000],
    [1000, 2000],
    [1000, 3000],
    ['every', 3500],
  ]);
  expect(sandbox.tasks.list().map(({ due }) => due - start)).toEqual([4000, 5000]);
});

it('lets a clock that runs go on from where it was moved to', async () => {
  await clock({ action: 'reset' });
  const before = Date.now();
  await addTask(sandbox, 'note', { args: 'a', after: day });
  const { json } = await advance(2 * day);
  expect(noted).toHaveLength(1);
  expect(json.frozen).toBe(false);
  expect(json.currentEpochMillis).toBeGreaterThanOrEqual(before + 2 * day);
  expect(json.currentEpochMillis).toBeLessThanOrEqual(Date.now() + 2 * day);
  await clock({ action: 'freeze', instant: '2020-01-01T00:00:00Z' });
  await addTask(sandbox, 'note', { args: 'b', after: day });
  await clock({ action: 'reset' });
  const [last, shown] = noted.at(-1) as [unknown, number];
  expect([last, new Date(shown).toISOString().slice(0, 10)]).toEqual(['b', '2020-01-02']);
});

it('logs what fails in one line, and goes on', async () => {
  await addTask(sandbox, 'fail', { after: 1 });
  await addTask(sandbox, 'note', { args: 'after', after: 1 });
  await advance(1);
  expect(notedAt()).toEqual([['after', 1]]);
  const failed = /^.*The task fail \(task-1 of sandbox "default"\) failed: no stock\n$/;
  expect(logged('fail')).toEqual([expect.stringMatching(failed)]);
});

it('ends a move after 10,000 tasks, where the clock then stands', async () => {
  await addTask(sandbox, 'again', { args: 1, after: 1 });
  const { status, json } = await advance(day);
  expect([status, json.code]).toEqual([409, 'too_many_tasks']);
  expect(json.message).toContain('10,000 tasks ran without a pause');
  expect(json.message).toContain('2030-01-01T00:00:10.000Z');
  expect(noted).toHaveLength(10_000);
  expect(sandbox.clock.save()).toEqual({ frozenAt: start + 10_000 });
  await call('/__admin/tasks', { method: 'DELETE' });
  expect((await advance(day)).status).toBe(200);
});

it('keeps a clock running that is stopped on the way by too many tasks', async () => {
  await clock({ action: 'reset' });
  await addTask(sandbox, 'again', { args: 1000, after: 1000 });
  const { status } = await advance(2 * day);
  expect(status).toBe(409);
  expect(sandbox.clock.frozen).toBe(false);
  const ahead = sandbox.clock.now() - Date.now();
  expect([ahead > 9_900_000, ahead <= 10_000_000]).toEqual([true, true]);
});

it('leaves a clock running while tasks run on its way, so that a crash leaves none standing', async () => {
  await clock({ action: 'reset' });
  await addTask(sandbox, 'wait', { after: day });
  const moved = advance(2 * day);
  await expect.poll(() => sandbox.tasks.list().length).toBe(0);
  const ahead = sandbox.clock.now() - Date.now();
  expect([sandbox.clock.frozen, ahead > day - 1000, ahead <= day]).toEqual([false, true, true]);
  release();
  await moved;
  expect(sandbox.clock.now() - Date.now()).toBeGreaterThan(2 * day - 1000);
});

it('goes on with others while what is beside a task is under way, and waits for it before the clock goes on', async () => {
  await addTask(sandbox, 'beside', { after: 1 });
  await addTask(sandbox, 'note', { args: 'same instant', after: 1 });
  await addTask(sandbox, 'note', { args: 'later', after: 2 });
  const moved = advance(3);
  await expect.poll(() => notedAt()).toEqual([['same instant', 1]]);
  expect(sandbox.clock.now()).toBe(start + 1);
  release();
  await moved;
  expect(notedAt().at(-1)).toEqual(['later', 2]);
});

it('waits for what is under way beside tasks before it moves at all', async () => {
  await addTask(sandbox, 'beside', { after: 0 });
  await expect.poll(() => sandbox.tasks.list()).toEqual([]);
  const moved = advance(10);
  await call('/__admin/clock');
  await addTask(sandbox, 'note', { args: 'by what ended', after: 5 });
  release();
  await moved;
  expect(notedAt()).toEqual([['by what ended', 5]]);
});

it('stays where a task that resets the sandbox leaves it', async () => {
  await addTask(sandbox, 'reset', { after: 1 });
  await addTask(sandbox, 'note', { after: 2 });
  const { json } = await advance(day);
  expect(json.frozen).toBe(false);
  expect([sandbox.clock.save(), noted]).toEqual([{ offset: 0 }, []]);
});

it('keeps the next move waiting until tasks are done', async () => {
  await addTask(sandbox, 'wait', { after: 1 });
  await addTask(sandbox, 'note', { args: 'a', after: 1 });
  const first = advance(1);
  await expect.poll(() => sandbox.tasks.list().length).toBe(1);
  const second = advance(1);
  expect(noted).toEqual([]);
  release();
  await Promise.all([first, second]);
  expect(notedAt()).toEqual([['a', 1]]);
  expect(sandbox.clock.now()).toBe(start + 2);
});

it('lists tasks, removes one and all, and runs one now', async () => {
  await addTask(sandbox, 'note', { args: { order: 7 }, after: day, every: day });
  await addTask(sandbox, 'fail', { after: day });
  await addTask(sandbox, 'note', { after: 2 * day });
  const list = async () => (await call('/__admin/tasks')).json.tasks;
  const due = '2030-01-02T00:00:00.000Z';
  const first = { id: 'task-1', name: 'note', args: { order: 7 }, due, every: day };
  expect((await list())[0]).toEqual(first);
  const run = async (id: string) =>
    (await call(`/__admin/tasks/${id}/run`, { method: 'POST' })).json;
  expect(await run('task-1')).toEqual({ status: 'done' });
  expect(notedAt()).toEqual([[{ order: 7 }, 0]]);
  expect((await list())[0].due).toBe(due);
  expect(await run('task-2')).toEqual({ status: 'failed', message: 'no stock' });
  expect((await run('task-2')).message).toContain('There is no task "task-2".');
  const remove = (path: string) => call(`/__admin/tasks${path}`, { method: 'DELETE' });
  expect((await remove('/task-3')).status).toBe(204);
  expect((await remove('/task-3')).json.code).toBe('not_found');
  expect(await list()).toHaveLength(1);
  expect((await remove('')).status).toBe(204);
  expect(await list()).toEqual([]);
});

it('keeps what nothing does any more, and says so once', async () => {
  await addTask(sandbox, 'gone', { after: 1 });
  await addTask(sandbox, 'gone', { after: 2 });
  await addTask(sandbox, 'note', { args: 'a', after: 3 });
  await advance(3);
  expect(notedAt()).toEqual([['a', 3]]);
  expect(sandbox.tasks.list()).toHaveLength(2);
  expect(logged('No handler exists for the task gone;')).toHaveLength(1);
});

it('brings those of a snapshot back, and none after a reset', async () => {
  await addTask(sandbox, 'note', { args: 'kept', after: day });
  const { holder } = sandbox.tasks;
  const held = { name: 'note', args: 'held', due: start + day, holder };
  await sandbox.change(() => sandbox.tasks.add(held));
  await call('/__admin/snapshots/s', { method: 'PUT' });
  await twin.app.reset();
  expect(sandbox.tasks.list()).toEqual([]);
  await call('/__admin/snapshots/s/restore', { method: 'POST' });
  await advance(day);
  expect(notedAt()).toEqual([['kept', day]]);
});

it('imports the tasks of an exported snapshot, and refuses what they cannot be', async () => {
  await addTask(sandbox, 'note', { args: 'late', after: 2 });
  await addTask(sandbox, 'note', { args: 'early', after: 1, every: 9 });
  await call('/__admin/snapshots/s', { method: 'PUT' });
  const { text, json } = await call('/__admin/snapshots/s');
  const dues = json.tasks.map((one: { due: string }) => one.due.slice(-4));
  expect(dues).toEqual(['001Z', '002Z']);
  const put = (body: unknown) => call('/__admin/snapshots/t', { method: 'PUT', body });
  expect((await put(text)).status).toBe(201);
  await twin.app.reset();
  await call('/__admin/snapshots/t/restore', { method: 'POST' });
  await advance(2);
  expect(notedAt()).toEqual([
    ['early', 1],
    ['late', 2],
  ]);
  expect((await addTask(sandbox, 'note', { after: 1 })).id).toBe('task-3');
  const [one, other] = json.tasks;
  const refusal = async (change: object) => {
    const tasks = [one, { ...other, ...change }];
    return (await put({ ...json, collections: {}, tasks })).json.message;
  };
  expect(await refusal({ id: one.id })).toContain('"tasks/1/id" is used twice.');
  expect(await refusal({ due: '2030-02-31T00:00:00Z' })).toContain('"tasks/1/due" must be a date');
  expect(await refusal({ id: 'mine' })).toContain('"tasks/1/id" must match');
});
