import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { bearer, openTestTwin, startTwin, type TestTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
afterAll(() => twin.close());
beforeEach(async () => {
  await twin.app.sandboxes.put('default');
  await twin.app.sandboxes.deleteAll();
  twin.lines.length = 0;
});

const json = { ...bearer('demo-free'), 'Content-Type': 'application/json' };

async function call(url: string, init: RequestInit & { body?: string } = {}) {
  const response = await fetch(url, { ...init, headers: { ...json, ...init.headers } });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

function put(name: string, options?: unknown, { origin }: Pick<TestTwin, 'origin'> = twin) {
  return call(`${origin}/__admin/sandboxes/${name}`, {
    method: 'PUT',
    ...(options !== undefined && { body: JSON.stringify(options) }),
  });
}

function createPet(base: string, name = 'x') {
  return call(`${base}/pets`, { method: 'POST', body: JSON.stringify({ name, categoryId: 1 }) });
}

it('makes a sandbox by name, with settings of its own', async () => {
  const made = await put('a', {
    seed: 7,
    items: 3,
    plans: { free: { perMinute: 2, perDay: 9 } },
    rateLimits: 'enforce',
  });
  expectAnswer(made, 201, {
    name: 'a',
    settings: {
      seed: 7,
      items: 3,
      rateLimits: 'enforce',
      plans: { free: { perMinute: 2, perDay: 9 }, pro: { perMinute: 300 } },
    },
    items: { pets: 3 },
    snapshots: 0,
  });
  const api = `${twin.origin}/sandboxes/a/v1`;
  expect((await createPet(api)).json).toMatchObject({ id: 4 });
  expect((await call(`${api}/pets`)).headers.get('x-ratelimit-limit')).toBe('2');
  expectAnswer(await call(`${api}/pets`), 429, { code: 'rate_limit_exceeded' });
  expect((await call(`${twin.api}/pets?limit=100`)).json).toHaveLength(100);

  expectAnswer(await put('a', { pets: 20 }), 200, {
    settings: { seed: 1, items: 20 },
    items: { pets: 20 },
  });
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
  await call(`${twin.origin}/sandboxes/b/__admin/snapshots/s`, { method: 'PUT' });
  const { sandboxes } = (await call(`${twin.origin}/__admin/sandboxes`)).json;
  expect(
    sandboxes.map(
      ({ name, items, snapshots }: { name: string; items: object; snapshots: number }) => [
        name,
        items,
        snapshots,
      ],
    ),
  ).toEqual([
    ['default', { pets: 120 }, 0],
    ['b', { pets: 121 }, 1],
    ['a', { pets: 122 }, 0],
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
  expectAnswer(await call(`${admin}/a`, { method: 'DELETE' }), 204, undefined);
  expectAnswer(await call(`${admin}/a`, { method: 'DELETE' }), 404, { code: 'not_found' });
  expectAnswer(await call(`${admin}/default`, { method: 'DELETE' }), 409, {
    code: 'default_sandbox',
    message: expect.stringContaining('POST /__admin/reset'),
  });
  expect((await call(admin, { method: 'DELETE' })).status).toBe(204);
  const { sandboxes } = (await call(admin)).json;
  expect(sandboxes).toMatchObject([{ name: 'default', items: { pets: 121 } }]);
  expect((await createPet(`${twin.origin}/sandboxes/a/v1`)).json).toMatchObject({ id: 121 });
});

it.each<[string, unknown, RegExp]>([
  [
    'an unknown setting',
    { color: 1 },
    /"color" is unknown\. Known are seed, items, pets, plans, ban, rateLimits\./,
  ],
  [
    'a plan that the twin does not have',
    { plans: { gold: { perMinute: 1, perDay: 1 } } },
    /"plans\/gold" is not a plan of this mock\. Plans are free,/,
  ],
  ['a list', [], /It must be an object/],
])('refuses %s and leaves the sandbox as it is', async (_, options, message) => {
  await createPet(`${twin.origin}/sandboxes/a/v1`);
  expectAnswer(await put('a', options), 400, {
    code: 'invalid_body',
    message: expect.stringMatching(message),
  });
  expect((await call(`${twin.origin}/__admin/sandboxes/a`)).json.items).toEqual({ pets: 121 });
  expectAnswer(await put('default', options), 400);
});

const wrong = {
  status: 400,
  json: {
    code: 'invalid_sandbox',
    message: expect.stringContaining('1 to 64 letters, digits and ._-'),
  },
};

it.each(['..%2e', '__proto__', '%00', 'x'.repeat(65)])(
  'makes no sandbox by the hostile name %s',
  async (name) => {
    expect(await put(name)).toMatchObject(wrong);
    expect(await call(`${twin.origin}/sandboxes/${name}/v1/pets`)).toMatchObject(wrong);
    for (const method of ['GET', 'DELETE'])
      expectAnswer(await call(`${twin.origin}/__admin/sandboxes/${name}`, { method }), 404);
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
  const slow = request(url, {
    method: 'POST',
    headers: { ...json, 'Content-Length': body.length },
  });
  slow.write(body.slice(0, 10));
  while ((await call(`${twin.origin}/__admin/sandboxes`)).json.sandboxes.length < 2);
  for (const name of ['a', 'b', 'c']) await createPet(`${twin.origin}/sandboxes/${name}/v1`);
  slow.end(body.slice(10));
  const [response] = await once(slow, 'response');
  response.resume();
  expect(response.statusCode).toBe(201);
  expect((await call(`${url}/121`)).json).toMatchObject({ name: 'slow' });
  expect(twin.lines.filter((line) => line.startsWith('Sandbox'))).toEqual(
    ['a', 'b'].map(
      (name) =>
        `Sandbox "${name}" was closed: there are 2 others (--max-sandboxes), and it was the least recently used.\n`,
    ),
  );
});
