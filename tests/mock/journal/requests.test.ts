import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Entry } from '../../../mock/journal/entry.ts';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { expectError } from '../../support/expect-answer.ts';
import { sendRaw } from '../../support/raw-socket.ts';
import { bearer, projectFile, startTwin } from '../../support/twin.ts';

const json = { 'Content-Type': 'application/json' };

const urls = (entries: readonly Entry[]) => entries.map(({ url }) => url);

it('lists what came, newest first, with what was answered and why', async () => {
  const twin = await startTwin();
  const { ask } = adminOf(twin);
  await fetch(`${twin.api}/pets?limit=1`, { headers: { ...bearer('demo-pro'), 'X-Note': 'a' } });
  await createSend(twin.api, bearer('demo-pro'))('POST', '/pets', { categoryId: 1, status: 'x' });
  const { requests, meta } = await ask('requests');
  expect(meta).toEqual({ total: 2, dropped: 0 });
  expect(requests).toMatchObject([
    {
      ...{ id: 2, sandbox: 'default', method: 'POST', url: '/v1/pets', status: 400 },
      ...{ absoluteUrl: `${twin.api}/pets`, operation: 'createPet', key: 'demo-pro' },
      unmatched: false,
      reason: { step: 'body', error: 'invalid_body', problems: [{ pointer: '/name' }, {}] },
      request: { body: '{"categoryId":1,"status":"x"}', bytes: 29, truncated: false },
      response: { body: expect.stringContaining('"name\\" is required') },
    },
    {
      ...{ id: 1, method: 'GET', url: '/v1/pets?limit=1', operation: 'listPets', status: 200 },
      reason: { step: 'behaviour', kind: 'list' },
      request: { headers: { 'X-Note': 'a' }, body: null },
      response: { headers: { 'X-RateLimit-Limit': '300' }, truncated: false },
    },
  ]);
  const [, first] = requests as Entry[];
  expect(JSON.parse(first?.response?.body ?? '')).toHaveLength(1);
  expect(Date.parse(first?.at ?? '')).toBeCloseTo(Date.now(), -4);
  expect(first?.milliseconds).toBeGreaterThan(0);
});

const pets = '/v1/pets';
const key = bearer('demo-free');

it("shows the sandbox's clock where somebody else sets the clock of the process", async () => {
  const twin = await startTwin();
  vi.setSystemTime('2041-01-01');
  await fetch(`${twin.api}/pets`, { headers: key }).finally(() => vi.useRealTimers());
  const { clock } = await adminOf(twin).latest();
  expect(Math.abs(Date.parse(clock) - twin.app.clock.now())).toBeLessThan(60_000);
});

it('gives the requests that a query asks for', async () => {
  const twin = await startTwin();
  const { list, ask } = adminOf(twin);
  await fetch(`${twin.api}/pets?limit=1`, { headers: key });
  await wait(2);
  const before = new Date().toISOString();
  await wait(2);
  await fetch(`${twin.api}/pets/9999`, { headers: key });
  await fetch(`${twin.api}/cats`, { headers: bearer('demo-pro') });
  const cases: [string, string[]][] = [
    ['?limit=1', ['/v1/cats']],
    ['?unmatched=true', ['/v1/cats']],
    ['?status=404', ['/v1/cats', '/v1/pets/9999']],
    ['?status=404&operation=getPet', ['/v1/pets/9999']],
    ['?since=2', ['/v1/cats']],
    [`?since=${before}`, ['/v1/cats', '/v1/pets/9999']],
    [`?since=${before.replace('Z', '+00:00')}`, ['/v1/cats', '/v1/pets/9999']],
    ['?since=2999-01-01', []],
  ];
  for (const [query, found] of cases)
    expect([query, urls(await list(query))]).toEqual([query, found]);
  expect((await ask('requests?limit=1&step=behaviour')).meta).toEqual({ total: 2, dropped: 0 });
});

