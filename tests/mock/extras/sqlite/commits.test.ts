import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { animal, post } from '../../../support/bad-input.ts';
import { openRaw } from '../../../support/raw-socket.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { spyOnDatabase } from '../../../support/spied-database.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';

/** So many rows may be written in a transaction, with what goes with them. */
const maxRows = 1100;

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
      store.add('pets', (n) => ({ id: String(n), json: '{}' as never, filters: {} })),
    ),
  );
  const synced = database.transactions.slice(before).filter(({ isSynced }) => isSynced);
  expect(synced).toHaveLength(1);
});

it('lets creates of 32 clients share commits, and syncs none for reads', async () => {
  const { database, stored, call, settle } = await start();
  const { origin } = stored.twin();
  const clients = await Promise.all(Array.from({ length: 32 }, () => openRaw(origin)));
  await settle();
  let before = database.transactions.length;
  const synced = () => database.transactions.slice(before).filter(({ isSynced }) => isSynced);
  const request = post(animal);
  for (const client of clients) client.send(request);
  for (const client of clients) expect((await client.next())?.status).toBe(201);
  expect(synced().length).toBeGreaterThan(0);
  expect(synced().length).toBeLessThan(16);
  for (const client of clients) await client.finish();
  await settle();
  before = database.transactions.length;
  await Promise.all(Array.from({ length: 32 }, () => call('/v1/pets/1', { key: 'demo-business' })));
  await settle();
  expect(synced()).toEqual([]);
  expect(database.transactions.length).toBeGreaterThan(before);
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

it('writes what is long in slices, and deletes what is over in slices', async () => {
  const { database, stored, admin, settle } = await start();
  const items = Array.from({ length: 5000 }, (_, index) => ({
    id: index + 1,
    name: `Rex ${index}`,
    categoryId: 1,
    status: index % 2 ? 'sold' : 'pending',
  }));
  const snapshot = { version: 1, collections: { pets: { next: 5001, items } } };
  expect((await admin('PUT', '/snapshots/long', snapshot)).status).toBe(201);
  expect((await admin('POST', '/snapshots/long/restore')).status).toBe(200);
  expect((await admin('DELETE', '/data/pets?status=sold')).json).toEqual({ removed: 2500 });
  await stored.crash();
  const { call } = createSnapshotClient(stored.twin());
  expect((await call('/__admin/data/pets')).json.meta.total).toBe(2500);
  expect((await admin('PUT', '/snapshots/long')).status).toBe(200);
  expect((await admin('DELETE', '/data/pets')).json).toEqual({ removed: 2500 });
  expect((await admin('DELETE', '/snapshots/long')).status).toBe(204);
  expect((await admin('POST', '/reset')).status).toBe(200);
  await settle();
  expect(Math.max(...database.transactions.map(({ statements }) => statements))).toBeLessThan(
    maxRows,
  );
  expect(database.count('items')).toBe(0);
  expect(database.count('contents')).toBe(database.count('collections'));
});

it('answers others while it writes what is long', async () => {
  const { admin, create } = await start();
  const items = Array.from({ length: 20_000 }, (_, index) => ({
    id: index + 1,
    name: 'Rex',
    categoryId: 1,
  }));
  await admin('PUT', '/snapshots/long', {
    version: 1,
    collections: { pets: { next: 20_001, items } },
  });
  await admin('PUT', '/snapshots/none', {
    version: 1,
    collections: { pets: { next: 1, items: [] } },
  });
  await admin('POST', '/snapshots/none/restore');
  let isRestored = false;
  let answered = 0;
  const restoring = admin('POST', '/snapshots/long/restore').then(() => (isRestored = true));
  while (!isRestored) {
    await admin('GET', '/clock');
    answered += 1;
  }
  await restoring;
  expect(answered).toBeGreaterThan(3);
  expect((await create()).json.id).toBe(20_001);
});

it('keeps what faults count while a long snapshot is written', async () => {
  const stored = await startStoredTwin();
  const { store } = stored.twin().app;
  const { call } = createSnapshotClient(stored.twin());
  const add = (n: number) => ({ id: String(n), json: '{}' as never, filters: {} });
  await Promise.all(Array.from({ length: 10_000 }, () => store.add('pets', add)));
  await call('/__admin/faults/f', { method: 'PUT', body: { every: 1000, status: 500 } });
  const count = () => call('/v1/pets?limit=1', { key: 'demo-business' });
  await count();
  const saving = call('/__admin/snapshots/s', { method: 'PUT' });
  await Promise.all(Array.from({ length: 5 }, count));
  await saving;
  const twin = await stored.crash();
  const found = await createSnapshotClient(twin).call('/__admin/faults/f', { method: 'GET' });
  expect(found.json).toMatchObject({ calls: 6 });
});
