import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import adminDocument from '../../../../mock/extras/admin/openapi.json' with { type: 'json' };
import { sendEntries } from '../../../../mock/extras/admin/request-handlers.ts';
import type { Entry } from '../../../../mock/journal/entry.ts';
import { connectTwin } from '../../../../package/twin.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { sendRaw } from '../../../support/raw-socket.ts';
import { startTwin } from '../../../support/twin.ts';

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
  const { answers, rest } = await sendRaw(
    origin,
    'HEAD /__admin/requests HTTP/1.1\r\nHost: a.localhost\r\nConnection: close\r\n\r\n',
  );
  expect([answers[0]?.status, answers[0]?.headers['content-type'], rest]).toEqual([
    200,
    'application/json',
    '',
  ]);
});

/** Serves a list of long entries, and tells which of them were made so far. */
async function serveEntries({
  count,
  isGone = () => false,
}: {
  count: number;
  isGone?: (id: number) => boolean;
}) {
  const made: number[] = [];
  let sent: Promise<void> | undefined;
  const get = (id: number | 'latest') => {
    made.push(Number(id));
    return isGone(Number(id)) ? undefined : ({ id, text: 'x'.repeat(65_536) } as unknown as Entry);
  };
  const answer = (_: IncomingMessage, response: ServerResponse) => {
    sent = sendEntries(response, {
      journal: { get },
      ids: range(count, 1),
      before: '[',
      after: ']',
    });
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const [response] = (await once(httpGet({ port }), 'response')) as [IncomingMessage];
  return { response, made, sent: () => sent };
}

it('makes no more of a list than its client reads', async () => {
  const { response, made } = await serveEntries({ count: 2000 });
  // What a system takes for a client that does not read is far less than these 128 MB.
  let before = -1;
  while (before !== made.length) {
    before = made.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(made.length).toBeLessThan(1000);
  expect(idsOf(JSON.parse(await text(response)))).toEqual(range(2000, 1));
});

it('leaves out of a list what made room by the time that it is read', async () => {
  const { response } = await serveEntries({ count: 9, isGone: (id) => id > 7 || id === 1 });
  expect(idsOf(JSON.parse(await text(response)))).toEqual(range(7, 2));
});

it('stops making a list whose client has left', async () => {
  const { response, made, sent } = await serveEntries({ count: 2000 });
  response.destroy();
  await sent();
  expect(made.length).toBeLessThan(1000);
});

const long = 'a'.repeat(1001);

it.each([
  ['"urlPattern"', { urlPattern: long }],
  ['"urlPathPattern"', { urlPathPattern: long }],
  ['"queryParameters/q/matches"', { queryParameters: { q: { matches: long } } }],
  ['"headers/Accept/doesNotMatch"', { headers: { Accept: { doesNotMatch: long } } }],
  ['"bodyPatterns/0/matches"', { bodyPatterns: [{ matches: long }] }],
  ['"bodyPatterns/0/doesNotMatch"', { bodyPatterns: [{ doesNotMatch: long }] }],
])('refuses an expression of more than 1,000 characters as %s', async (where, pattern) => {
  const { post } = adminOf(await startTwin());
  for (const path of ['requests/find', 'requests/count']) {
    const { status, code, message } = await post(path, pattern);
    expect([status, code]).toEqual([400, 'invalid_body']);
    expect(message).toContain(where);
    expect(message).toContain('1000 characters');
  }
});

it('takes an expression of 1,000 characters', async () => {
  const twin = await startTwin();
  await fetch(`${twin.api}/pets`);
  const { post } = adminOf(twin);
  expect(
    await post('requests/count', { urlPath: '/v1/pets', urlPattern: undefined }),
  ).toMatchObject({ count: 1 });
  expect(await post('requests/count', { urlPattern: `/v1/pets|${'a'.repeat(991)}` })).toMatchObject(
    { count: 1 },
  );
});

it('stops compiling very many expressions too, each of them short enough', async () => {
  const twin = await startTwin();
  await fetch(`${twin.api}/pets`);
  // They take half a minute in all.
  const bodyPatterns = Array.from({ length: 850 }, (_, at) => ({
    doesNotMatch: `${'[^\\p{L}\\p{N}]'.repeat(70)}${at}`,
  }));
  const { status, message } = await adminOf(twin).post('requests/find', { bodyPatterns });
  expect([status, message]).toEqual([
    400,
    expect.stringContaining('The pattern takes too long, more than 1000 ms.'),
  ]);
});
