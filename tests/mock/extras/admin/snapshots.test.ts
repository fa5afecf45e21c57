import { afterAll, beforeEach, expect, it } from 'vitest';
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
  for (const path of ['a', 'a/restore', 'never'])
    for (const method of path.includes('/') ? ['POST'] : ['GET', 'DELETE'])
      expect(await call(`/__admin/snapshots/${path}`, { method })).toMatchObject({
        status: 404,
        json: { code: 'not_found' },
      });
  await call('/__admin/reset', { method: 'POST' });
  expect((await restore('b')).status).toBe(200);
  expect(await twin.app.store.count('pets')).toBe(122);
});

it('keeps 100 snapshots in a sandbox, and replaces one even then', async () => {
  for (let index = 0; index < 100; index++) expect((await save(`s-${index}`)).status).toBe(201);
  const full = {
    status: 409,
    json: { code: 'too_many_snapshots', message: expect.stringContaining('has 100 snapshots') },
  };
  expect(await save('more')).toMatchObject(full);
  expect(await imports('more', { version: 1, collections: {} })).toMatchObject(full);
  expect((await save('s-7')).status).toBe(200);
  expect((await save('s-7', '/sandboxes/other')).status).toBe(201);
  await call('/__admin/snapshots/s-0', { method: 'DELETE' });
  expect((await save('more')).status).toBe(201);
});

it.each(['__proto__', 'a%20b', 'x'.repeat(65)])(
  'keeps no snapshot by the hostile name %s',
  async (name) => {
    const wrong = {
      status: 400,
      json: {
        code: 'invalid_parameter',
        message: expect.stringContaining('The name of a snapshot must be 1 to 64 letters'),
      },
    };
    expect(await save(name)).toMatchObject(wrong);
    expect(await imports(name, { version: 1, collections: {} })).toMatchObject(wrong);
    expect([
      (await call(`/__admin/snapshots/${name}`)).status,
      (await restore(name)).status,
    ]).toEqual([404, 404]);
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
      expect(list.map(({ id }) => id)).toEqual(
        Array.from({ length: list.length }, (_, index) => index + 1),
      );
      const firsts = list.filter(({ name }) => name.startsWith('first-')).length;
      expect([0, 25]).toContain(firsts);
    }
  };
  await Promise.all([restoreInTurn(), write(), write(), write()]);
});
