import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Entry } from '../../../../mock/journal/entry.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { bearer, openTestTwin, startTwin } from '../../../support/twin.ts';

const twin = await openTestTwin();
afterAll(() => twin.close());
beforeEach(() => twin.app.reset());
const { call, ask, post, list, latest } = adminOf(twin);

const rex = { name: 'Rex', categoryId: 1, status: 'sold' };

const change = (path: string, method: string, body?: unknown) =>
  call(`data/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const toLine = ({ method, url, status, reason }: Entry) =>
  `${method} ${url} ${status} ${'operation' in reason && reason.operation}`;

it('has each change of items with its bodies, and shows it where it is asked for', async () => {
  await fetch(`${twin.api}/pets/1`, { headers: bearer('demo-free') });
  await change('pets', 'POST', rex);
  await change('pets/1', 'PUT', rex);
  await change('pets/1', 'PATCH', { status: 'gone' });
  await change('pets/1', 'PATCH', { status: 'pending' });
  await change('pets/1', 'DELETE');
  await change('pets?status=sold', 'DELETE');
  await call('data/pets');
  await call('data/pets/2');
  const changes = await list('?step=admin');
  expect(changes.map(toLine).toReversed()).toEqual([
    'POST /__admin/data/pets 201 createItem',
    'PUT /__admin/data/pets/1 200 putItem',
    'PATCH /__admin/data/pets/1 400 patchItem',
    'PATCH /__admin/data/pets/1 200 patchItem',
    'DELETE /__admin/data/pets/1 204 deleteItem',
    'DELETE /__admin/data/pets?status=sold 200 deleteItems',
  ]);
  expect(changes[4]).toMatchObject({
    operation: null,
    unmatched: false,
    key: null,
    sandbox: 'default',
    reason: { step: 'admin', operation: 'putItem' },
    request: { body: JSON.stringify(rex), bytes: JSON.stringify(rex).length },
    response: { body: JSON.stringify({ id: 1, ...rex }) },
  });
  expect(changes[3]?.reason).toMatchObject({ error: 'invalid_body' });
  expect((await list('?admin=true')).map(({ method }) => method)).toHaveLength(7);
  expect((await call(`requests/${changes[0]?.id}`)).status).toBe(200);
  expect((await call(`requests/${changes[4]?.id}/curl`)).text).toContain('-X PUT');
});

it('leaves changes out of what was there before them', async () => {
  await change('pets', 'POST', rex);
  await fetch(`${twin.api}/pets/1`, { headers: bearer('demo-free') });
  await change('pets/1', 'DELETE');
  expect((await list()).map(({ url }) => url)).toEqual(['/v1/pets/1']);
  expect((await latest()).url).toBe('/v1/pets/1');
  expect((await ask('requests.har')).log.entries).toHaveLength(1);
  expect((await ask('requests.har?admin=true')).log.entries).toHaveLength(3);
  expect(await list('?unmatched=true')).toEqual([]);
  expect(await post('requests/count', {})).toMatchObject({ count: 1 });
  expect(await post('requests/count', { method: 'POST' })).toMatchObject({ count: 0 });
  expect(await post('requests/count', { step: 'admin' })).toMatchObject({ count: 2 });
  expect(await post('requests/count?admin=true', {})).toMatchObject({ count: 3 });
  expect((await post('requests/find?admin=true', { method: 'DELETE' })).requests).toHaveLength(1);
});

it('shows no token of the admin, and is that of the sandbox', async () => {
  const { origin } = await startTwin({ adminToken: 'top-secret' });
  const headers = { Authorization: 'Bearer top-secret', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...rex, name: 'top-secret' });
  await fetch(`${origin}/sandboxes/a/__admin/data/pets`, { method: 'POST', headers, body });
  const refused = await fetch(`${origin}/sandboxes/a/__admin/data/pets`, { method: 'DELETE' });
  expect(refused.status).toBe(401);
  const text = await (
    await fetch(`${origin}/sandboxes/a/__admin/requests?step=admin`, { headers })
  ).text();
  const { requests } = JSON.parse(text);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    sandbox: 'a',
    url: '/__admin/data/pets',
    absoluteUrl: `${origin}/sandboxes/a/__admin/data/pets`,
    request: { headers: { Authorization: 'Bearer [Filtered]' } },
  });
  expect(text).not.toContain('top-secret');
});

it('changes items where the journal is off', async () => {
  const quiet = await startTwin({ journalEntries: 0 });
  expect((await adminOf(quiet).call('data/pets/1', { method: 'DELETE' })).status).toBe(204);
});
