import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { expectAnswer, expectError } from '../../support/expect-answer.ts';
import { bearer, startTwin } from '../../support/twin.ts';

const json = bearer('demo-pro');

async function start() {
  const twin = await startTwin();
  const send = createSend(twin.origin, json);
  const get = (path: string, sandbox?: string) =>
    send('GET', path, undefined, sandbox === undefined ? {} : { 'X-Sandbox': sandbox });
  return { twin, send, get };
}

it('keeps items, counters and clock of a sandbox to itself', async () => {
  const { twin, send, get } = await start();
  expectAnswer(await send('POST', '/sandboxes/a/v1/pets', { name: 'x', categoryId: 1 }), 201);
  expectAnswer(await get('/sandboxes/a/v1/pets/121'), 200);
  expectAnswer(await get('/v1/pets/121'), 404);
  expectAnswer(await get('/v1/pets/121', 'a'), 200);
  const clock = { action: 'freeze', instant: '2030-12-05T00:00:00Z' };
  await adminOf(twin, '/sandboxes/a').send('PUT', 'clock', clock);
  const gone = await get('/sandboxes/a/v1/pets/1');
  expectAnswer(gone, 410);
  expect(gone.headers.get('link')).toBe('</sandboxes/a/v1/pets>; rel="successor-version"');
  expectAnswer(await get('/v1/pets/1'), 200);
});

it.each(['', 'a%2Fb'])('refuses the name %j', async (name) => {
  const { get } = await start();
  expectError(await get('/v1/pets', name), 400, 'invalid_sandbox');
});

it('takes a name that is percent-encoded in the path for the same one', async () => {
  const { twin, get } = await start();
  expectAnswer(await adminOf(twin).send('PUT', 'sandboxes/%61', { pets: 1 }), 201, { name: 'a' });
  const found = await get('/sandboxes/%61/v1/pets/1', 'a');
  expectAnswer(found, 200);
  expect(found.headers.get('link')).toBe('</sandboxes/%61/v1/pets>; rel="successor-version"');
  expect((await get('/sandboxes/a/v1/pets')).json).toHaveLength(1);
  for (const name of ['a%2Fb', '%zz', '%', 'a%00', '%E4', '%61%zz']) {
    const refused = await get(`/sandboxes/${name}/v1/pets`);
    expectError(refused, 400, 'invalid_sandbox', `but is "${name}"`);
  }
});

it('names a path that it does not know with that of the sandbox', async () => {
  const { get } = await start();
  const message = 'no operation at /sandboxes/a/v1/pets/. Did you mean /sandboxes/a/v1/pets?';
  expectError(await get('/sandboxes/a/v1/pets/'), 404, 'unknown_path', message);
});

it('refuses two names that differ', async () => {
  const { get } = await start();
  expectError(await get('/sandboxes/a/v1/pets', 'b'), 400, 'invalid_sandbox', '"a"');
});

it('makes none, and closes none, for a request that is refused for its credentials', async () => {
  const twin = await startTwin({ maxSandboxes: 2, adminToken: 'secret' });
  const names = () => twin.app.sandboxes.list().map(({ sandbox }) => sandbox.name);
  for (const name of ['a', 'b'])
    await fetch(`${twin.origin}/sandboxes/${name}/v1/pets`, { headers: json });
  const unknown = `${twin.origin}/sandboxes/unknown`;
  const seen = [
    await fetch(`${unknown}/v1/pets`),
    await fetch(`${unknown}/v1/pets`, { headers: bearer('nobody') }),
    await fetch(`${unknown}/v1/nowhere`),
    await fetch(`${unknown}/v1/pets`, { method: 'OPTIONS' }),
    await fetch(`${unknown}/nowhere`, { headers: json }),
    await fetch(`${unknown}/__admin/clock`),
    await fetch(`${unknown}/__admin/reset`, { method: 'POST', headers: bearer('wrong') }),
    await fetch(`${unknown}/__admin/health`),
    await fetch(`${twin.origin}/sandboxes/a/v1/pets`),
  ];
  expect(seen.map(({ status }) => status)).toEqual([401, 401, 401, 204, 404, 401, 401, 200, 401]);
  expect(names()).toEqual(['default', 'b', 'a']);
  await fetch(`${unknown}/__admin/clock`, { headers: bearer('secret') });
  expect(names()).toEqual(['default', 'unknown', 'b']);
});

it('shows a caller without a key the limits of the sandbox, and those of the default one where there is none', async () => {
  const twin = await startTwin();
  const limitIn = async (name: string) =>
    (await fetch(`${twin.origin}/sandboxes/${name}/v1/pets`)).headers.get('x-ratelimit-limit');
  await twin.app.sandboxes.put('small', { plans: { free: { perMinute: 5, perDay: 10 } } });
  expect([await limitIn('small'), await limitIn('none')]).toEqual(['5', '60']);
  await twin.app.sandboxes.put('default', { plans: { free: { perMinute: 7, perDay: 10 } } });
  expect(await limitIn('none')).toBe('7');
});
