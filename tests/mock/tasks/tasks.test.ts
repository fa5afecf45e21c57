import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { createTasks, maxTasks, TaskError, type Tasks } from '../../../mock/tasks/tasks.ts';

const create = (onChange = () => {}) => createTasks({ holder: 'this', onChange });
const namesOf = (tasks: Tasks) => tasks.list().map(({ name }) => name);

/** Adds tasks by their names and when they are due. */
function addAll(tasks: Tasks, due: Readonly<Record<string, number>>): void {
  for (const [name, at] of Object.entries(due)) tasks.add({ name, args: null, due: at });
}

it('lists tasks in the order in which they are due, then in that of adding', () => {
  const dues = fc.array(fc.nat({ max: 5 }), { maxLength: 30 });
  fc.assert(
    fc.property(dues, (all) => {
      const tasks = create();
      for (const [n, due] of all.entries()) tasks.add({ name: String(n), args: null, due });
      const sorted = [...all.entries()].toSorted((left, right) => left[1] - right[1]);
      expect(namesOf(tasks)).toEqual(sorted.map(([n]) => String(n)));
    }),
  );
});

it('numbers tasks in order of adding, and gives no number twice until it begins anew', () => {
  const tasks = create();
  expect(tasks.save()).toBeUndefined();
  addAll(tasks, { a: 2, b: 1 });
  expect(tasks.list().map(({ id }) => id)).toEqual(['task-2', 'task-1']);
  expect(tasks.remove('task-2')).toBe(true);
  expect(tasks.remove('task-2')).toBe(false);
  tasks.clear();
  expect(tasks.add({ name: 'c', args: null, due: 1 }).id).toBe('task-3');
  tasks.load(undefined);
  expect(tasks.list()).toEqual([]);
  expect(tasks.add({ name: 'd', args: null, due: 1 }).id).toBe('task-1');
});

it('takes a task out once, and one that is due again stays behind those due then', () => {
  const tasks = create();
  tasks.add({ name: 'again', args: null, due: 10, every: 5 });
  addAll(tasks, { once: 10, other: 15 });
  expect(tasks.take('task-2', 10)?.due).toBe(10);
  expect(tasks.take('task-2', 10)).toBeUndefined();
  expect(tasks.take('task-1', 10)?.due).toBe(10);
  expect(namesOf(tasks)).toEqual(['other', 'again']);
  expect(tasks.list().map(({ due }) => due)).toEqual([15, 15]);
});

it.each([
  ['skips what was missed', 27, 30],
  ['is not due twice at one instant', 30, 35],
  ['keeps its schedule when it is run early', 7, 10],
])('%s', (_, now, next) => {
  const tasks = create();
  tasks.add({ name: 'again', args: null, due: 10, every: 5 });
  tasks.take('task-1', now);
  expect(tasks.list()[0]?.due).toBe(next);
});

it('ends what would be due again after the last instant', () => {
  const tasks = create();
  tasks.add({ name: 'again', args: null, due: 10, every: 8.64e15 });
  tasks.take('task-1', 10);
  expect(tasks.list()).toEqual([]);
});

it('copies arguments, as JSON has them', () => {
  const tasks = create();
  const args: Record<string, number | undefined> = { order: 1, none: undefined };
  tasks.add({ name: 'a', args: args as never, due: 1 });
  args.order = 2;
  tasks.add({ name: 'b', args: undefined as never, due: 2 });
  expect(tasks.list().map((task) => task.args)).toEqual([{ order: 1 }, null]);
});

it.each([
  ['a large integer', { args: { id: 2n ** 60n } }, 'must be JSON'],
  ['too many characters', { args: 'x'.repeat(65_535) }, 'have 65537 characters as JSON'],
  ['no instant', { due: Number.NaN }, 'must be due from 1970 on'],
  ['an instant too far away', { due: 8.64e15 }, 'before the last instant'],
  ['no step', { every: 0 }, 'a whole number of milliseconds, at least 1, but not after 0'],
])('refuses %s', (_, wrong, message) => {
  const onChange = vi.fn();
  const tasks = create(onChange);
  const add = () => tasks.add({ name: 'a', args: null, due: 1, ...(wrong as object) });
  expect(add).toThrow(TaskError);
  expect(add).toThrow(message);
  expect(onChange).not.toHaveBeenCalled();
  expect(tasks.save()).toBeUndefined();
});

it('refuses more tasks than there is room for', () => {
  const tasks = create();
  for (let n = 0; n < maxTasks; n++) tasks.add({ name: 'a', args: null, due: n });
  const add = () => tasks.add({ name: 'a', args: null, due: 1 });
  expect(add).toThrow('The sandbox has 1,000 tasks, the maximum.');
  tasks.take('task-1', 0);
  expect(add).not.toThrow();
});

it('goes on from what it saved, and says when something may be due', () => {
  const onChange = vi.fn();
  const tasks = create(onChange);
  addAll(tasks, { a: 2 });
  expect(onChange).toHaveBeenCalledTimes(1);
  const other = create(onChange);
  other.load(structuredClone(tasks.save()));
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(other.save()).toEqual(tasks.save());
  expect(other.add({ name: 'b', args: null, due: 1 }).id).toBe('task-2');
  other.load(undefined);
  expect(onChange).toHaveBeenCalledTimes(3);
});
