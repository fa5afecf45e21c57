import { expect, it } from 'vitest';
import type { Entry } from '../../../../mock/journal/entry.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { bearer, shareTwin, startTwin } from '../../../support/twin.ts';

const twin = await shareTwin();
const { send, ask, post, list, latest } = adminOf(twin);

const rex = { name: 'Rex', categoryId: 1, status: 'sold' };

const change = (path: string, method: string, body?: unknown) => send(method, `data/${path}`, body);

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
  await ask('data/pets');
  await ask('data/pets/2');
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
  expect((await send('GET', `requests/${changes[0]?.id}`)).status).toBe(200);
  expect((await send('GET', `requests/${changes[4]?.id}/curl`)).text).toContain('-X PUT');
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
  const own = adminOf({ origin }, '/sandboxes/a', bearer('top-secret'));
  await own.post('data/pets', { ...rex, name: 'top-secret' });
  expect((await adminOf({ origin }, '/sandboxes/a').send('DELETE', 'data/pets')).status).toBe(401);
  const requests = await own.list('?step=admin');
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({
    sandbox: 'a',
    url: '/__admin/data/pets',
    absoluteUrl: `${origin}/sandboxes/a/__admin/data/pets`,
    request: { headers: { Authorization: 'Bearer [Filtered]' } },
  });
  expect(JSON.stringify(requests)).not.toContain('top-secret');
});

it('changes items where the journal is off', async () => {
  const quiet = await startTwin({ journalEntries: 0 });
  expect((await adminOf(quiet).send('DELETE', 'data/pets/1')).status).toBe(204);
});
