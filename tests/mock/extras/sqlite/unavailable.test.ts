import { renameSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { spyOnDatabase } from '../../../support/spied-database.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';

async function start() {
  const database = spyOnDatabase();
  const stored = await startStoredTwin();
  const client = () => createSnapshotClient(stored.twin());
  const admin = (method: string, path: string, body?: unknown) =>
    client().call(`/__admin${path}`, { method, body });
  const api = (method: string, path: string, body?: unknown) =>
    client().call(`/v1${path}`, { method, body });
  return { database, stored, admin, api, pet: { name: 'Rex', categoryId: 1 } };
}

const locked =
  /^\S+twin\.db cannot be written \(attempt to write a readonly database\), so nothing was changed\.$/;

it('refuses every change with 503 while the file cannot be written, and changes nothing', async () => {
  const { database, stored, admin, pet } = await start();
  await admin('PUT', '/clock', { action: 'freeze', instant: '2030-01-01T12:00:00Z' });
  await admin('PUT', '/sandboxes/own');
  await admin('PUT', '/snapshots/early');
  await admin('PUT', '/faults/slow', {
    operation: 'listOrders',
    delay: { type: 'fixed', milliseconds: 1 },
  });
  const paths = [
    'clock',
    'settings',
    'limits',
    'faults',
    'snapshots',
    'sandboxes/own',
    'data/pets',
  ];
  const look = async () => {
    const texts: string[] = [];
    for (const path of paths)
      texts.push((await admin('GET', `/${path}`)).text.replace(/"lastUsedAt":"[^"]*"/, ''));
    return texts;
  };
  const before = await look();
  database.lock(true);
  const changes: [method: string, path: string, body?: unknown][] = [
    ['POST', '/data/pets', pet],
    ['PUT', '/data/pets/1', pet],
    ['PATCH', '/data/pets/1', { name: 'x' }],
    ['DELETE', '/data/pets/1'],
    ['DELETE', '/data/pets'],
    ['PUT', '/clock', { action: 'reset' }],
    ['POST', '/settings', { fixedDelay: 1 }],
    ['POST', '/limits/demo-pro', { ban: 60 }],
    ['POST', '/limits/demo-free', { plan: 'pro' }],
    ['PUT', '/faults/slow', { status: 500 }],
    ['DELETE', '/faults'],
    ['PUT', '/snapshots/late'],
    ['PUT', '/snapshots/early'],
    ['DELETE', '/snapshots/early'],
    ['POST', '/snapshots/early/restore'],
    ['PUT', '/sandboxes/own', { pets: 3 }],
    ['PUT', '/sandboxes/late'],
    ['DELETE', '/sandboxes/own'],
    ['POST', '/reset'],
  ];
  for (const [method, path, body] of changes) {
    const { status, json } = await admin(method, path, body);
    expect(json, `${method} ${path}`).toEqual({
      code: 'store_unavailable',
      message: expect.stringMatching(locked),
      status: 503,
    });
    expect(status).toBe(503);
  }
  expect(await look()).toEqual(before);
  expect((await admin('GET', '/sandboxes/late')).status).toBe(404);
  database.lock(false);
  for (const [method, path, body] of changes.filter(([, path]) => !path.includes('early')))
    expect((await admin(method, path, body)).status, `${method} ${path}`).toBeLessThan(400);
  expect((await admin('GET', '/data/pets')).json.meta.total).toBe(120);
  expect(stored.twin().lines.join('')).toMatch(
    /The store cannot be used\. .*can be written again/s,
  );
});

it('takes back the first change of a new file that cannot be written', async () => {
  const { database, admin } = await start();
  database.lock(true);
  const frozen = { action: 'freeze', instant: '2030-01-01T12:00:00Z' };
  expect((await admin('PUT', '/clock', frozen)).status).toBe(503);
  expect((await admin('GET', '/clock')).json.frozen).toBe(false);
});

it('answers reads and counts them while the file cannot be written, and shows why', async () => {
  const { database, stored, admin, api, pet } = await start();
  await admin('PUT', '/clock', { action: 'freeze', instant: '2030-01-01T12:00:00Z' });
  database.lock(true);
  const refused = await api('POST', '/pets', pet);
  expect([refused.status, refused.json]).toEqual([
    503,
    { code: 'store_unavailable', message: expect.stringMatching(locked), status: 503 },
  ]);
  expect(refused.headers.get('X-RateLimit-Limit')).toBe('300');
  expect(refused.headers.get('X-RateLimit-Remaining')).toBe('299');
  expect(refused.headers.get('X-RateLimit-Reset')).toMatch(/^\d+$/);
  expect((await admin('GET', '/requests/latest')).json.reason).toEqual({
    step: 'store',
    error: 'store_unavailable',
    message: expect.stringMatching(locked),
  });
  expect((await api('GET', '/pets/1')).status).toBe(200);
  expect((await admin('GET', '/health')).status).toBe(503);
  expect((await admin('GET', '/health')).text).toContain('cannot be written');
  database.lock(false);
  expect((await admin('GET', '/health')).status).toBe(200);
  expect((await api('POST', '/pets', pet)).json.id).toBe(121);
  await stored.crash();
  expect((await admin('GET', '/limits/demo-pro')).json.day.used).toBe(3);
});

it('counts calls that come together with changes that the file cannot take', async () => {
  const { database, admin, api, pet } = await start();
  await admin('PUT', '/clock', { action: 'freeze', instant: '2030-01-01T12:00:00Z' });
  database.lock(true);
  const calls = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0 ? api('GET', '/pets') : api('POST', '/pets', pet),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 200 : 503)));
  expect((await admin('GET', '/limits/demo-pro')).json.minute.used).toBe(20);
  database.lock(false);
  expect((await api('POST', '/pets', pet)).json.id).toBe(121);
});

it('acknowledges nothing while its file is not where it was', async () => {
  const { stored, admin, api, pet } = await start();
  await api('POST', '/pets', pet);
  renameSync(stored.file, `${stored.file}.away`);
  const { status, json } = await api('POST', '/pets', pet);
  expect([status, json.message]).toEqual([
    503,
    `${stored.file} was moved or deleted, so nothing was changed. Put it back, or start with a new file.`,
  ]);
  // A read is counted, and counters need no sync.
  expect((await api('GET', '/pets')).status).toBe(200);
  expect((await admin('GET', '/health')).status).toBe(503);
  expect(stored.twin().lines.join('')).not.toContain('can be written again');
  writeFileSync(stored.file, '');
  expect((await api('POST', '/pets', pet)).status).toBe(503);
  renameSync(`${stored.file}.away`, stored.file);
  expect((await admin('GET', '/health')).status).toBe(200);
  expect((await api('POST', '/pets', pet)).json.id).toBe(122);
});