it.each(['requests', 'requests.har'])('refuses queries of %s that are wrong', async (path) => {
  const { send } = adminOf(await startTwin());
  for (const [query, message] of Object.entries({
    'since=yesterday': '"since" must be an instant in ISO 8601',
    'limit=0': '"limit" must be an integer from 1',
    'unmatched=maybe': '"unmatched" must be true or false',
    'operation=listPet': '"operation" must be one of listPets, createPet',
    'key=demo': '"key" must be the name of a key: demo-free',
    'status=20': '"status" must be an integer from 100 to 599',
    'step=validation': '"step" must be one of connection',
  }))
    expectError(await send('GET', `${path}?${query}`), 400, 'invalid_parameter', message);
});

it('finds and counts what a pattern matches', async () => {
  const twin = await startTwin();
  const { post } = adminOf(twin);
  const create = (body: unknown, headers = {}) =>
    createSend(twin.api, key)('POST', '/pets', body, headers);
  await create({ name: 'Rex', categoryId: 1 }, { 'X-Tag': 'a' });
  await create({ name: 'Tom', categoryId: 2, status: 'sold' });
  await create({ name: 'x' });
  await fetch(`${twin.api}/pets?limit=2&status=sold`, { headers: bearer('demo-pro') });
  await fetch(`${twin.api}/pets/1`, { headers: key });
  const cases: [unknown, number[]][] = [
    [{}, [5, 4, 3, 2, 1]],
    [{ method: 'ANY' }, [5, 4, 3, 2, 1]],
    [{ method: 'POST' }, [3, 2, 1]],
    [{ method: 'post' }, [3, 2, 1]],
    [{ method: 'any' }, [5, 4, 3, 2, 1]],
    [{ url: '/v1/pets?limit=2&status=sold' }, [4]],
    [{ url: '/v1/pets' }, [3, 2, 1]],
    [{ urlPath: '/v1/pets' }, [4, 3, 2, 1]],
    [{ urlPattern: '/v1/pets/\\d+' }, [5]],
    [{ urlPattern: '/v1/pets' }, [3, 2, 1]],
    [{ urlPathPattern: '/v1/p.*' }, [5, 4, 3, 2, 1]],
    [{ queryParameters: { status: { equalTo: 'sold' } } }, [4]],
    [{ queryParameters: { status: { absent: true } }, method: 'GET' }, [5]],
    [{ queryParameters: { limit: { matches: '[0-9]' } } }, [4]],
    [{ queryParameters: { status: { equalTo: 'SOLD', caseInsensitive: true } } }, [4]],
    [{ headers: { 'x-tag': { equalTo: 'a' } } }, [1]],
    [{ headers: { 'CONTENT-TYPE': { contains: 'json' } } }, [3, 2, 1]],
    [{ headers: { Authorization: { equalTo: 'Bearer demo-pro' } } }, []],
    [{ bodyPatterns: [{ contains: 'Rex' }] }, [1]],
    [{ bodyPatterns: [{ doesNotContain: 'Rex' }, { matches: '.*name.*' }] }, [3, 2]],
    [{ bodyPatterns: [{ doesNotMatch: '.*Tom.*' }], method: 'POST' }, [3, 1]],
    [{ bodyPatterns: [{ equalToJson: { categoryId: 1, name: 'Rex' } }] }, [1]],
    [{ bodyPatterns: [{ equalToJson: '{"name":"Tom"}', ignoreExtraElements: true }] }, [2]],
    [{ bodyPatterns: [{ equalToJson: { name: 'Tom' } }] }, []],
    [{ bodyPatterns: [{ absent: true }] }, [5, 4]],
    [{ operation: 'createPet', status: 201 }, [2, 1]],
    [{ step: 'body' }, [3]],
    [{ key: 'demo-pro' }, [4]],
    [{ unmatched: true }, []],
  ];
  for (const [pattern, ids] of cases) {
    const { requests } = await post('requests/find', pattern);
    expect([pattern, requests.map(({ id }: Entry) => id)]).toEqual([pattern, ids]);
    expect(await post('requests/count', pattern)).toEqual({ count: ids.length, dropped: 0 });
  }
  const { requests } = await post('requests/find?limit=1&since=1', { method: 'POST' });
  expect(requests).toMatchObject([{ id: 3 }]);
  expect(await post('requests/count?since=1', { method: 'POST' })).toMatchObject({ count: 2 });
});

