import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAnswer } from '../../../support/expect-answer.ts';
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
  await get('/__admin/clock', {
    method: 'PUT',
    body: { action: 'freeze', instant: '2026-01-15T12:00:30.5Z' },
  });
  await get('/v1/pets', { method: 'POST', body: '{"name":"é","categoryId":9007199254740993}' });
  await get('/v1/pets');
  await get('/v1/pets');
  await get('/v1/pets', { key: 's3cret-2' });
  await get('/__admin/snapshots/s', { method: 'PUT' });
  const { text, json } = await get('/__admin/snapshots/s');
  expect(text).not.toContain('s3cret');
  expect(text).toContain('\n        {"id":121,"name":"é","categoryId":9007199254740993}\n');
  expect(text).toContain(
    '\n        {"id":9,"name":"Longtail","categoryId":9223372036854775807,"status":"available"},\n',
  );
  const { collections, createdAt, ...fields } = json;
  expect(fields).toMatchObject({
    version: 1,
    name: 's',
    settings: {
      seed: 1,
      items: 120,
      rateLimits: 'enforce',
      plans: { free: { perMinute: 60, perDay: 1000 } },
      ban: { strikes: 10 },
    },
    clock: { frozenAt: '2026-01-15T12:00:30.500Z' },
  });
  expect(fields.keys).toEqual([
    {
      name: 'first',
      minutes: [{ from: '2026-01-15T12:00:00.000Z', calls: 2 }],
      days: [{ from: '2026-01-15T00:00:00.000Z', calls: 2 }],
      strikes: ['2026-01-15T12:00:30.500Z'],
      ban: null,
    },
    {
      name: 'key-2',
      minutes: [{ from: '2026-01-15T12:00:00.000Z', calls: 1 }],
      days: [{ from: '2026-01-15T00:00:00.000Z', calls: 1 }],
      strikes: [],
      ban: null,
    },
  ]);
  expect([Object.keys(collections), collections.pets.next, collections.pets.items.length]).toEqual([
    ['pets'],
    122,
    121,
  ]);
});

it('imports what it exported, to another sandbox and another twin', async () => {
  await call('/__admin/sandboxes/a', {
    method: 'PUT',
    body: {
      seed: 7,
      pets: 30,
      plans: { free: { perMinute: 2, perDay: 50 } },
      ban: { strikes: 2, withinSeconds: 60, seconds: 5, maxSeconds: 50 },
    },
  });
  const a = '/sandboxes/a';
  await clock({ action: 'freeze', instant: '2026-01-15T12:00:00Z' }, a);
  await create('nine', a);
  for (let turn = 0; turn < 5; turn++) await call(`${a}/v1/pets`, { key: 'demo-free' });
  await call(`${a}/__admin/limits/demo-pro`, { method: 'POST', body: { plan: 'business' } });
  await save('s', a);
  const text = await exported('s', a);
  const other = await startTwin({ seed: 3, pets: 5 });
  for (const [origin, prefix] of [
    [twin.origin, '/sandboxes/b'],
    [other.origin, ''],
  ] as const) {
    const path = `${prefix}/__admin/snapshots/t`;
    expectAnswer(await call(path, { method: 'PUT', body: text }, origin), 201, {
      name: 't',
      items: { pets: 31 },
    });
    expect((await call(path, {}, origin)).text).toBe(text.replace('"name": "s"', '"name": "t"'));
    await call(`${path}/restore`, { method: 'POST' }, origin);
    await call(path, { method: 'PUT' }, origin);
    expect(withoutTimes((await call(path, {}, origin)).text)).toBe(
      withoutTimes(text.replace('"name": "s"', '"name": "t"')),
    );
    expect((await call(`${prefix}/v1/pets`, { key: 'demo-free' }, origin)).json.code).toBe(
      'key_banned',
    );
    expect((await call(`${prefix}/__admin/limits/demo-pro`, {}, origin)).json.plan).toBe(
      'business',
    );
    await call(`${prefix}/__admin/reset`, { method: 'POST' }, origin);
    expect((await call(`${prefix}/v1/pets?limit=100`, {}, origin)).json).toHaveLength(30);
  }
});

function withoutTimes(text: string): string {
  return text.replace(/"createdAt": "[^"]+"/, '');
}

it('imports and exports the collections of another document', async () => {
  const shelters = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const at = shelters.origin;
  await call('/__admin/snapshots/s', { method: 'PUT' }, at);
  const { text, json } = await call('/__admin/snapshots/s', {}, at);
  expect(json.collections.shelters.items).toHaveLength(5);
  expect((await call('/__admin/snapshots/t', { method: 'PUT', body: text }, at)).status).toBe(201);
  await call('/__admin/snapshots/t/restore', { method: 'POST' }, at);
  await call('/__admin/snapshots/t', { method: 'PUT' }, at);
  expect(withoutTimes((await call('/__admin/snapshots/t', {}, at)).text)).toBe(
    withoutTimes(text.replace('"name": "s"', '"name": "t"')),
  );
  json.collections.shelters.next = 4;
  expect(
    (await call('/__admin/snapshots/t', { method: 'PUT', body: json }, at)).json.message,
  ).toContain('"collections/shelters/next" must be a whole number from 6 to');
});

