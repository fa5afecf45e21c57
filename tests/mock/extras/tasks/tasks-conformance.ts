import { afterEach, expect, it } from 'vitest';
import { TaskRunner } from '../../../../mock/extras/tasks/task-runner.ts';
import type { RunTask } from '../../../../mock/sandboxes/run-task.ts';
import { openProcess, type Process, type TestStore } from '../../sandboxes/open-process.ts';
import { addTask } from './task-twin.ts';

export type TasksTraits = {
  /** Whether state is there again once it was closed and opened. */
  survives?: boolean;
  /** How many processes have it open at once. */
  processes?: number;
};

/** A process that runs tasks, and what its tasks noted: their arguments, in order. */
type Worker = Process & { noted: unknown[]; lines: string[]; runner: TaskRunner };

/** Tests that tasks run as they are to, whatever holds the state of sandboxes. */
export function testTasks(
  name: string,
  createStore: () => Promise<TestStore>,
  { survives = false, processes = 1 }: TasksTraits = {},
): void {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  const openStore = async () => {
    const store = await createStore();
    opened.push({ close: store.remove });
    return store;
  };
  const openWorker = async (store: TestStore, how = {}): Promise<Worker> => {
    const process = await openProcess(store);
    opened.unshift(process);
    const noted: unknown[] = [];
    const lines: string[] = [];
    const runner = new TaskRunner({ ...process, ...how });
    const note: RunTask = async (args) => void noted.push(args);
    const log = {
      warn: (line: string) => lines.push(line),
      error: (line: string) => lines.push(line),
    };
    runner.follow({ note }, log);
    return { ...process, noted, lines, runner };
  };
  const openAll = async () => {
    const store = await openStore();
    const first = await openWorker(store);
    const others = Array.from({ length: processes - 1 }, () => openWorker(store));
    return [first, ...(await Promise.all(others))] as [Worker, ...Worker[]];
  };
  const sandboxOf = ({ sandboxes }: Process) => sandboxes.get('a');

  it(`${name}: runs each task once when it is due, in whatever process it was added`, async () => {
    const workers = await openAll();
    const all = Array.from({ length: 30 }, (_, n) => n);
    await Promise.all(
      all.map((n) =>
        addTask(sandboxOf(workers[n % workers.length] as Worker), 'note', {
          args: n,
          after: n % 3,
        }),
      ),
    );
    const noted = () => workers.flatMap((worker) => worker.noted);
    await expect.poll(() => noted().length).toBeGreaterThanOrEqual(30);
    for (const worker of workers) {
      await sandboxOf(worker).refresh?.();
      expect(sandboxOf(worker).tasks.list()).toEqual([]);
    }
    expect(noted().toSorted((left, right) => Number(left) - Number(right))).toEqual(all);
  });

  it(`${name}: runs what any process added while one moves the clock, in order`, async () => {
    const workers = await openAll();
    const [first] = workers;
    const sandbox = sandboxOf(first);
    await first.runner.move(sandbox, () => ({ frozenAt: 1000 }));
    for (const [n, worker] of [...workers, first].entries()) {
      await sandboxOf(worker).refresh?.();
      await addTask(sandboxOf(worker), 'note', { args: n, after: n < 2 ? 20 : 10 });
    }
    await first.runner.move(sandbox, () => ({ frozenAt: 1100 }));
    const added = [...workers, first].map((_, n) => n);
    expect(first.noted).toEqual([...added.slice(2), ...added.slice(0, 2)]);
    expect(workers.slice(1).flatMap(({ noted }) => noted)).toEqual([]);
    expect(sandbox.clock.now()).toBe(1100);
  });

  it(`${name}: runs at once what is due where the clock stands still`, async () => {
    const workers = await openAll();
    const worker = workers.at(-1) as Worker;
    const sandbox = sandboxOf(worker);
    await worker.runner.move(sandbox, () => ({ frozenAt: 1000 }));
    await addTask(sandbox, 'note', { args: 'now', after: 0 });
    await expect.poll(() => worker.noted).toEqual(['now']);
  });

  it.runIf(survives && processes === 1)(
    `${name}: runs at the start what fell due while the twin was down, and what a lost process held never`,
    async () => {
      const store = await openStore();
      const before = await openProcess(store);
      const { defaultSandbox: sandbox } = before.sandboxes;
      await addTask(sandbox, 'note', { args: 'missed', after: 0 });
      const { holder } = sandbox.tasks;
      const due = sandbox.clock.now();
      await sandbox.change(() => sandbox.tasks.add({ name: 'note', args: 'held', due, holder }));
      await before.close();
      const worker = await openWorker(store);
      await expect.poll(() => worker.lines).toHaveLength(1);
      expect(worker.noted).toEqual(['missed']);
      expect(worker.lines[0]).toContain(
        'The task note (task-2 of sandbox "default") is lost with the process that held its function.',
      );
    },
  );

  it.runIf(processes > 1)(`${name}: leaves alone what another process holds`, async () => {
    const store = await openStore();
    const holding = await openProcess(store);
    opened.unshift(holding);
    const { defaultSandbox: sandbox } = holding.sandboxes;
    const { holder } = sandbox.tasks;
    const due = sandbox.clock.now();
    await sandbox.change(() => sandbox.tasks.add({ name: 'note', args: 'held', due, holder }));
    const worker = await openWorker(store);
    const { defaultSandbox: same } = worker.sandboxes;
    await same.refresh?.();
    for (const args of ['first', 'second', 'third']) {
      await addTask(same, 'note', { args, after: 0 });
      await expect.poll(() => worker.noted.at(-1)).toBe(args);
    }
    expect([worker.lines, same.tasks.list().map(({ args }) => args)]).toEqual([[], ['held']]);
  });

  it.runIf(processes > 1)(`${name}: does what a process left that is gone`, async () => {
    const store = await openStore();
    const gone = await openProcess(store);
    const { defaultSandbox: sandbox } = gone.sandboxes;
    await sandbox.change(() => sandbox.clock.freeze(1000));
    await addTask(sandbox, 'note', { args: 'left', after: 0 });
    const { holder } = sandbox.tasks;
    await sandbox.change(() =>
      sandbox.tasks.add({ name: 'note', args: 'held', due: 1000, holder }),
    );
    await gone.close();
    const worker = await openWorker(store, { lookAgain: 5, maxTime: 4 });
    await expect.poll(() => worker.lines).toHaveLength(1);
    expect(worker.noted).toEqual(['left']);
    expect(worker.lines[0]).toContain('is lost with the process that held its function.');
  });
}
