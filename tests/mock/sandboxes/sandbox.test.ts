import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Exchange } from '../../../mock/journal/exchange.ts';
import { createJournals } from '../../../mock/journal/journals.ts';
import { toByteText } from '../../../mock/json/exact-json.ts';
import type { Decision } from '../../../mock/limits/decide.ts';
import type { ApiKey, Plan } from '../../../mock/limits/plans.ts';
import { createMemoryBackend } from '../../../mock/sandboxes/open-sandboxes.ts';
import { Sandbox } from '../../../mock/sandboxes/sandbox.ts';
import type { OpenedSandbox } from '../../../mock/sandboxes/sandbox-backend.ts';
import type { SandboxOptions, SandboxSettings } from '../../../mock/sandboxes/sandbox-options.ts';
import type {
  InitialState,
  MemoryParts,
  SavedState,
} from '../../../mock/sandboxes/sandbox-state.ts';
import type { Collections } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';

const openJournal = () => createJournals({ entries: 10, secrets: [] }).open();

const free: Plan = { name: 'free', perMinute: 5, perDay: 100 };
const key: ApiKey = { key: 'k', name: 'k', plan: free, own: {} };
const settings: SandboxSettings = {
  seed: 1,
  items: 1,
  policy: { plans: { free }, ban: false },
  rateLimits: 'enforce',
};

function toCollections(...ids: string[]): Collections {
  return {
    pets: {
      items: ids.map((id) => ({ id, json: toByteText(id), filters: {} })),
      next: ids.length + 1,
    },
  };
}

const toInitialState = async (options: SandboxOptions): Promise<InitialState> => ({
  options,
  settings: { ...settings, ...(options as Partial<SandboxSettings>) },
  seeds: toCollections(`seed ${options.seed}`),
});

/** A backend that takes its time to save and replace, and cannot hold an item that is called `bad`. */
function openSlowly(parts: MemoryParts): OpenedSandbox {
  const opened = createMemoryBackend(openMemoryStore).open(parts);
  return {
    ...opened,
    store: {
      ...opened.store,
      async save() {
        const saved = await opened.store.save();
        await nextTurn();
        return saved;
      },
    },
    async replace(whole) {
      await nextTurn();
      if (whole.collections.pets?.items.some(({ id }) => id === 'bad'))
        throw new Error('cannot load');
      await opened.replace(whole);
      await nextTurn();
    },
  };
}

/** A sandbox with items, counts and a clock that tell which state it is in. */
async function createCase(open = openSlowly) {
  const sandbox = new Sandbox('a', {
    holder: 'a',
    initialState: await toInitialState({ seed: 0 }),
    toInitialState,
    open,
    openJournal,
  });
  const look = (state: SavedState) => ({
    items: state.collections.pets?.items.map(({ id }) => id),
    calls: [...(state.limits.get('k')?.day.values() ?? [])],
    clock: state.clock,
    seed: state.options.seed,
  });
  return { sandbox, look };
}

const stateOf = (name: string, n: number): SavedState => ({
  options: { seed: n },
  collections: toCollections(name),
  limits: new Map([['k', { minute: new Map([[0, n]]), day: new Map([[0, n]]), strikes: [] }]]),
  clock: { frozenAt: n },
});

/** Of a state that a sandbox begins with. */
const begun = async (seed: number, ...ids: string[]): Promise<InitialState> => ({
  ...(await toInitialState({ seed })),
  seeds: toCollections(...ids),
});

it('takes changes one after another, so that none is saved half done', async () => {
  const { sandbox, look } = await createCase();
  const two = await begun(0, 'two');
  const turns = Array.from({ length: 30 }, (_, turn) => {
    const change =
      turn % 3 === 1
        ? sandbox.restore(stateOf(`one ${turn}`, turn))
        : sandbox.remake({
            ...two,
            settings: { ...settings, seed: turn },
            options: { seed: turn },
          });
    return { change, saved: sandbox.save(), turn };
  });
  for (const { change, saved, turn } of turns) {
    await change;
    expect(look(await saved)).toEqual(
      turn % 3 === 1
        ? { items: [`one ${turn}`], calls: [turn], clock: { frozenAt: turn }, seed: turn }
        : { items: ['two'], calls: [], clock: { offset: 0 }, seed: turn },
    );
  }
});

it('changes nothing when a state cannot be restored, and goes on', async () => {
  const { sandbox, look } = await createCase();
  await sandbox.restore(stateOf('one', 1));
  const before = look(await sandbox.save());
  await expect(sandbox.restore(stateOf('bad', 2))).rejects.toThrow('cannot load');
  await expect(sandbox.remake(await begun(3, 'bad'))).rejects.toThrow('cannot load');
  expect(look(await sandbox.save())).toEqual(before);
  expect([sandbox.settings.seed, sandbox.clock.now()]).toEqual([1, 1]);
  await sandbox.restore(stateOf('two', 2));
  expect(look(await sandbox.save())).toMatchObject({ items: ['two'], seed: 2 });
});

it('keeps its snapshots when it is reset, and not when it is made anew, unless that fails', async () => {
  const { sandbox } = await createCase();
  await sandbox.snapshots.put({ name: 's', createdAt: 0, state: await sandbox.save() });
  await sandbox.reset();
  await expect(sandbox.remake(await begun(3, 'bad'))).rejects.toThrow();
  expect(await sandbox.snapshots.list()).toHaveLength(1);
  await sandbox.remake(await begun(3, 'good'));
  expect(await sandbox.snapshots.list()).toEqual([]);
});

it('is limited by the rules of what it was restored to', async () => {
  const { sandbox } = await createCase(createMemoryBackend(openMemoryStore).open);
  const outcomes = () =>
    Array.from({ length: 7 }, () => (sandbox.limiter.take(key) as Decision).outcome === 'allowed');
  await sandbox.restore({ ...stateOf('one', 1), options: { rateLimits: 'observe' } });
  expect(outcomes().every(Boolean)).toBe(true);
  await sandbox.restore(stateOf('two', 2));
  expect(outcomes().filter(Boolean)).toHaveLength(3);
  const policy = { plans: { free: { ...free, perMinute: 6 } }, ban: false } as const;
  await sandbox.restore({ ...stateOf('three', 3), options: { policy } as SandboxOptions });
  expect(outcomes().filter(Boolean)).toHaveLength(3);
  expect(sandbox.limiter.anonymous().limit).toBe(6);
});

it('keeps no request once it is closed', async () => {
  const { sandbox } = await createCase();
  await sandbox.close('stopped');
  sandbox.journal.record(new Exchange(1, 'a', 0, 0));
  const { size, bytes } = sandbox.journal.retained;
  expect([size, bytes]).toEqual([0, 0]);
});