it('takes what a snapshot leaves out from a sandbox that has just begun', async () => {
  await create('x');
  await clock({ action: 'advance', durationMillis: 86_400_000 });
  const items = [
    { id: 9223372036854775807n, name: 'Far' },
    { id: 2, name: 'Near', status: 'sold' },
  ];
  const body = `{"version":1,"collections":{"pets":{"next":3,"items":[{"id":9223372036854775807,"name":"Far","categoryId":1e2},{"id":2,"name":"Near","categoryId":1,"status":"sold","age":7}]}}}`;
  expect(items).toHaveLength((await imports('s', body)).json.items.pets);
  await restore('s');
  expect((await call('/v1/pets')).text).toBe(
    '[{"id":9223372036854775807,"name":"Far","categoryId":100},{"id":2,"name":"Near","categoryId":1,"status":"sold"}]',
  );
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

  const wrong: Record<string, [fields: object, message: string]> = {
    'no version': [{ version: undefined }, '"version" is required.'],
    'another version': [{ version: 2 }, '"version" must be 1, but is 2.'],
    'an unknown field': [{ colour: 1 }, '"colour" is unknown. Known are version, name,'],
    'an unknown collection': [
      { collections: { toys: { next: 1, items: [] } } },
      '"collections/toys" is no collection of the document.',
    ],
    'a collection called __proto__': [
      JSON.parse('{"collections":{"__proto__":{"next":1,"items":[]}}}'),
      '"collections/__proto__" is no collection',
    ],
    'a next number that could be counted up to where numbers repeat': [
      { collections: { pets: { next: 100_000_000_000_001, items: [] } } },
      '"collections/pets/next" must be at most 100000000000000, but is 100000000000001.',
    ],
    'an item without an id': [
      pets(pet({ id: undefined })),
      '"collections/pets/items/0/id" is required.',
    ],
    'an item with a wrong value': [
      pets(pet({ status: 'lost' })),
      '"collections/pets/items/0/status" must be one of',
    ],
    'an id twice': [
      pets(pet(), pet({ id: 2 }), pet()),
      '"collections/pets/items/2/id" is 1, as is that of item 0; ids must differ.',
    ],
    'an id that would be given again': [
      pets(pet(), pet({ id: 100 })),
      '"collections/pets/next" must be a whole number from 101 to 100000000000000, but is 100.',
    ],
    'settings that are wrong': [
      { settings: { pets: 100_001 } },
      '"settings": "pets" must be a whole number from 0 to 100000',
    ],
    'an unknown plan': [
      { settings: { plans: { gold: { perMinute: 1, perDay: 1 } } } },
      '"plans/gold" is not a plan of this mock.',
    ],
    'an unknown key': [
      key({ name: 'who' }),
      '"keys/0/name" must be one of demo-free, demo-free-2, demo-pro, demo-business, demo-enterprise, but is "who".',
    ],
    'a ban until no time': [
      key({ ban: { until: '1969-01-01T00:00:00Z', seconds: 1 } }),
      '"keys/0/ban/until" must be a date',
    ],
    'a clock that is frozen at no time': [
      { clock: { frozenAt: 'noon' } },
      '"clock/frozenAt" must be a date',
    ],
    'a clock that is too far off': [
      { clock: { offsetMillis: 9e15 } },
      '"clock/offsetMillis" must leave the clock',
    ],
  };

  it.each(Object.entries(wrong))(
    '%s, names the place and changes nothing',
    async (_, [fields, message]) => {
      await save('s');
      await create('x');
      const before = await exported('s');
      const answer = await imports('s', { version: 1, ...pets(pet()), ...fields });
      expectAnswer(answer, 400, {
        code: 'invalid_body',
        message: expect.stringContaining(message),
      });
      expect(await exported('s')).toBe(before);
      expect((await imports('new', { version: 1, ...pets(pet()), ...fields })).status).toBe(400);
      expect((await call('/__admin/snapshots')).json.snapshots).toHaveLength(1);
      expect(await twin.app.store.count('pets')).toBe(121);
    },
  );

  it('ids that differ by less than a double can tell, as different ones', async () => {
    const ids = ['9007199254740993', '9007199254740992'];
    const items = ids.map((id) => `{"id":${id},"name":"x","categoryId":1}`);
    expectAnswer(
      await imports('s', `{"version":1,"collections":{"pets":{"next":1,"items":[${items}]}}}`),
      201,
    );
    await restore('s');
    for (const id of ids) expect((await call(`/v1/pets/${id}`)).text).toContain(`"id":${id},`);
  });
});

it('refuses a snapshot of more than 64 MiB, and any other body of more than 1 MiB', async () => {
  const tooLarge = { status: 413, json: { code: 'payload_too_large' } };
  const padded = (size: number) => `{"version":1,"collections":{}${' '.repeat(size)}}`;
  expect(await imports('s', padded(64 * 1024 * 1024))).toMatchObject(tooLarge);
  expect(await imports('s', padded(2 * 1024 * 1024))).toMatchObject({ status: 201 });
  expect(
    await call('/__admin/sandboxes/a', { method: 'PUT', body: `{${' '.repeat(2 * 1024 * 1024)}}` }),
  ).toMatchObject(tooLarge);
});

it('takes integers that a double cannot hold in what is no item as doubles', async () => {
  const task = { id: 'task-1', name: 'behaviour:x', args: { n: 1 }, due: '2030-01-01T00:00:00Z' };
  const body = JSON.stringify({ version: 1, collections: {}, tasks: [task] });
  const large = body.replace('"n":1', '"n":9007199254740993');
  const put = { method: 'PUT', body: large };
  expect((await call('/__admin/snapshots/large', put)).status).toBe(201);
});
