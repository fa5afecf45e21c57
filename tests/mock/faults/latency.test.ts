import { expect, it, vi } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { get } from '../../support/bad-input.ts';
import { expectAnswer, expectError } from '../../support/expect-answer.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { bearer, shareTwin, startTwin, type TestTwin } from '../../support/twin.ts';

/** So long that a test would fail if it were waited for. */
const forever = 60_000;

const shared = await shareTwin();

const settings = (twin: TestTwin, change?: unknown, prefix = '') =>
  adminOf(twin, prefix).send(change === undefined ? 'GET' : 'POST', 'settings', change);

function list(twin: TestTwin, prefer?: string, prefix = ''): Promise<Response> {
  const all = { ...bearer('demo-pro'), ...(prefer !== undefined && { Prefer: prefer }) };
  return fetch(`${twin.origin}${prefix}/v1/pets?limit=1`, { headers: all });
}

it('changes what is given, leaves the rest, and switches off with null', async () => {
  const twin = await startTwin();
  const off = { fixedDelay: null, delayDistribution: null };
  const delayDistribution = { type: 'lognormal', median: 90, sigma: 0.1 };
  expectAnswer(await settings(twin), 200, off);
  expect((await settings(twin, { fixedDelay: 500 })).json).toEqual({ ...off, fixedDelay: 500 });
  const both = { fixedDelay: 500, delayDistribution };
  expect((await settings(twin, { delayDistribution })).json).toEqual(both);
  const changed = await settings(twin, { fixedDelay: null });
  expect(changed.json).toEqual({ fixedDelay: null, delayDistribution });
  expect((await settings(twin)).json).toEqual({ fixedDelay: null, delayDistribution });
  await fetch(`${twin.origin}/__admin/reset`, { method: 'POST' });
  expect((await settings(twin)).json).toEqual(off);
});

it('keeps every answer of the API back, and no other', async () => {
  const twin = await startTwin();
  await settings(twin, { fixedDelay: 60, delayDistribution: { type: 'fixed', milliseconds: 20 } });
  const calls: [path: string, init: RequestInit, status: number][] = [
    ['/pets', { headers: bearer('demo-pro') }, 200],
    ['/pets', {}, 401],
    ['/pets', { method: 'DELETE', headers: bearer('demo-pro') }, 405],
    ['/pets', { headers: { ...bearer('demo-pro'), Prefer: 'code=500' } }, 500],
    ['/pets?limit=0', { headers: bearer('demo-pro') }, 400],
    ['/nowhere', { headers: bearer('demo-pro') }, 404],
  ];
  for (const [path, init, status] of calls) {
    const start = performance.now();
    expect((await fetch(twin.api + path, init)).status).toBe(status);
    expect(performance.now() - start, path).toBeGreaterThan(75);
  }
  await settings(twin, { fixedDelay: forever });
  expect((await fetch(`${twin.api}/pets`, { method: 'OPTIONS' })).status).toBe(204);
  expect((await fetch(`${twin.origin}/__admin/health`)).status).toBe(200);
  expect((await settings(twin, { fixedDelay: null, delayDistribution: null })).status).toBe(200);
  expect((await list(twin)).status).toBe(200);
});

it('belongs to its sandbox', async () => {
  const twin = await startTwin();
  await settings(twin, { fixedDelay: forever }, '/sandboxes/slow');
  expect((await list(twin)).status).toBe(200);
  const own = await settings(twin, undefined, '/sandboxes/slow');
  expect(own.json).toMatchObject({ fixedDelay: forever });
  expect((await list(twin, 'delay=0', '/sandboxes/slow')).status).toBe(200);
});

it('puts the delay of a request before that of a fault, and that one before the one of all answers', async () => {
  const twin = await startTwin();
  await settings(twin, { fixedDelay: forever });
  const response = await list(twin, 'delay=0');
  expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, 'delay=0']);
  const addFault = (milliseconds: number) =>
    adminOf(twin).send('PUT', 'faults/only', { delay: { type: 'fixed', milliseconds } });
  await addFault(0);
  expect((await list(twin)).status).toBe(200);
  await addFault(forever);
  expect((await list(twin, 'delay=1')).status).toBe(200);
});

it('waits as long as a request asks for, on any answer', async () => {
  const twin = await startTwin();
  for (const [prefer, status] of [
    ['delay=60', 200],
    ['code=404, delay=60', 404],
  ] as const) {
    const start = performance.now();
    expect((await list(twin, prefer)).status).toBe(status);
    expect(performance.now() - start).toBeGreaterThan(55);
  }
});

it('does not keep a twin from stopping', async () => {
  const twin = await startTwin({ timeouts: { stop: 100 } });
  const waiting = sendRaw(twin.origin, get('/v1/pets', { Prefer: `delay=${forever}` }));
  await vi.waitFor(async () => {
    const { keys } = await adminOf(twin).ask('limits');
    expect(keys.map(({ day }: { day: { used: number } }) => day.used)).toContain(1);
  });
  await twin.close();
  expect((await waiting).answers).toEqual([]);
});

const noShape = '"delayDistribution": A lognormal delay has "median" and "sigma"';

it.each(
  Object.entries({
    '{}': 'It must have at least 1 of fixedDelay, delayDistribution.',
    '[]': 'It must be an object, but is an array.',
    '{"proxyPassThrough":true}':
      '"proxyPassThrough" is unknown. Known are fixedDelay, delayDistribution.',
    '{"fixedDelay":-1}': '"fixedDelay" must be at least 0, but is -1.',
    '{"fixedDelay":1.5}': '"fixedDelay" must be an integer or null, but is 1.5.',
    '{"delayDistribution":90}': '"delayDistribution" must be an object or null, but is 90.',
    '{"delayDistribution":{"type":"gamma"}}':
      '"delayDistribution/type" must be one of "fixed", "uniform", "lognormal"',
    '{"delayDistribution":{"type":"lognormal","median":90}}': noShape,
  }),
)('refuses the settings %s, and changes nothing', async (change, problem) => {
  expectError(await settings(shared, change), 400, 'invalid_body', problem);
  expect((await settings(shared)).json).toEqual({ fixedDelay: null, delayDistribution: null });
});