it('compares integers in JSON to the last digit', async () => {
  const twin = await startTwin();
  const { send } = adminOf(twin);
  const body = '{"name":"x","categoryId":9007199254740993}';
  await fetch(`${twin.api}/pets`, { method: 'POST', headers: { ...key, ...json }, body });
  const count = async (category: string) => {
    const pattern = `{"equalToJson":{"name":"x","categoryId":${category}}}`;
    return (await send('POST', 'requests/count', `{"bodyPatterns":[${pattern}]}`)).json.count;
  };
  expect([await count('9007199254740993'), await count('9007199254740992')]).toEqual([1, 0]);
});

it.each(
  Object.entries({
    '{"urlPaht":"/"}': '"urlPaht" is unknown. Known are method, url',
    '{"method":1}': '"method" must be a string, but is 1',
    '{"url":"/","urlPath":"/"}':
      'Give one of url, urlPattern, urlPath, urlPathPattern, not url and urlPath.',
    '{"urlPattern":"("}': '"urlPattern" is not a valid regular expression',
    '{"headers":{"A":{"equals":"x"}}}': '"headers/A/equals" is unknown',
    '{"headers":{"A":{"matches":"["}}}': '"headers/A/matches" is not a valid regular expression',
    '{"headers":{"A":{}}}': '"headers/A" must have at least 1 of equalTo, ',
    '{"bodyPatterns":[{"equalToJson":"{"}]}': '"bodyPatterns/0/equalToJson" must be JSON',
    '{"operation":"x"}': '"operation" must be one of listPets',
    '{"key":"x"}': '"key" must be the name of a key',
    '{"status":"200"}': '"status" must be an integer',
    '[]': 'It must be an object, but is an array',
  }),
)('refuses the pattern %s', async (pattern, message) => {
  const { send } = adminOf(await startTwin());
  for (const path of ['requests/find', 'requests/count'])
    expectError(await send('POST', path, pattern), 400, 'invalid_body', message);
});

it('forgets on request and with a reset, and counts on', async () => {
  const twin = await startTwin();
  const { ask, list, latest } = adminOf(twin);
  const send = async () => void (await (await fetch(`${twin.api}/pets`)).text());
  await send();
  await send();
  expect(await ask('requests', 'DELETE')).toEqual({ removed: 2 });
  expect(await list()).toEqual([]);
  await send();
  expect((await latest()).id).toBe(3);
  await ask('reset', 'POST');
  expect(await list()).toEqual([]);
  await send();
  expect((await latest()).id).toBe(4);
});

it('gives one by its id, and says where there is none', async () => {
  const twin = await startTwin({ journalEntries: 2 });
  const { ask, send } = adminOf(twin);
  for (let sent = 0; sent < 3; sent++) await fetch(`${twin.api}/pets?limit=${sent}`);
  expect(await ask('requests/2')).toMatchObject({ id: 2, url: '/v1/pets?limit=1' });
  expect((await ask('requests')).meta).toEqual({ total: 2, dropped: 1 });
  for (const id of ['1', '4', 'x', '2x', '99999999999999999999']) {
    const message = `The journal has no request "${id}". GET /__admin/requests lists those it has.`;
    expectError(await send('GET', `requests/${id}`), 404, 'not_found', message);
    expect((await send('GET', `requests/${id}/curl`)).status).toBe(404);
  }
});

it('keeps the requests of each sandbox to itself', async () => {
  const twin = await startTwin();
  const inA = adminOf(twin, '/sandboxes/a');
  await fetch(`${twin.api}/pets`, { headers: key });
  await fetch(`${twin.origin}/sandboxes/a${pets}?limit=1`, { headers: key });
  await fetch(`${twin.api}/pets?limit=2`, { headers: { ...key, 'X-Sandbox': 'a' } });
  expect(urls(await adminOf(twin).list())).toEqual(['/v1/pets']);
  const absoluteUrl = `${twin.origin}/sandboxes/a/v1/pets?limit=1`;
  expect(await inA.list()).toMatchObject([
    { id: 3, sandbox: 'a', url: '/v1/pets?limit=2', absoluteUrl: `${twin.api}/pets?limit=2` },
    { id: 2, sandbox: 'a', url: '/v1/pets?limit=1', absoluteUrl },
  ]);
  expect((await inA.send('GET', 'requests/1')).status).toBe(404);
  await inA.ask('requests', 'DELETE');
  expect(await adminOf(twin).list()).toHaveLength(1);
});

