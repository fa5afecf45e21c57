import { expect, it } from 'vitest';
import adminDocument from '../../../../mock/extras/admin/openapi.json' with { type: 'json' };
import type { Entry } from '../../../../mock/journal/entry.ts';
import { connectTwin } from '../../../../package/twin.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { sendRaw } from '../../../support/raw-socket.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);
const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);

it('lists the newest 100 unless asked for more or fewer, and says how many there are', async () => {
  const twin = await startTwin();
  const { ask, post } = adminOf(twin);
  for (let call = 1; call <= 130; call++) await fetch(`${twin.api}/pets`);
  for (const list of [await ask('requests'), await post('requests/find', {})]) {
    expect(idsOf(list.requests)).toEqual(range(130, 31));
    expect(list.meta).toEqual({ total: 130, dropped: 0 });
  }
  expect(idsOf((await ask('requests?limit=120')).requests)).toEqual(range(130, 11));
  expect(idsOf((await post('requests/find?limit=3', { status: 401 })).requests)).toEqual([
    130, 129, 128,
  ]);
  expect(await post('requests/count', { status: 401 })).toEqual({ count: 130, dropped: 0 });
  expect((await ask('requests.har')).log.entries).toHaveLength(130);
  expect(adminDocument.components.parameters.Limit.schema.default).toBe(100);
  await using connected = await connectTwin(twin.api);
  expect(await connected.requests()).toHaveLength(130);
  expect(await connected.requests({ limit: 2 })).toHaveLength(2);
});

it('archives the latest requests, oldest first, without what was none', async () => {
  const twin = await startTwin();
  for (let call = 1; call <= 3; call++) await fetch(`${twin.api}/pets`);
  await sendRaw(twin.origin, 'no HTTP\r\n\r\n');
  const { ask } = adminOf(twin);
  const archived = async (query: string) =>
    (await ask(`requests.har${query}`)).log.entries.map((one: { _id: number }) => one._id);
  expect(await archived('')).toEqual([1, 2, 3]);
  expect(await archived('?limit=2')).toEqual([2, 3]);
  expect((await ask('requests')).meta.total).toBe(4);
});

it('answers HEAD with the head of a list', async () => {
  const { origin } = await startTwin();
  const { status, headers } = await fetch(`${origin}/__admin/requests`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
});

it('lists summaries, cut and without secrets', async () => {
  const twin = await startTwin({ journalEntries: 2 });
  const send = (path: string) => fetch(twin.origin + path, { headers: bearer('demo-pro') });
  for (const name of ['a', 'b']) await send(`/v1/pets?${name}`);
  await send('/sandboxes/other/v1/pets');
  await send(`/v1/${'x'.repeat(2000)}?api_key=demo-pro`);
  const { ask } = adminOf(twin);
  const { requests, meta } = await ask('requests?fields=summary');
  expect(meta).toEqual({ total: 2, dropped: 1 });
  const [cut, plain] = requests;
  expect(plain).toEqual({
    id: 2,
    at: expect.any(String),
    clock: expect.any(String),
    sandbox: 'default',
    method: 'GET',
    url: '/v1/pets?b',
    operation: 'listPets',
    traceparent: null,
    unmatched: false,
    key: 'demo-pro',
    status: 200,
    milliseconds: expect.any(Number),
    reason: { step: 'behaviour', kind: 'list' },
    message: null,
  });
  expect(cut).toMatchObject({ id: 4, status: 404, reason: { error: 'unknown_path' } });
  expect(cut.url).toBe(`/v1/${'x'.repeat(496)} ...`);
  expect(cut.message).toMatch(/^There is no operation at \/v1\/x+ \.{4} The API/);
  expect((await ask('requests?fields=summary&status=200&limit=1')).requests).toEqual([plain]);
});

it('refuses an expression of more than 1,000 characters', async () => {
  const { post } = adminOf(await startTwin());
  const { status, code, message } = await post('requests/find', { urlPattern: 'a'.repeat(1001) });
  expect([status, code]).toEqual([400, 'invalid_body']);
  expect(message).toContain('1000 characters');
});
