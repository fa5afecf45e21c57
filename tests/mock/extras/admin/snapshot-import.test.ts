import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { openTestTwin, projectFile, startTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
const { call, save, restore, exported, imports, create, clock } = createSnapshotClient(twin);
afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await twin.app.sandboxes.deleteAll();
});

it('exports what a person can read, integers to the digit, keys by name alone', async () => {
  const own = await startTwin({ keys: projectFile('tests/support/secret-keys.json') });
  const at = own.origin;
  const get = (path: string, options = {}) => call(path, { key: 's3cret-1', ...options }, at);
  const freeze = { action: 'freeze', instant: '2026-01-15T12:00:30.5Z' };
  await get('/__admin/clock', { method: 'PUT', body: freeze });
  await get('/v1/pets', { method: 'POST', body: '{"name":"é","categoryId":9007199254740993}' });
  for (const key of ['s3cret-1', 's3cret-1', 's3cret-2']) await get('/v1/pets', { key });
  await get('/__admin/snapshots/s', { method: 'PUT' });
  const { text, json } = await get('/__admin/snapshots/s');
  expect(text).not.toContain('s3cret');
  expect(text).toContain('\n        {"id":121,"name":"é","categoryId":9007199254740993}\n');
  const ninth = '"name":"Longtail","categoryId":9223372036854775807,"status":"available"';
  expect(text).toContain(`\n        {"id":9,${ninth}},\n`);
  const { collections, createdAt, ...fields } = json;
  const plans = { free: { perMinute: 60, perDay: 1000 } };
  const settings = { seed: 1, items: 120, rateLimits: 'enforce', plans, ban: { strikes: 10 } };
  const clock = { frozenAt: '2026-01-15T12:00:30.500Z' };
  expect(fields).toMatchObject({ version: 1, name: 's', settings, clock });
  const used = (name: string, calls: number, strikes: string[]) => {
    const minutes = [{ from: '2026-01-15T12:00:00.000Z', calls }];
    const days = [{ from: '2026-01-15T00:00:00.000Z', calls }];
    return { name, minutes, days, strikes, ban: null };
  };
  const keys = [used('first', 2, ['2026-01-15T12:00:30.500Z']), used('key-2', 1, [])];
  expect(fields.keys).toEqual(keys);
  expect(Object.keys(collections)).toEqual(['pets']);
  expect([collections.pets.next, collections.pets.items.length]).toEqual([122, 121]);
});

it('imports what it exported, to another sandbox and another twin', async () => {
  const plans = { free: { perMinute: 2, perDay: 50 } };
  const ban = { strikes: 2, withinSeconds: 60, seconds: 5, maxSeconds: 50 };
  const options = { seed: 7, pets: 30, plans, ban };
  await call('/__admin/sandboxes/a', { method: 'PUT', body: options });
  const a = '/sandboxes/a';
  await clock({ action: 'freeze', instant: '2026-01-15T12:00:00Z' }, a);
  await create('nine', a);
  for (let turn = 0; turn < 5; turn++) await call(`${a}/v1/pets`, { key: 'demo-free' });
  await call(`${a}/__admin/limits/demo-pro`, { method: 'POST', body: { plan: 'business' } });
  await save('s', a);
  const text = await exported('s', a);
  const other = await startTwin({ seed: 3, pets: 5 });
  const renamed = text.replace('"name": "s"', '"name": "t"');
  for (const [origin, prefix] of [
    [twin.origin, '/sandboxes/b'],
    [other.origin, ''],
  ] as const) {
    const at = (path: string, options = {}) => call(prefix + path, options, origin);
    const path = '/__admin/snapshots/t';
    const imported = await at(path, { method: 'PUT', body: text });
    expectAnswer(imported, 201, { name: 't', items: { pets: 31 } });
    expect((await at(path)).text).toBe(renamed);
    await at(`${path}/restore`, { method: 'POST' });
    await at(path, { method: 'PUT' });
    expect(withoutTimes((await at(path)).text)).toBe(withoutTimes(renamed));
    expect((await at('/v1/pets', { key: 'demo-free' })).json.code).toBe('key_banned');
    expect((await at('/__admin/limits/demo-pro')).json.plan).toBe('business');
    await at('/__admin/reset', { method: 'POST' });
    expect((await at('/v1/pets?limit=100')).json).toHaveLength(30);
  }
});

function withoutTimes(text: string): string {
  return text.replace(/"createdAt": "[^"]+"/, '');
}

it('imports and exports the collections of another document', async () => {
  const shelters = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const at = (method: string, path: string, body?: unknown) =>
    call(`/__admin/snapshots/${path}`, { method, body }, shelters.origin);
  await at('PUT', 's');
  const { text, json } = await at('GET', 's');
  expect(json.collections.shelters.items).toHaveLength(5);
  expect((await at('PUT', 't', text)).status).toBe(201);
  await at('POST', 't/restore');
  await at('PUT', 't');
  const renamed = text.replace('"name": "s"', '"name": "t"');
  expect(withoutTimes((await at('GET', 't')).text)).toBe(withoutTimes(renamed));
  json.collections.shelters.next = 4;
  const wrong = '"collections/shelters/next" must be a whole number from 6 to';
  expect((await at('PUT', 't', json)).json.message).toContain(wrong);
});

