import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { spyOnDatabase } from '../../../support/spied-database.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';

const items = Array.from({ length: 10_000 }, (_, index) => ({
  id: index + 1,
  name: 'Rex',
  categoryId: 1,
  status: index % 8 ? 'sold' : 'pending',
}));

it.each([
  ['a snapshot of it', 'PUT', '/snapshots/again', 200],
  ['an imported snapshot', 'PUT', '/snapshots/other', 201],
  ['a restored snapshot', 'POST', '/snapshots/long/restore', 200],
  ['a removal of many items', 'DELETE', '/data/pets?status=sold', 200],
])('deletes a sandbox while %s is written', async (_, method, path, status) => {
  const database = spyOnDatabase();
  const stored = await startStoredTwin();
  const { call } = createSnapshotClient(stored.twin());
  const own = (how: string, where: string, body?: unknown) =>
    call(`/sandboxes/own/__admin${where}`, { method: how, body });
  const snapshot = { version: 1, collections: { pets: { next: 10_001, items } } };
  await own('PUT', '/snapshots/long', snapshot);
  await own('POST', '/snapshots/long/restore');
  await own('PUT', '/snapshots/again');
  const before = Number(database.count('items'));
  const body = path.endsWith('other') ? snapshot : undefined;
  const writing = own(method, path, body);
  while (Number(database.count('items')) <= before) await setImmediate();
  expect((await call('/__admin/sandboxes/own', { method: 'DELETE' })).status).toBe(204);
  const { status: answered, text } = await writing;
  expect([answered, text]).toEqual([status, expect.any(String)]);
  expect((await call('/__admin/sandboxes/own')).status).toBe(404);
  await expect.poll(() => database.count('items')).toBe(0);
  await expect.poll(() => database.count('contents')).toBe(0);
  expect((await own('GET', '/snapshots')).json).toEqual({ snapshots: [] });
  const again = createSnapshotClient(await stored.restart());
  expect((await again.call('/sandboxes/own/__admin/data/pets')).json.meta.total).toBe(120);
});
