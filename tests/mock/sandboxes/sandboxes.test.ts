import { expect, it } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { bearer, startTwin } from '../../support/twin.ts';

const json = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
const newPet = { method: 'POST', headers: json, body: '{"name":"x","categoryId":1}' };

it('keeps items, counters and clock of a sandbox to itself', async () => {
  const twin = await startTwin();
  const inSandbox = `${twin.origin}/sandboxes/a`;
  expect((await fetch(`${inSandbox}/v1/pets`, newPet)).status).toBe(201);
  expect((await fetch(`${inSandbox}/v1/pets/121`, { headers: json })).status).toBe(200);
  expect((await fetch(`${twin.api}/pets/121`, { headers: json })).status).toBe(404);
  expect(
    (await fetch(`${twin.api}/pets/121`, { headers: { ...json, 'X-Sandbox': 'a' } })).status,
  ).toBe(200);
  const clock = { action: 'freeze', instant: '2030-12-05T00:00:00Z' };
  await adminOf(twin, '/sandboxes/a').send('PUT', 'clock', clock);
  const gone = await fetch(`${inSandbox}/v1/pets/1`, { headers: json });
  expect([gone.status, gone.headers.get('link')]).toEqual([
    410,
    '</sandboxes/a/v1/pets>; rel="successor-version"',
  ]);
  expect((await fetch(`${twin.api}/pets/1`, { headers: json })).status).toBe(200);
});

it.each(['', 'a%2Fb'])('refuses the name %j', async (name) => {
  const twin = await startTwin();
  const response = await fetch(`${twin.api}/pets`, { headers: { ...json, 'X-Sandbox': name } });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { code: 'invalid_sandbox' },
  ]);
});

it('takes a name that is percent-encoded in the path for the same one', async () => {
  const twin = await startTwin();
  const made = await adminOf(twin).send('PUT', 'sandboxes/%61', { pets: 1 });
  expect(made).toMatchObject({ status: 201, json: { name: 'a' } });
  const found = await fetch(`${twin.origin}/sandboxes/%61/v1/pets/1`, {
    headers: { ...json, 'X-Sandbox': 'a' },
  });
  expect([found.status, found.headers.get('link')]).toEqual([
    200,
    '</sandboxes/%61/v1/pets>; rel="successor-version"',
  ]);
  expect(
    await (await fetch(`${twin.origin}/sandboxes/a/v1/pets`, { headers: json })).json(),
  ).toHaveLength(1);
  for (const name of ['a%2Fb', '%zz', '%', 'a%00', '%E4', '%61%zz']) {
    const response = await fetch(`${twin.origin}/sandboxes/${name}/v1/pets`, { headers: json });
    const message = expect.stringContaining(`but is "${name}"`);
    expect([response.status, await response.json()], name).toMatchObject([
      400,
      { code: 'invalid_sandbox', message },
    ]);
  }
});

it('names a path that it does not know with that of the sandbox', async () => {
  const twin = await startTwin();
  const response = await fetch(`${twin.origin}/sandboxes/a/v1/pets/`, { headers: json });
  expect(await response.json()).toMatchObject({
    status: 404,
    message: 'There is no operation at /sandboxes/a/v1/pets/. Did you mean /sandboxes/a/v1/pets?',
  });
});

it('refuses two names that differ', async () => {
  const twin = await startTwin();
  const response = await fetch(`${twin.origin}/sandboxes/a/v1/pets`, {
    headers: { ...json, 'X-Sandbox': 'b' },
  });
  expect(await response.json()).toMatchObject({
    code: 'invalid_sandbox',
    message: expect.stringContaining('"a"'),
  });
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
