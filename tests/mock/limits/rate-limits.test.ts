import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { bearer, startTwin, type TestTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const noon = Date.UTC(2026, 0, 15, 12);

type Settings = Parameters<typeof startTwin>[0];

/** A twin whose clock stands at noon. */
async function startAtNoon(settings: Settings = {}) {
  const twin = await startTwin(settings);
  twin.app.clock.freeze(noon);
  const get = (path: string, { key = 'demo-free', ...init }: RequestInit & { key?: string } = {}) =>
    fetch(twin.api + path, { headers: key ? bearer(key) : {}, ...init });
  const statuses = (length: number, key = 'demo-free') =>
    Promise.all(Array.from({ length }, async () => (await get('/pets?limit=1', { key })).status));
  return { twin, get, statuses, limits: () => limitsOf(twin) };
}

type Limits = {
  name: string;
  strikes: number;
  ban: { until: number } | null;
  minute: { used: number };
  day: { used: number };
};

async function limitsOf(twin: TestTwin): Promise<Limits[]> {
  return (await adminOf(twin).ask('limits')).keys;
}

function figures({ headers }: Response) {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    number(`X-RateLimit-${name}`),
  );
  return { limit, remaining, reset, wait: number('Retry-After') };
}

it.each([
  ['demo-free', 60],
  ['demo-free-2', 60],
  ['demo-pro', 300],
  ['demo-business', 1000],
  ['demo-enterprise', 10_000],
])('gives %s %i calls a minute', async (key, perMinute) => {
  const { get } = await startAtNoon();
  const figure = { limit: perMinute, remaining: perMinute - 1, reset: noon / 1000 + 60 };
  expect(figures(await get('/pets', { key }))).toEqual({ ...figure, wait: Number.NaN });
});

it('refuses with an Error that no cache keeps, and a wait that ends with the window', async () => {
  const { twin, get, statuses } = await startAtNoon();
  await statuses(60);
  const passedAndWait = { 0: 60, 1: 60, 999: 60, 1000: 59, 59000: 1, 59001: 1, 59999: 1 };
  for (const [passed, wait] of Object.entries(passedAndWait)) {
    twin.app.clock.freeze(noon + Number(passed));
    const response = await get('/pets');
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([429, 'no-store']);
    expect(figures(response)).toMatchObject({ reset: noon / 1000 + 60, wait });
    const message = `The free plan allows 60 requests a minute. Retry in ${wait} s.`;
    const body = { code: 'rate_limit_exceeded', message, status: 429 };
    expect(await response.json()).toStrictEqual(body);
  }
  twin.app.clock.freeze(noon + 60_000);
  expect((await get('/pets')).status).toBe(200);
});

it('bans with the tenth refusal and answers with a code of its own', async () => {
  const { twin, get, statuses, limits } = await startAtNoon();
  await statuses(69);
  expect((await limits())[0]).toMatchObject({ name: 'demo-free', strikes: 9, ban: null });
  twin.app.clock.freeze(noon + 30_500);
  const response = await get('/pets');
  const reset = noon / 1000 + 331;
  expect(figures(response)).toEqual({ limit: 60, remaining: 0, reset, wait: 300 });
  const message = 'This key kept calling after it was refused and is banned. Retry in 300 s.';
  expect(await response.json()).toStrictEqual({ code: 'key_banned', message, status: 429 });
  expect((await limits())[0]).toMatchObject({ strikes: 0, ban: { until: reset, seconds: 300 } });
  twin.app.clock.advance(299_999);
  expect(figures(await get('/pets')).wait).toBe(1);
  twin.app.clock.advance(1);
  expect((await get('/pets')).status).toBe(200);
});

it('counts every call of a key, whatever its answer', async () => {
  const { get, limits } = await startAtNoon();
  const calls: [string, RequestInit?][] = [
    ['/pets'],
    ['/pets', { method: 'HEAD' }],
    ['/pets?limit=0'],
    ['/pets/1'],
    ['/pets/999999'],
    ['/nowhere'],
    ['/pets', { method: 'DELETE' }],
    ['/pets', { method: 'POST' }],
    ['/pets', { method: 'POST', body: 'x' }],
  ];
  const answers: number[] = [];
  for (const [path, init] of calls) answers.push((await get(path, init)).status);
  expect(answers).toEqual([200, 200, 400, 200, 404, 404, 405, 400, 415]);
  expect((await limits())[0]).toMatchObject({ minute: { used: 9 }, day: { used: 9 } });
});

it('counts no call without a key, no OPTIONS and none of the admin', async () => {
  const { twin, get, limits } = await startAtNoon();
  for (const key of ['', 'nobody'])
    for (const path of ['/pets', '/pets/1', '/nowhere']) {
      const response = await get(path, { key });
      expect(response.status).toBe(401);
      const full = { limit: 60, remaining: 60, reset: noon / 1000 + 60 };
      expect(figures(response)).toMatchObject(full);
    }
  for (const path of ['/pets', '/pets/1', '/nowhere'])
    expect((await get(path, { method: 'OPTIONS' })).status).toBe(204);
  for (const path of ['health', 'limits', 'clock', 'nowhere'])
    await fetch(`${twin.origin}/__admin/${path}`, { headers: bearer('demo-free') });
  for (const key of await limits())
    expect(key).toMatchObject({ minute: { used: 0 }, day: { used: 0 }, strikes: 0 });
});

it('holds plans and keys from files, a key with limits of its own, and bans that are off', async () => {
  const plans = await writeJson({ plans: { tiny: { perMinute: 3, perDay: 5 } }, ban: false });
  const keys = await writeJson({
    keys: [
      { key: 'one', plan: 'tiny' },
      { key: 'two', plan: 'tiny', perMinute: 4, name: 'own' },
      { key: 'three', plan: 'pro', perDay: 2 },
    ],
  });
  const { get, statuses, limits } = await startAtNoon({ plans, keys });
  const allowed = async (key: string) =>
    (await statuses(30, key)).filter((status) => status === 200).length;
  expect([await allowed('one'), await allowed('two'), await allowed('three')]).toEqual([3, 4, 2]);
  const reset = noon / 1000 + 43_200;
  const used = { limit: 2, remaining: 0, reset, wait: 43_200 };
  expect(figures(await get('/pets', { key: 'three' }))).toEqual(used);
  expect((await get('/pets', { key: 'demo-free' })).status).toBe(401);
  const names = ['key-1', 'own', 'key-3'];
  expect(await limits()).toMatchObject(names.map((name) => ({ name, ban: null })));
});
