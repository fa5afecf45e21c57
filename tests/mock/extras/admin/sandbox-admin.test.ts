import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createSend } from '../../../support/create-send.ts';
import { expectAnswer, expectError } from '../../../support/expect-answer.ts';
import { bearer, openTestTwin, startTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await twin.app.sandboxes.deleteAll();
  twin.lines.length = 0;
});

const json = { ...bearer('demo-free'), 'Content-Type': 'application/json' };

const send = createSend('', bearer('demo-free'));
const call = (url: string, method = 'GET', body?: unknown) => send(method, url, body);
const put = (name: string, options?: unknown) =>
  call(`${twin.origin}/__admin/sandboxes/${name}`, 'PUT', options);
const createPet = (base: string, name = 'x') =>
  call(`${base}/pets`, 'POST', { name, categoryId: 1 });

it('makes a sandbox by name, with settings of its own', async () => {
  const plans = { free: { perMinute: 2, perDay: 9 } };
  const options = { seed: 7, items: 3, rateLimits: 'enforce' };
  expectAnswer(await put('a', { ...options, plans }), 201, {
    ...{ name: 'a', items: { pets: 3 }, snapshots: 0 },
    settings: { ...options, plans: { ...plans, pro: { perMinute: 300 } } },
  });
  const api = `${twin.origin}/sandboxes/a/v1`;
  expect((await createPet(api)).json).toMatchObject({ id: 4 });
  expect((await call(`${api}/pets`)).headers.get('x-ratelimit-limit')).toBe('2');
  expectAnswer(await call(`${api}/pets`), 429, { code: 'rate_limit_exceeded' });
  expect((await call(`${twin.api}/pets?limit=100`)).json).toHaveLength(100);

  const other = { settings: { seed: 1, items: 20 }, items: { pets: 20 } };
  expectAnswer(await put('a', { pets: 20 }), 200, other);
  const own = await call(`${api}/pets?limit=100`);
  expect([own.json.length, own.headers.get('x-ratelimit-limit')]).toEqual([20, '60']);
  expect(own.json).toEqual((await call(`${twin.api}/pets?limit=20`)).json);
});

it('makes the default sandbox anew, for the whole twin and what holds it', async () => {
  await createPet(twin.api);
  twin.app.clock.freeze(0);
  expectAnswer(await put('default', { pets: 15, rateLimits: 'off' }), 200, { items: { pets: 15 } });
  expect((await call(`${twin.api}/pets?limit=100`)).json).toHaveLength(15);
  expect([await twin.app.store.count('pets'), twin.app.clock.frozen]).toEqual([15, false]);
  await createPet(twin.api);
  await twin.app.reset();
  expect(await twin.app.store.count('pets')).toBe(15);
  expect((await call(`${twin.origin}/__admin/limits`)).json.mode).toBe('off');
  expect((await call(`${twin.origin}/sandboxes/new/v1/pets?limit=100`)).json).toHaveLength(100);
  await put('default');
  expect(await twin.app.store.count('pets')).toBe(120);
});

it('lists the default sandbox first, then those that were used last, and shows one', async () => {
  const before = Date.now();
  for (const name of ['a', 'b', 'a']) await createPet(`${twin.origin}/sandboxes/${name}/v1`);
  await call(`${twin.origin}/sandboxes/b/__admin/snapshots/s`, 'PUT');
  const { sandboxes } = (await call(`${twin.origin}/__admin/sandboxes`)).json;
  expect(sandboxes).toMatchObject([
    { name: 'default', items: { pets: 120 }, snapshots: 0 },
    { name: 'b', items: { pets: 121 }, snapshots: 1 },
    { name: 'a', items: { pets: 122 }, snapshots: 0 },
  ]);
  for (const { createdAt, lastUsedAt } of sandboxes) {
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(createdAt) - 1);
    expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now() + 1);
    expect(Date.parse(createdAt)).toBeGreaterThan(before - 60_000);
  }
  expect((await call(`${twin.origin}/__admin/sandboxes/b`)).json).toEqual(sandboxes[1]);
  expect((await call(`${twin.origin}/sandboxes/a/__admin/sandboxes/b`)).json).toEqual(sandboxes[1]);
  expectAnswer(await call(`${twin.origin}/__admin/sandboxes/c`), 404, { code: 'not_found' });
  expect((await call(`${twin.origin}/__admin/sandboxes`)).json.sandboxes).toHaveLength(3);
});

