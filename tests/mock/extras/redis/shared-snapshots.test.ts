import { expect, it } from 'vitest';
import { shareSnapshots } from '../../../../mock/extras/redis/shared-snapshots.ts';
import type { InitialState } from '../../../../mock/sandboxes/sandbox-state.ts';
import { createSnapshots } from '../../../../mock/sandboxes/sandbox-state.ts';
import { createMemoryStores } from '../../../../mock/state/memory-store.ts';

it('brings a snapshot back whose deletion could not be stored', async () => {
  const initialState = { options: {}, settings: {}, seeds: {} } as InitialState;
  const texts = new Map<string, string>();
  const { snapshots, toStored, stored, prepare } = shareSnapshots(createSnapshots(), {
    memory: createMemoryStores(),
    toInitialState: async () => initialState,
    read: async (name) => texts.get(name) ?? null,
  });
  const state = { initialState, collections: {}, limits: new Map(), clock: { offset: 0 } };
  snapshots.put({ name: 's', createdAt: 1, state });
  const { marks, changes } = toStored();
  for (const [name, text = ''] of changes) texts.set(name, text);
  stored(marks);
  snapshots.delete('s');
  const follow = await prepare(marks);
  follow();
  expect(snapshots.list().map(({ name }) => name)).toEqual(['s']);
  expect(toStored()).toEqual({ marks, changes: [] });
});
