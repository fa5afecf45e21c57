import { expect, it } from 'vitest';
import { bearer, startTwin } from './support/twin.ts';

const json = { ...bearer('demo-pro'), 'Content-Type': 'application/json' };
const newPet = { method: 'POST', headers: json, body: '{"name":"x","categoryId":1}' };

it('keeps items, counters and clock of a sandbox to itself', async () => {
  const twin = await startTwin();
  const inSandbox = `${twin.origin}/sandboxes/a`;
  expect((await fetch(`${inSandbox}/v1/pets`, newPet)).status).toBe(201);
  expect((await fetch(`${inSandbox}/v1/pets/121`, { headers: json })).status).toBe(200);
  expect((await fetch(`${twin.api}/pets/121`, { headers: json })).status).toBe(404);
  expect((await fetch(`${twin.api}/pets/121`, { headers: { ...json, 'X-Sandbox': 'a' } })).status).toBe(200);
  const clock = { method: 'PUT', headers: json, body: '{"action":"freeze","instant":"2030-12-05T00:00:00Z"}' };
  await fetch(`${inSandbox}/__admin/clock`, clock);
  const gone = await fetch(`${inSandbox}/v1/pets/1`, { headers: json });
  expect([gone.status, gone.headers.get('link')]).toEqual([410, '</sandboxes/a/v1/pets>; rel="successor-version"']);
  expect((await fetch(`${twin.api}/pets/1`, { headers: json })).status).toBe(200);
});

it.each(['', '-a', 'a b', 'a%2Fb', 'x'.repeat(65), '..'])('refuses the name %j', async (name) => {
  const twin = await startTwin();
  const response = await fetch(`${twin.api}/pets`, { headers: { ...json, 'X-Sandbox': name } });
  expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_sandbox' }]);
});

it('refuses two names that differ', async () => {
  const twin = await startTwin();
  const response = await fetch(`${twin.origin}/sandboxes/a/v1/pets`, { headers: { ...json, 'X-Sandbox': 'b' } });
  expect(await response.json()).toMatchObject({ code: 'invalid_sandbox', message: expect.stringContaining('"a"') });
});