it('takes what a snapshot leaves out from a sandbox that has just begun', async () => {
  await create('x');
  await clock({ action: 'advance', durationMillis: 86_400_000 });
  const far = '{"id":9223372036854775807,"name":"Far","categoryId":1e2}';
  const near = '{"id":2,"name":"Near","categoryId":1,"status":"sold"}';
  const items = `[${far},${near.replace('}', ',"age":7}')}]`;
  const body = `{"version":1,"collections":{"pets":{"next":3,"items":${items}}}}`;
  expect((await imports('s', body)).json.items.pets).toBe(2);
  await restore('s');
  expect((await call('/v1/pets')).text).toBe(`[${far.replace('1e2', '100')},${near}]`);
  expect((await call('/v1/pets/9223372036854775807')).status).toBe(200);
  expect((await call('/v1/pets?status=sold')).json).toHaveLength(1);
  expect((await create('next')).json.id).toBe(3);
  expect(Math.abs(twin.app.clock.now() - Date.now())).toBeLessThan(60_000);
  await imports('seeds', { version: 1, settings: { seed: 7, pets: 13 }, collections: {} });
  await restore('seeds');
  expect(await twin.app.store.count('pets')).toBe(13);
});

describe('refuses a snapshot with', () => {
  const pet = (fields: object = {}) => ({ id: 1, name: 'x', categoryId: 1, ...fields });
  const pets = (...items: unknown[]) => ({ collections: { pets: { next: 100, items } } });
  const key = (fields: object) => ({ keys: [{ name: 'demo-free', ...fields }] });
  const plans = { gold: { perMinute: 1, perDay: 1 } };
  const none = { next: 1, items: [] };
  const most = 100_000_000_000_000;
  const known = 'demo-free, demo-free-2, demo-pro, demo-business, demo-enterprise';

  it.each(
    Object.entries({
      '"version" is required.': { version: undefined },
      '"version" must be 1, but is 2.': { version: 2 },
      '"colour" is unknown. Known are version, name,': { colour: 1 },
      '"collections/toys" is no collection of the document.': { collections: { toys: none } },
      '"collections/__proto__" is no collection': {
        collections: JSON.parse('{"__proto__":{"next":1,"items":[]}}'),
      },
      [`"collections/pets/next" must be at most ${most}, but is ${most + 1}.`]: {
        collections: { pets: { next: most + 1, items: [] } },
      },
      '"collections/pets/items/0/id" is required.': pets(pet({ id: undefined })),
      '"collections/pets/items/0/status" must be one of': pets(pet({ status: 'lost' })),
      '"collections/pets/items/2/id" is 1, as is that of item 0; ids must differ.': pets(
        ...[pet(), pet({ id: 2 }), pet()],
      ),
      [`"collections/pets/next" must be a whole number from 101 to ${most}, but is 100.`]: pets(
        ...[pet(), pet({ id: 100 })],
      ),
      '"settings": "pets" must be a whole number from 0 to 100000': { settings: { pets: 100_001 } },
      '"plans/gold" is not a plan of this mock.': { settings: { plans } },
      [`"keys/0/name" must be one of ${known}, but is "who".`]: key({ name: 'who' }),
      '"keys/0/ban/until" must be a date': key({
        ban: { until: '1969-01-01T00:00:00Z', seconds: 1 },
      }),
      '"clock/frozenAt" must be a date': { clock: { frozenAt: 'noon' } },
      '"clock/offsetMillis" must leave the clock': { clock: { offsetMillis: 9e15 } },
    }),
  )('what makes it say %s, and changes nothing', async (message, fields) => {
    await save('s');
    await create('x');
    const before = await exported('s');
    const snapshot = { version: 1, ...pets(pet()), ...fields };
    expectError(await imports('s', snapshot), 400, 'invalid_body', message);
    expect(await exported('s')).toBe(before);
    expect((await imports('new', snapshot)).status).toBe(400);
    expect((await call('/__admin/snapshots')).json.snapshots).toHaveLength(1);
    expect(await twin.app.store.count('pets')).toBe(121);
  });

  it('ids that differ by less than a double can tell, as different ones', async () => {
    const ids = ['9007199254740993', '9007199254740992'];
    const items = ids.map((id) => `{"id":${id},"name":"x","categoryId":1}`);
    const snapshot = `{"version":1,"collections":{"pets":{"next":1,"items":[${items}]}}}`;
    expectAnswer(await imports('s', snapshot), 201);
    await restore('s');
    for (const id of ids) expect((await call(`/v1/pets/${id}`)).text).toContain(`"id":${id},`);
  });
});

it('refuses a snapshot of more than 64 MiB, and any other body of more than 1 MiB', async () => {
  const padded = (size: number) => `{"version":1,"collections":{}${' '.repeat(size)}}`;
  expectError(await imports('s', padded(64 * 1024 * 1024)), 413, 'payload_too_large');
  expectAnswer(await imports('s', padded(2 * 1024 * 1024)), 201);
  const body = `{${' '.repeat(2 * 1024 * 1024)}}`;
  const put = await call('/__admin/sandboxes/a', { method: 'PUT', body });
  expectError(put, 413, 'payload_too_large');
});

it('takes integers that a double cannot hold in what is no item as doubles', async () => {
  const task = { id: 'task-1', name: 'behaviour:x', args: { n: 1 }, due: '2030-01-01T00:00:00Z' };
  const body = JSON.stringify({ version: 1, collections: {}, tasks: [task] });
  const large = body.replace('"n":1', '"n":9007199254740993');
  const put = { method: 'PUT', body: large };
  expect((await call('/__admin/snapshots/large', put)).status).toBe(201);
});
