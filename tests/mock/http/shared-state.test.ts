import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTwinHandlers } from '../../../mock/extras/admin/twin-handlers.ts';
import type { Decision } from '../../../mock/limits/decide.ts';
import { StoreUnavailableError } from '../../../mock/state/store.ts';
import { createSend } from '../../support/create-send.ts';
import { bearer, startTwin } from '../../support/twin.ts';

const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** A twin whose default sandbox waits for other processes; `seen` is what it was asked for. */
async function startShared() {
  const twin = await startTwin();
  const { defaultSandbox: sandbox } = twin.app.sandboxes;
  const { limiter, faults, change } = sandbox;
  const seen: string[] = [];
  let problem: string | undefined;
  const ask = async (what: string) => {
    seen.push(what);
    await nextTurn();
    if (problem !== undefined) throw new StoreUnavailableError(problem);
  };
  Object.assign(sandbox, {
    refresh: () => ask('refresh'),
    limiter: {
      ...limiter,
      take: (key: Parameters<typeof limiter.take>[0]) =>
        ask('take').then(() => limiter.take(key) as Decision),
    },
    faults: {
      ...faults,
      decide: (call: Parameters<typeof faults.decide>[0]) =>
        ask('decide').then(() => faults.decide(call)),
    },
    change: (act: () => unknown) => ask('change').then(() => change(act)),
  });
  const call = async (
    path: string,
    {
      method = 'GET',
      body,
      key = 'demo-pro',
    }: { method?: string; body?: string; key?: string } = {},
  ) => {
    seen.length = 0;
    const answer = await createSend(twin.origin, bearer(key))(method, path, body);
    return { ...answer, seen: [...seen] };
  };
  return { twin, call, fail: (reason?: string) => void (problem = reason) };
}

it('waits for the decision on a call, and asks once for each call', async () => {
  const { twin, call } = await startShared();
  twin.app.clock.freeze(Date.UTC(2026, 0, 1));
  const first = await call('/v1/pets');
  expect([first.status, first.seen]).toEqual([200, ['take']]);
  const second = await call('/v1/pets');
  const remaining = [first, second].map(({ headers }) => headers.get('x-ratelimit-remaining'));
  expect(remaining).toEqual(['299', '298']);
  const body = '{"name":"Rex","categoryId":1}';
  expect(await call('/v1/pets', { method: 'POST', body })).toMatchObject({ status: 201 });
});

it('waits for the decision of the faults, whatever it is', async () => {
  const { call } = await startShared();
  const fault = (rule: object) =>
    call('/__admin/faults', { method: 'PUT', body: JSON.stringify({ rules: [rule] }) });
  await fault({ status: 503, every: 2 });
  expect(await call('/v1/pets')).toMatchObject({ status: 200, seen: ['take', 'decide'] });
  expect(await call('/v1/pets')).toMatchObject({ status: 503, seen: ['take', 'decide'] });
});

it('follows the state before the admin reads it or changes items, and changes the rest in one place', async () => {
  const { call } = await startShared();
  const pet = '{"name":"Rex","categoryId":1}';
  for (const [path, options, seen] of [
    ['clock', {}, ['refresh']],
    ['data/pets', {}, ['refresh']],
    ['data/pets', { method: 'POST', body: pet }, ['refresh']],
    ['requests/count', { method: 'POST', body: '{}' }, ['refresh']],
    ['clock', { method: 'PUT', body: '{"action":"freeze"}' }, ['change']],
    ['reset', { method: 'POST' }, ['change']],
    ['snapshots/a', { method: 'PUT' }, ['change']],
    ['faults', { method: 'DELETE' }, ['change']],
    ['settings', { method: 'POST', body: '{"fixedDelay":null}' }, ['change']],
    ['sandboxes', {}, []],
    ['sandboxes/a', { method: 'PUT' }, []],
    ['version', {}, []],
    ['health', {}, []],
  ] as const) {
    const answer = await call(`/__admin/${path}`, options);
    expect([path, answer.status < 300, answer.seen]).toEqual([path, true, seen]);
  }
});

it('answers 503 while the store cannot be used, with the headers of the key, and recovers', async () => {
  const { twin, call, fail } = await startShared();
  fail('Redis at 127.0.0.1:6379 does not answer.');
  const refused = await call('/v1/pets');
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    503,
    { code: 'store_unavailable', message: 'Redis at 127.0.0.1:6379 does not answer.', status: 503 },
  ]);
  expect(limitHeaders.map((name) => refused.headers.get(name))).toEqual([
    '300',
    '300',
    expect.stringMatching(/^\d+$/),
  ]);
  for (const path of ['/__admin/clock', '/__admin/data/pets', '/__admin/requests'])
    expect(await call(path)).toMatchObject({ status: 503, text: refused.text });
  const { defaultSandbox } = twin.app.sandboxes;
  expect(defaultSandbox.journal.get('latest')).toMatchObject({
    status: 503,
    reason: { step: 'store', error: 'store_unavailable' },
  });
  expect(twin.lines.join('\n')).not.toContain('The mock failed');
  expect((await call('/__admin/version')).status).toBe(200);
  fail();
  expect((await call('/v1/pets')).status).toBe(200);
  expect((await call('/__admin/clock')).status).toBe(200);
});

it('has the health say why the store cannot be used', async () => {
  const twin = await startTwin();
  let problem: string | undefined;
  const { getHealth } = createTwinHandlers({
    isReady: () => true,
    storeProblem: async () => problem,
    description: '{"paths":{}}',
    version: '1',
    startedAt: new Date(),
    document: twin.document,
    shutdown: () => {},
  });
  const health = async () => (await getHealth?.({} as never)) as { status: number; json: string };
  expect((await health()).status).toBe(200);
  problem = 'Redis at 127.0.0.1:6379 does not answer.';
  const { status, json } = await health();
  expect([status, JSON.parse(json)]).toEqual([
    503,
    { code: 'store_unavailable', message: problem, status: 503 },
  ]);
});
