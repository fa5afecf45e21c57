import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

/** A twin whose clock stands at an instant and is moved through its admin. */
async function startAt(instant: string) {
  const twin = await startTwin();
  const setClock = async (change: object) =>
    expectAnswer(await adminOf(twin).send('PUT', 'clock', change), 200);
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
  const list = (prefix = '') => adminOf(twin, prefix).ask('operations');
  const getPet = {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    deprecated: true,
    sunset: '2030-12-05T00:00:00.000Z',
    removed: false,
  };
  const { operations } = await list();
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(
    twin.document.operations.map(({ id }) => id),
  );
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
