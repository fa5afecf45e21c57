import { expect, it } from 'vitest';
import { bearer, startTwin } from '../../../support/twin.ts';

/** A twin whose clock stands at an instant and is moved through its admin. */
async function startAt(instant: string) {
  const twin = await startTwin();
  const setClock = async (change: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${twin.origin}/__admin/clock`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(change),
    });
    expect(response.status).toBe(200);
  };
  const freeze = (at: string) => setClock({ action: 'freeze', instant: at });
  await freeze(instant);
  return {
    twin,
    freeze,
    advance: (seconds: number) => setClock({ action: 'advance', durationMillis: seconds * 1000 }),
    get: (path: string, key = 'demo-free') => fetch(twin.api + path, { headers: bearer(key) }),
  };
}

const seconds = (instant: string) => Date.parse(instant) / 1000;

it('walks through the 1,000 requests of a Free day, minute by minute, to the next day', async () => {
  const { get, advance, freeze } = await startAt('2026-06-01T08:00:00Z');
  const passed: number[] = [];
  for (let minute = 0; minute < 18; minute++) {
    const answers = await Promise.all(Array.from({ length: 62 }, () => get('/pets?limit=1')));
    passed.push(answers.filter(({ status }) => status === 200).length);
    await advance(60);
  }
  expect(passed).toEqual([...Array(16).fill(60), 40, 0]);

  const refused = await get('/pets', 'demo-free');
  const { code } = (await refused.json()) as { code: string };
  expect([refused.status, code]).toEqual([429, 'key_banned']);
  await freeze('2026-06-01T23:59:59.001Z');
  const late = await get('/pets');
  expect([late.status, late.headers.get('Retry-After')]).toEqual([429, '1']);
  expect(await late.json()).toMatchObject({
    code: 'rate_limit_exceeded',
    message: 'The free plan allows 1000 requests a day. Retry in 1 s.',
  });
  await advance(1);
  const next = await get('/pets');
  expect([next.status, next.headers.get('X-RateLimit-Remaining')]).toEqual([200, '59']);
});

it('waits for the end of a ban, to the second of Retry-After', async () => {
  const { get, advance } = await startAt('2026-06-01T08:00:00Z');
  for (let call = 0; call < 69; call++) await get('/pets?limit=1');
  const banned = await get('/pets');
  expect(await banned.json()).toMatchObject({ code: 'key_banned', status: 429 });
  expect(Number(banned.headers.get('X-RateLimit-Reset'))).toBe(seconds('2026-06-01T08:05:00Z'));
  const wait = Number(banned.headers.get('Retry-After'));
  expect(wait).toBe(300);
  await advance(wait - 1);
  expect((await get('/pets')).status).toBe(429);
  await advance(1);
  expect((await get('/pets')).status).toBe(200);
});

it('removes the deprecated operation on 5 December 2030, and nothing else', async () => {
  const { get, freeze, advance } = await startAt('2030-12-04T23:59:59Z');
  const before = await get('/pets/1');
  expect([before.status, before.headers.get('Sunset')]).toEqual([
    200,
    'Thu, 05 Dec 2030 00:00:00 GMT',
  ]);
  await advance(1);
  const gone = await get('/pets/1');
  expect(gone.status).toBe(410);
  expect(await gone.json()).toStrictEqual({
    code: 'operation_removed',
    message: 'getPet was removed on 2030-12-05. Use GET /v1/pets instead.',
    status: 410,
  });
  expect(gone.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(gone.headers.get('Deprecation')).toBe('@1733356800');
  expect(gone.headers.get('Link')).toBe('</v1/pets>; rel="successor-version"');
  expect(gone.headers.get('X-RateLimit-Reset')).toBe(String(seconds('2030-12-05T00:01:00Z')));
  expect((await get('/pets/999999')).status).toBe(410);
  expect((await get('/pets/1', 'nobody')).status).toBe(401);
  for (const path of ['/pets', '/pets?status=sold', '/store/orders'])
    expect((await get(path)).status).toBe(200);
  await freeze('2030-12-04T12:00:00Z');
  expect((await get('/pets/1')).status).toBe(200);
});

it('lists the operations of the API, removed by the clock of the sandbox that is asked', async () => {
  const { twin } = await startAt('2030-12-04T23:59:59Z');
  const list = async (prefix = '') =>
    (await fetch(`${twin.origin}${prefix}/__admin/operations`)).json() as Promise<{
      operations: { id: string; removed: boolean }[];
    }>;
  const getPet = {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    deprecated: true,
    sunset: '2030-12-05T00:00:00.000Z',
    removed: false,
  };
  const { operations } = await list();
  expect(operations.map(({ id }) => id)).toEqual(twin.document.operations.map(({ id }) => id));
  expect(operations).toContainEqual(getPet);
  expect(operations).toContainEqual({
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    deprecated: false,
    sunset: null,
    removed: false,
  });
  twin.app.clock.advance(1000);
  expect((await list()).operations).toContainEqual({ ...getPet, removed: true });
  expect((await list('/sandboxes/a')).operations).toContainEqual(getPet);
});
