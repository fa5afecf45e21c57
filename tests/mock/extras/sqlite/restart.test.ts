import { expect, it } from 'vitest';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';
import type { TestTwin } from '../../../support/twin.ts';

/** Clients of sandboxes: calls of the admin, and of the API with a key. */
function clientOf(twin: TestTwin, prefix = '') {
  const { call } = createSnapshotClient(twin);
  return {
    admin: (method: string, path: string, body?: unknown) =>
      call(`${prefix}/__admin${path}`, { method, body }),
    api: (
      method: string,
      path: string,
      { body, key = 'demo-free' }: { body?: unknown; key?: string } = {},
    ) => call(`${prefix}/v1${path}`, { method, body, key }),
  };
}

const parts = [
  'clock',
  'settings',
  'limits',
  'faults',
  'snapshots',
  'snapshots/early',
  'data/pets',
];

/** All that the admin shows of a sandbox, but for when it was used. */
async function look(twin: TestTwin, name = 'default'): Promise<string[]> {
  const { admin } = clientOf(twin, name === 'default' ? '' : `/sandboxes/${name}`);
  const texts: string[] = [];
  for (const part of parts) texts.push((await admin('GET', `/${part}`)).text);
  const shown = (await admin('GET', `/sandboxes/${name}`)).text;
  return [...texts, shown.replace(/,"createdAt".*/, '')];
}

/** Changes all that can be changed of a sandbox. */
async function changeAll(twin: TestTwin, prefix: string): Promise<void> {
  const { admin, api } = clientOf(twin, prefix);
  await admin('PUT', '/clock', { action: 'freeze', instant: '2030-01-01T12:00:00Z' });
  await admin('POST', '/settings', {
    fixedDelay: 1,
    delayDistribution: { type: 'uniform', lower: 0, upper: 2 },
  });
  await admin('POST', '/limits/demo-pro', { plan: 'business' });
  await admin('POST', '/limits/demo-business', { ban: 77 });
  await admin('POST', '/limits/demo-free', { exhaust: 'minute' });
  for (let refusal = 0; refusal < 3; refusal++)
    expect((await api('GET', '/pets')).status).toBe(429);
  await admin('POST', '/limits/demo-free', { plan: 'enterprise' });
  const created = await api('POST', '/pets', {
    body: '{"name":"Ré 🐕","categoryId":9007199254740993}',
  });
  expect(created.status).toBe(201);
  await admin('PUT', '/snapshots/early');
  await admin('DELETE', '/data/pets/2');
  await admin('PATCH', '/data/pets/3', { name: 'patched' });
  await admin('PUT', '/data/pets/9007199254740995', { name: 'big', categoryId: 1 });
  await admin('PUT', '/faults/third', { operation: 'getPet', every: 3, status: 503 });
  await admin('POST', '/faults', { probability: 0.5, operation: 'listPets', status: 500 });
  for (let call = 0; call < 5; call++) await api('GET', '/pets/1');
  for (let call = 0; call < 5; call++) await api('GET', '/pets');
}

it('goes on with all of it after a stop, and after a crash', async () => {
  const stored = await startStoredTwin();
  await stored.twin().app.sandboxes.get('plain');
  await clientOf(stored.twin()).admin('PUT', '/sandboxes/own', {
    seed: 7,
    pets: 30,
    plans: { free: { perMinute: 5, perDay: 50 } },
  });
  await changeAll(stored.twin(), '');
  await changeAll(stored.twin(), '/sandboxes/own');
  const lookAtAll = async (twin: TestTwin) => [await look(twin), await look(twin, 'own')];
  const before = await lookAtAll(stored.twin());
  expect(await lookAtAll(await stored.crash())).toEqual(before);
  expect(await lookAtAll(await stored.restart())).toEqual(before);
  const { sandboxes } = (await clientOf(stored.twin()).admin('GET', '/sandboxes')).json;
  expect(sandboxes.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'default',
    'own',
    'plain',
  ]);
});