it('deletes one, or all but the default one, which it refuses to delete', async () => {
  const admin = `${twin.origin}/__admin/sandboxes`;
  for (const name of ['a', 'b', 'c']) await createPet(`${twin.origin}/sandboxes/${name}/v1`);
  await createPet(twin.api);
  expect(await call(`${admin}/a`, 'DELETE')).toMatchObject({ status: 204, text: '' });
  expectError(await call(`${admin}/a`, 'DELETE'), 404, 'not_found');
  const refused = await call(`${admin}/default`, 'DELETE');
  expectError(refused, 409, 'default_sandbox', 'POST /__admin/reset');
  expect((await call(admin, 'DELETE')).status).toBe(204);
  const { sandboxes } = (await call(admin)).json;
  expect(sandboxes).toMatchObject([{ name: 'default', items: { pets: 121 } }]);
  expect((await createPet(`${twin.origin}/sandboxes/a/v1`)).json).toMatchObject({ id: 121 });
});

const gold = { gold: { perMinute: 1, perDay: 1 } };

it.each(
  Object.entries<unknown>({
    '"color" is unknown. Known are seed, items, pets, plans, ban, rateLimits.': { color: 1 },
    '"plans/gold" is not a plan of this mock. Plans are free,': { plans: gold },
    'It must be an object': [],
  }),
)('refuses options and leaves the sandbox as it is: %s', async (message, options) => {
  await createPet(`${twin.origin}/sandboxes/a/v1`);
  expectError(await put('a', options), 400, 'invalid_body', message);
  expect((await call(`${twin.origin}/__admin/sandboxes/a`)).json.items).toEqual({ pets: 121 });
  expectAnswer(await put('default', options), 400);
});

it.each(['..%2e', '__proto__', '%00', 'x'.repeat(65)])(
  'makes no sandbox by the hostile name %s',
  async (name) => {
    for (const refused of [await put(name), await call(`${twin.origin}/sandboxes/${name}/v1/pets`)])
      expectError(refused, 400, 'invalid_sandbox', '1 to 64 letters, digits and ._-');
    for (const method of ['GET', 'DELETE'])
      expectAnswer(await call(`${twin.origin}/__admin/sandboxes/${name}`, method), 404);
    expect((await call(`${twin.origin}/__admin/sandboxes`)).json.sandboxes).toHaveLength(1);
  },
);

it('answers a path that cannot be decoded with 400', async () => {
  for (const path of ['sandboxes/%zz', 'sandboxes/%C3', 'snapshots/%E0%A4'])
    expectAnswer(await call(`${twin.origin}/__admin/${path}`), 400, { code: 'malformed_request' });
  expect(twin.lines.filter((line) => line.includes('failed'))).toEqual([]);
});

it('closes the sandbox whose use is longest ago, but none with a request under way, and says so', async () => {
  const twin = await startTwin({ maxSandboxes: 2 });
  const body = '{"name":"slow","categoryId":1}';
  const url = `${twin.origin}/sandboxes/slow/v1/pets`;
  const headers = { ...json, 'Content-Length': body.length };
  const slow = request(url, { method: 'POST', headers });
  slow.write(body.slice(0, 10));
  while ((await call(`${twin.origin}/__admin/sandboxes`)).json.sandboxes.length < 2);
  for (const name of ['a', 'b', 'c']) await createPet(`${twin.origin}/sandboxes/${name}/v1`);
  slow.end(body.slice(10));
  const [response] = await once(slow, 'response');
  response.resume();
  expect(response.statusCode).toBe(201);
  expect((await call(`${url}/121`)).json).toMatchObject({ name: 'slow' });
  const why = 'there are 2 others (--max-sandboxes), and it was the least recently used.\n';
  expect(twin.lines.filter((line) => line.startsWith('Sandbox'))).toEqual(
    ['a', 'b'].map((name) => `Sandbox "${name}" was closed: ${why}`),
  );
});
