import { expect, it } from 'vitest';
import { createJournals } from '../../../mock/journal/journals.ts';
import { createLog } from '../../../mock/log.ts';
import { type Backend, type StoredSandbox, StoreError } from '../../../mock/sandboxes/backend.ts';
import {
  createMemoryBackend,
  createToInitialState,
  openSandboxes,
} from '../../../mock/sandboxes/open-sandboxes.ts';
import { StoreUnavailableError } from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import { plainSettings, toPlainSeeds } from './plain-settings.ts';

const noon = Date.UTC(2030, 0, 1, 12);

/** Sandboxes over a store that notes why they are closed, and may be full. */
async function openCase(stored: readonly StoredSandbox[] = [], { max = 1000, idle = 0 } = {}) {
  const closed: string[] = [];
  const state = { isFull: false };
  const memory = createMemoryBackend(openMemoryStore);
  const ensureRoom = () => {
    if (state.isFull) throw new StoreUnavailableError('The disk is full.');
  };
  const backend: Backend = {
    ...memory,
    stored,
    open(parts) {
      const opened = memory.open(parts);
      return {
        ...opened,
        change(act) {
          ensureRoom();
          return opened.change(act);
        },
        async close(reason) {
          ensureRoom();
          closed.push(`${parts.name} ${reason}`);
        },
      };
    },
  };
  const initialState = { options: {}, settings: plainSettings, seeds: toPlainSeeds({}) };
  const toInitialState = createToInitialState(initialState, async (wanted) => toPlainSeeds(wanted));
  const sandboxes = await openSandboxes({
    backend,
    openJournal: createJournals({ entries: 1, secrets: [] }).open,
    begin: () => ({ initialState, toInitialState }),
    max,
    maxBytes: 1e6,
    idle,
    log: createLog('silent'),
    now: () => noon,
    elapsed: () => 0,
  });
  const names = () => sandboxes.list().map(({ sandbox }) => sandbox.name);
  return { sandboxes, closed, state, names };
}

const at = (minutes: number) => noon - minutes * 60_000;
const storedAs = (name: string, minutes: number, options = {}): StoredSandbox => ({
  name,
  options,
  createdAt: at(90),
  lastUsedAt: at(minutes),
});

it('holds the sandboxes of an earlier process, with their options and times', async () => {
  const { sandboxes, names } = await openCase([
    storedAs('b', 5),
    storedAs('default', 7, { pets: 3 }),
    storedAs('a', 9, { rateLimits: 'off' }),
  ]);
  expect(names()).toEqual(['default', 'b', 'a']);
  expect(await sandboxes.defaultSandbox.store.count('pets')).toBe(3);
  expect(sandboxes.find('a')).toMatchObject({
    createdAt: at(90),
    lastUsedAt: at(9),
    sandbox: { settings: { rateLimits: 'off' } },
  });
});

it('closes those first that were not used for long, or have no options of their own', async () => {
  const stored = [storedAs('old', 50), storedAs('own', 20, { pets: 1 }), storedAs('new', 10)];
  const idle = await openCase(stored, { idle: 30 * 60_000 });
  expect(idle.names()).toEqual(['default', 'new', 'own']);
  const full = await openCase(stored.slice(1), { max: 2 });
  full.sandboxes.get('next');
  expect(full.names()).toEqual(['default', 'next', 'own']);
});

it('refuses a store with a sandbox whose options do not fit the twin', async () => {
  const opening = openCase([storedAs('a', 1, { plans: { gold: { perMinute: 1, perDay: 1 } } })]);
  await expect(opening).rejects.toThrow(StoreError);
  await expect(opening).rejects.toThrow(
    /^Sandbox "a" in the store does not fit this mock: "plans\/gold" is not a plan of this mock\. Plans are free, pro\. Start with the same --plans, or discard the state with --reset-store\.$/,
  );
});

it('says why it closes a sandbox', async () => {
  const { sandboxes, closed } = await openCase([], { max: 2 });
  for (const name of ['a', 'b', 'c']) sandboxes.get(name);
  await sandboxes.delete('b');
  await sandboxes.close();
  expect(closed).toEqual(['a evicted', 'b deleted', 'default stopped', 'c stopped']);
});

it('has no sandbox that could not be stored, and every one that could not be deleted', async () => {
  const { sandboxes, state, names } = await openCase();
  await sandboxes.put('a', { pets: 1 });
  state.isFull = true;
  await expect(sandboxes.put('b')).rejects.toThrow(StoreUnavailableError);
  await expect(sandboxes.delete('a')).rejects.toThrow(StoreUnavailableError);
  await expect(sandboxes.deleteAll()).rejects.toThrow(StoreUnavailableError);
  expect(names()).toEqual(['default', 'a']);
  state.isFull = false;
  expect([await sandboxes.delete('a'), names()]).toEqual([true, ['default']]);
});