it('stops an expression that takes too long, and says so', async () => {
  const twin = await startTwin();
  const { post, send } = adminOf(twin);
  await fetch(`${twin.api}/pets?name=${'a'.repeat(40)}`, { headers: key });
  const slow = { urlPattern: '/v1/pets\\?name=(a+)+b' };
  for (const path of ['requests/find', 'requests/count'])
    expectError(await send('POST', path, slow), 400, 'invalid_body', 'takes too long');
  expect((await post('requests/count', { urlPattern: '/v1/pets\\?name=a+' })).count).toBe(1);
});

const idOf = ({ _id }: { _id: number }) => _id;

it('gives no key in a line for curl but those that everybody knows', async () => {
  const twin = await startTwin();
  await fetch(`${twin.api}/pets`, { headers: bearer('unknown') });
  const own = await startTwin({ keys: projectFile('tests/support/secret-keys.json') });
  await fetch(`${own.api}/pets`, { headers: bearer('s3cret-1') });
  for (const origin of [twin, own]) {
    const { text } = await adminOf(origin).send('GET', 'requests/latest/curl');
    expect(text).toContain('-H "Authorization: Bearer $KEY"');
  }
});

it('gives a line for curl and an archive', async () => {
  const twin = await startTwin();
  const { send } = adminOf(twin);
  await fetch(`${twin.api}/pets?limit=1`, { headers: { ...key, 'User-Agent': 'me' } });
  const curl = await send('GET', 'requests/latest/curl');
  expect([curl.status, curl.type]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(curl.text).toMatch(
    /^curl -i .*-H 'Authorization: Bearer demo-free' .*'http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?limit=1'\n$/,
  );
  const har = await send('GET', 'requests.har?operation=listPets');
  expect(har.type).toBe('application/json');
  expect(har.json.log.entries).toMatchObject([{ _id: 1, request: { method: 'GET' } }]);
  await sendRaw(twin.origin, 'nonsense\r\n\r\n');
  const { text } = await send('GET', 'requests/latest/curl');
  expect(text).toContain('was not a request that can be repeated');
  expect((await send('POST', 'requests/latest/curl')).status).toBe(405);
  await fetch(`${twin.api}/pets/1`, { headers: key });
  await sendRaw(twin.origin, 'nonsense\r\n\r\n');
  const idsOf = async (limit: number) =>
    (await send('GET', `requests.har?limit=${limit}`)).json.log.entries.map(idOf);
  expect([await idsOf(1), await idsOf(2), await idsOf(3)]).toEqual([[3], [1, 3], [1, 3]]);
});

it('is off with room for no requests, and says so', async () => {
  const twin = await startTwin({ journalEntries: 0 });
  const { ask, post } = adminOf(twin);
  await fetch(`${twin.api}/pets`);
  const off = {
    status: 409,
    code: 'journal_off',
    message: 'The journal is off. Start the mock without --journal-entries 0.',
  };
  for (const path of ['requests', 'requests/1', 'requests/latest/curl', 'requests.har'])
    expect(await ask(path)).toEqual(off);
  expect(await ask('requests', 'DELETE')).toEqual(off);
  expect(await post('requests/find', {})).toEqual(off);
});

it.each([1000, 0])(
  'logs each exchange as a line of JSON, with room for %i in the journal',
  async (journalEntries) => {
    const twin = await startTwin({ logTransaction: true, journalEntries });
    await createSend(twin.api, key)('POST', '/pets', '{"name":"\u007f\u0085","categoryId":1}');
    const lines = twin.lines.filter((line) => line.startsWith('{'));
    expect(lines).toHaveLength(1);
    const body = '{"name":"\u007f\u0085","categoryId":1}';
    const request = { headers: { Authorization: 'Bearer [Filtered]' }, body };
    const logged = { id: 1, method: 'POST', status: 201, request };
    expect(JSON.parse(lines[0] ?? '')).toMatchObject(logged);
  },
);
