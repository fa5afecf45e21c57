import { afterAll, beforeEach, expect, it } from 'vitest';
import { expectError } from '../../../support/expect-answer.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { openTestTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
const { call, save, restore, exported, imports, create, clock } = createSnapshotClient(twin);
afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await twin.app.sandboxes.deleteAll();
});

it('lists, replaces and deletes snapshots, each sandbox its own', async () => {
  expect((await call('/__admin/snapshots')).json).toEqual({ snapshots: [] });
  expect(await save('b')).toMatchObject({ status: 201, json: { name: 'b', items: { pets: 120 } } });
  await create('x');
  expect((await save('a')).json.items).toEqual({ pets: 121 });
  await create('y');
  expect(await save('b')).toMatchObject({ status: 200, json: { name: 'b', items: { pets: 122 } } });
  const { snapshots } = (await call('/__admin/snapshots')).json;
  expect(snapshots).toMatchObject([
    { name: 'a', items: { pets: 121 } },
    { name: 'b', items: { pets: 122 } },
  ]);
  for (const { createdAt } of snapshots)
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
  expect((await call('/sandboxes/other/__admin/snapshots')).json).toEqual({ snapshots: [] });
  expect((await restore('a', '/sandboxes/other')).status).toBe(404);
  expect((await call('/__admin/snapshots/a', { method: 'DELETE' })).status).toBe(204);
  for (const line of ['GET a', 'DELETE a', 'POST a/restore', 'GET never', 'DELETE never']) {
    const [method = '', path] = line.split(' ');
    expectError(await call(`/__admin/snapshots/${path}`, { method }), 404, 'not_found');
  }
  await call('/__admin/reset', { method: 'POST' });
  expect((await restore('b')).status).toBe(200);
  expect(await twin.app.store.count('pets')).toBe(122);
});

it('keeps 100 snapshots in a sandbox, and replaces one even then', async () => {
  for (let index = 0; index < 100; index++) expect((await save(`s-${index}`)).status).toBe(201);
  const full = [409, 'too_many_snapshots', 'has 100 snapshots'] as const;
  expectError(await save('more'), ...full);
  expectError(await imports('more', { version: 1, collections: {} }), ...full);
  expect((await save('s-7')).status).toBe(200);
  expect((await save('s-7', '/sandboxes/other')).status).toBe(201);
  await call('/__admin/snapshots/s-0', { method: 'DELETE' });
  expect((await save('more')).status).toBe(201);
});

it.each(['__proto__', 'a%20b', 'x'.repeat(65)])(
  'keeps no snapshot by the hostile name %s',
  async (name) => {
    const wrong = 'The name of a snapshot must be 1 to 64 letters';
    expectError(await save(name), 400, 'invalid_parameter', wrong);
    const imported = await imports(name, { version: 1, collections: {} });
    expectError(imported, 400, 'invalid_parameter', wrong);
    expect((await call(`/__admin/snapshots/${name}`)).status).toBe(404);
    expect((await restore(name)).status).toBe(404);
  },
);

it('restores all or nothing while requests are under way', async () => {
  const a = '/sandboxes/a';
  await call('/__admin/sandboxes/a', { method: 'PUT', body: { pets: 10, rateLimits: 'observe' } });
  await clock({ action: 'freeze', instant: '2026-01-15T12:00:00Z' }, a);
  await save('empty', a);
  for (let turn = 0; turn < 25; turn++) await create(`first-${turn}`, a);
  await clock({ action: 'freeze', instant: '2027-01-15T12:00:00Z' }, a);
  await save('full', a);
  let restoring = true;
  const restoreInTurn = async () => {
    for (let turn = 0; turn < 24; turn++) {
      const [name, year, min] =
        turn % 2 === 0 ? (['empty', '2026', 10] as const) : (['full', '2027', 35] as const);
      await restore(name, a);
      const { json } = await save('look', a);
      const { clock: stood, keys } = JSON.parse(await exported('look', a));
      expect(stood.frozenAt.slice(0, 4)).toBe(year);
      expect(json.items.pets).toBeGreaterThanOrEqual(min);
      const years: string[] = keys.flatMap(({ minutes }: { minutes: { from: string }[] }) =>
        minutes.map(({ from }) => from.slice(0, 4)),
      );
      expect(years.includes('2027') && name === 'empty').toBe(false);
      expect(years.includes('2026') || name === 'empty').toBe(true);
    }
    restoring = false;
  };
  const write = async () => {
    for (let turn = 0; restoring; turn++) {
      const { status, json } = await create(`w-${turn}`, a);
      expect([status, json.id >= 11]).toEqual([201, true]);
      const list = (await call(`${a}/v1/pets?limit=100`)).json as { id: number; name: string }[];
      const ids = Array.from({ length: list.length }, (_, index) => index + 1);
      expect(list.map(({ id }) => id)).toEqual(ids);
      const firsts = list.filter(({ name }) => name.startsWith('first-')).length;
      expect([0, 25]).toContain(firsts);
    }
  };
  await Promise.all([restoreInTurn(), write(), write(), write()]);
});
