import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { magicValues } from '../../../../mock/extras/forced/forced-steps.ts';
import { isInt64, parseInteger } from '../../../../mock/json/exact-json.ts';
import { get, post as postBytes } from '../../../support/bad-input.ts';
import { openRaw } from '../../../support/raw-socket.ts';
import { bearer, projectFile, startTwin, type TestTwin } from '../../../support/twin.ts';

const withStatus = magicValues.filter(({ status }) => status !== undefined);
const slow = magicValues.find(({ wait }) => wait !== undefined);
const valid = { name: 'Rex', categoryId: 1 };

function post(
  twin: TestTwin,
  body: object,
  path = '/pets',
  headers: Record<string, string> = {},
): Promise<Response> {
  const all = { ...bearer('demo-pro'), 'Content-Type': 'application/json', ...headers };
  return fetch(twin.api + path, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

it('is the table of docs/control.md', async () => {
  const text = await readFile(projectFile('docs/control.md'), 'utf8');
  const documented = [
    ...text.matchAll(
      /^\| `(\d+)` \| `(magic:\w+)` \| (?:(\d{3})|the default success after ([\d,]+) ms) \|$/gm,
    ),
  ];
  expect(
    documented.map(([, id, text, status, wait]) => ({
      id,
      text,
      ...(status !== undefined && { status: Number(status) }),
      ...(wait !== undefined && { wait: Number(wait.replace(',', '')) }),
    })),
  ).toEqual(magicValues);
});

it('has ids of 64 bits, beyond what a double counts', () => {
  for (const { id } of magicValues) {
    const integer = parseInteger(id);
    expect(typeof integer).toBe('bigint');
    expect(isInt64(integer ?? 0)).toBe(true);
  }
});

it('answers the status of an id each time, and that of a name, which is not stored', async () => {
  const twin = await startTwin();
  for (const { id, text, status } of withStatus) {
    for (const method of ['GET', 'GET', 'HEAD']) {
      const headers = bearer('demo-pro');
      const response = await fetch(`${twin.api}/pets/${id}`, { method, headers });
      expect(response.status).toBe(status);
      expect(response.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
      expect(response.headers.has('Preference-Applied')).toBe(false);
    }
    const response = await post(twin, { ...valid, name: text });
    expect([response.status, response.headers.get('X-Undocumented-Status')]).toEqual([
      status,
      status === 429 ? null : String(status),
    ]);
    expect(await twin.app.store.count('pets')).toBe(120);
  }
});

it('answers a magic 429 as a window that is used up, and counts it as one call', async () => {
  const twin = await startTwin();
  twin.app.clock.freeze(Date.UTC(2026, 0, 15, 12, 0, 20));
  const { headers } = await fetch(`${twin.api}/pets/9000000000000000429`, {
    headers: bearer('demo-free'),
  });
  expect([
    headers.get('X-RateLimit-Remaining'),
    headers.get('Retry-After'),
    headers.get('Cache-Control'),
  ]).toEqual(['0', '40', 'no-store']);
  const next = await fetch(`${twin.api}/pets`, { headers: bearer('demo-free') });
  expect([next.status, next.headers.get('X-RateLimit-Remaining')]).toEqual([200, '58']);
});

it('answers the slow ones with a success, after their wait', async () => {
  const twin = await startTwin();
  const prefer = { Prefer: 'delay=0' };
  const read = await fetch(`${twin.api}/pets/${slow?.id}`, {
    headers: { ...bearer('demo-pro'), ...prefer },
  });
  expect([read.status, await read.text()]).toEqual([
    200,
    `{"id":${slow?.id},"name":"Rex","categoryId":1,"status":"available"}`,
  ]);
  const created = await post(twin, { ...valid, name: slow?.text }, '/pets', prefer);
  expect([created.status, await created.json()]).toEqual([
    201,
    { id: 121, ...valid, name: slow?.text },
  ]);
  const path = `/v1/pets/${slow?.id}`;
  for (const bytes of [
    get(path, prefer),
    postBytes(JSON.stringify({ ...valid, name: slow?.text }), prefer),
  ]) {
    const connection = await openRaw(twin.origin);
    await connection.send(bytes);
    expect(await connection.next((slow?.wait ?? 0) / 2)).toMatchObject({
      headers: { 'preference-applied': 'delay=0' },
    });
    await connection.finish(0);
  }
  const connection = await openRaw(twin.origin);
  await connection.send(get(path));
  expect((await connection.finish(200)).answers).toEqual([]);
});

it('finds a magic text in a valid body alone', async () => {
  const twin = await startTwin();
  expect((await post(twin, { name: 'magic:500' })).status).toBe(400);
  expect((await post(twin, { ...valid, other: 'magic:500' })).status).toBe(201);
  expect((await post(twin, { ...valid, name: 'Magic:500' })).status).toBe(201);
});

it('asks for a key and for room first, and answers a removed operation as such', async () => {
  const twin = await startTwin();
  const url = `${twin.api}/pets/9000000000000000500`;
  expect((await fetch(url)).status).toBe(401);
  twin.app.clock.freeze(Date.UTC(2030, 11, 5));
  expect((await fetch(url, { headers: bearer('demo-pro') })).status).toBe(410);
});

it('knows no magic when it is off', async () => {
  const twin = await startTwin({ magicValues: false });
  expect(
    (await fetch(`${twin.api}/pets/9000000000000000500`, { headers: bearer('demo-pro') })).status,
  ).toBe(404);
  expect((await post(twin, { ...valid, name: 'magic:500' })).status).toBe(201);
});

it('goes by what an operation does in another document', async () => {
  const twin = await startTwin({ spec: projectFile('tests/support/shelters.yaml') });
  const shelter = {
    name: 'Harbour',
    kind: 'dogs',
    open: false,
    registration: 1000,
    rating: 0.5,
    address: { street: 'Pier 1', postcode: '00001' },
    tags: ['old'],
  };
  expect((await post(twin, { ...shelter, name: 'magic:503' }, '/shelters')).status).toBe(503);
  expect((await post(twin, { ...shelter, kind: 'magic:500' }, '/shelters')).status).toBe(400);
  const headers = bearer('demo-pro');
  const { status } = await fetch(`${twin.api}/shelters/9000000000000000404`, { headers });
  expect(status).toBe(404);
});
