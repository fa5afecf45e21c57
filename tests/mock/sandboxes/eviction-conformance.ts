import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openProcess, type Process, type TestStore } from './open-process.ts';
import { plainSettings } from './plain-settings.ts';

const max = 2;

/** Makes a sandbox, with options of its own or without, or uses it; the store is opened again. */
type Action = { act: 'put' | 'delete' | 'reopen'; name: string; isOwn: boolean; process: number };

const action: fc.Arbitrary<Action> = fc.record({
  act: fc.constantFrom('put', 'put', 'put', 'put', 'delete', 'reopen'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  isOwn: fc.boolean(),
  process: fc.nat({ max: 7 }),
});

/** Puts a sandbox again unchanged: that uses it, also once the store is opened again. */
const putAgain = ['a', 'b', 'a', 'b'].map((name, at): Action => {
  return { act: at < 3 ? 'put' : 'reopen', name, isOwn: true, process: 0 };
});

/** The sandboxes, the least recently used one first. */
type Model = { name: string; isOwn: boolean }[];

function performPlain(model: Model, { act, name, isOwn }: Action): void {
  if (act === 'reopen') return;
  const at = model.findIndex((one) => one.name === name);
  if (at !== -1) model.splice(at, 1);
  if (act === 'delete') return;
  if (model.length === max) {
    const first = model.findIndex((one) => !one.isOwn);
    model.splice(Math.max(first, 0), 1);
  }
  model.push({ name, isOwn });
}

const countOf = async ({ sandboxes }: Process, name: string) => {
  const sandbox = sandboxes.get(name);
  await sandbox.refresh?.();
  return sandbox.store.count('pets');
};

/** The names of the sandboxes but for the default one, those that were used last first. */
async function namesOf({ sandboxes }: Process): Promise<string[]> {
  const entries = await sandboxes.listStored();
  return entries.map(({ sandbox }) => sandbox.name).filter((name) => name !== 'default');
}

/** The tests that every backend passes on sandboxes that make room for others, or are not used. */
export function testEviction(
  backend: string,
  createStore: () => Promise<TestStore>,
  { survives = false, processes: count = 1, runs = 100 } = {},
): void {
  const openAll = (store: TestStore, options: { idle?: number; maxSandboxes?: number }) =>
    Promise.all(Array.from({ length: count }, () => openProcess(store, options)));
  const closeAll = (processes: readonly Process[]) =>
    Promise.all(processes.map((process) => process.close()));

  it(`${backend} retains the sandboxes that were used last, and those with options longest`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12, size: 'max' }), async (actions) => {
        const store = await createStore();
        let processes = await openAll(store, { maxSandboxes: max });
        const model: Model = [];
        try {
          for (const one of actions) {
            const { act, name, isOwn, process } = one;
            const { sandboxes } = processes[process % count] as Process;
            if (act === 'reopen' && survives) {
              await closeAll(processes);
              processes = await openAll(store, { maxSandboxes: max });
            } else if (act === 'put') {
              await sandboxes.put(name, isOwn ? { pets: 4 } : {});
              // Times of use are whole milliseconds.
              await wait(2);
            } else if (act === 'delete') await sandboxes.delete(name);
            performPlain(model, one);
            const expected = model.map((left) => left.name).toReversed();
            for (const each of processes)
              expect([one, await namesOf(each)]).toEqual([one, expected]);
          }
        } finally {
          await closeAll(processes);
          await store.remove();
        }
      }),
      { numRuns: runs, examples: [[putAgain]] },
    );
  }, 120_000);

  it(`${backend} leaves nothing of a sandbox that made room`, async () => {
    const store = await createStore();
    let processes = await openAll(store, { maxSandboxes: 1 });
    const [first] = processes as [Process, ...Process[]];
    await first.sandboxes.put('a', { pets: 4 });
    const sandbox = first.sandboxes.get('a');
    await sandbox.refresh?.();
    await sandbox.store.removeAll('pets');
    expect(await countOf(first, 'a')).toBe(0);
    await first.sandboxes.put('b');
    expect(await namesOf(first)).toEqual(['b']);
    if (survives) {
      await closeAll(processes);
      processes = await openAll(store, { maxSandboxes: 1 });
    }
    for (const process of processes) expect(await countOf(process, 'a')).toBe(plainSettings.items);
    await closeAll(processes);
    await store.remove();
  });

  it(`${backend} closes a sandbox that is not used for too long, and not the default one`, async () => {
    const store = await createStore();
    const processes = await openAll(store, { idle: 50 });
    const [first] = processes as [Process, ...Process[]];
    await first.sandboxes.defaultSandbox.store.removeAll('pets');
    await first.sandboxes.put('a');
    const sandbox = first.sandboxes.get('a');
    await sandbox.refresh?.();
    await sandbox.store.removeAll('pets');
    for (const process of processes) await expect.poll(() => namesOf(process)).toEqual([]);
    for (const process of processes) {
      expect(await countOf(process, 'a')).toBe(plainSettings.items);
      expect(await countOf(process, 'default')).toBe(0);
    }
    await closeAll(processes);
    await store.remove();
  });
}
