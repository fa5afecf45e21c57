import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addCounted } from '../../../../mock/state/store.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { spyOnDatabase } from '../../../support/spied-database.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';

async function start() {
  const database = spyOnDatabase();
  const stored = await startStoredTwin();
  const { call } = createSnapshotClient(stored.twin());
  const admin = (method: string, path: string, body?: unknown) =>
    call(`/__admin${path}`, { method, body });
  const create = () =>
    call('/v1/pets', {
      method: 'POST',
      body: { name: 'Rex', categoryId: 1 },
      key: 'demo-business',
    });
  const settle = async () => {
    let before: number;
    do {
      before = database.transactions.length;
      await wait(100);
    } while (database.transactions.length > before);
  };
  return { database, stored, admin, call, create, settle };
}

it('lets creates that arrive together share a commit', async () => {
  const { database, stored } = await start();
  const { store } = stored.twin().app;
  const before = database.transactions.length;
  await Promise.all(
    Array.from({ length: 32 }, () =>
      addCounted(store, 'pets', (n) => ({ id: String(n), json: '{}' as never, filters: {} })),
    ),
  );
  const synced = database.transactions.slice(before).filter(({ isSynced }) => isSynced);
  expect(synced).toHaveLength(1);
});

it('commits a change of control once', async () => {
  const { database, admin, create, settle } = await start();
  await create();
  for (const [method, path, body] of [
    ['PUT', '/clock', { action: 'advance', durationMillis: 1 }],
    ['POST', '/limits/demo-free', { ban: 5 }],
    ['PUT', '/faults/a', { status: 500, every: 1000 }],
    ['PUT', '/snapshots/a', undefined],
    ['POST', '/snapshots/a/restore', undefined],
    ['POST', '/reset', undefined],
    ['DELETE', '/snapshots/a', undefined],
  ] as const) {
    await settle();
    const before = database.transactions.length;
    await admin(method, path, body);
    const synced = database.transactions.slice(before).filter(({ isSynced }) => isSynced);
    expect(synced, `${method} ${path}`).toHaveLength(1);
  }
});
