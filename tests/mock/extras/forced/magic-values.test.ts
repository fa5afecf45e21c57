import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { magicValues } from '../../../../mock/extras/forced/forced-steps.ts';
import { isInt64, parseInteger } from '../../../../mock/json/exact-json.ts';
import { get, post as postBytes } from '../../../support/bad-input.ts';
import { createSend } from '../../../support/create-send.ts';
import { openRaw } from '../../../support/raw-socket.ts';
import { bearer, projectFile, startTwin, type TestTwin } from '../../../support/twin.ts';

const withStatus = magicValues.filter(({ status }) => status !== undefined);
const slow = magicValues.find(({ wait }) => wait !== undefined);
const valid = { name: 'Rex', categoryId: 1 };

const sendTo = ({ api }: TestTwin) => createSend(api, bearer('demo-pro'));

it('is the table of docs/control.md', async () => {
  const table = await readFile(projectFile('docs/control.md'), 'utf8');
  const row =
    /^\| `(\d+)` \| `(magic:\w+)` \| (?:(\d{3})|the default success after ([\d,]+) ms) \|$/gm;
  const documented = [...table.matchAll(row)].map(([, id, text, status, wait]) => ({
    ...{ id, text },
    ...(status !== undefined && { status: Number(status) }),
    ...(wait !== undefined && { wait: Number(wait.replace(',', '')) }),
  }));
  expect(documented).toEqual(magicValues);
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
  const send = sendTo(twin);
  for (const { id, text, status } of withStatus) {
    for (const method of ['GET', 'GET', 'HEAD']) {
      const answer = await send(method, `/pets/${id}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
      expect(answer.headers.has('Preference-Applied')).toBe(false);
    }
    const made = await send('POST', '/pets', { ...valid, name: text });
    const undocumented = status === 429 ? null : String(status);
    expect(made.status).toBe(status);
    expect(made.headers.get('X-Undocumented-Status')).toBe(undocumented);
    expect(await twin.app.store.count('pets')).toBe(120);
  }
});

it('answers a magic 429 as a window that is used up, and counts it as one call', async () => {
  const twin = await startTwin();
  twin.app.clock.freeze(Date.UTC(2026, 0, 15, 12, 0, 20));
  const send = createSend(twin.api, bearer('demo-free'));
  const { headers } = await send('GET', '/pets/9000000000000000429');
  const names = ['X-RateLimit-Remaining', 'Retry-After', 'Cache-Control'];
  expect(names.map((name) => headers.get(name))).toEqual(['0', '40', 'no-store']);
  const next = await send('GET', '/pets');
  expect([next.status, next.headers.get('X-RateLimit-Remaining')]).toEqual([200, '58']);
});

it('answers the slow ones with a success, after their wait', async () => {
  const twin = await startTwin();
  const prefer = { Prefer: 'delay=0' };
  const send = sendTo(twin);
  const read = await send('GET', `/pets/${slow?.id}`, undefined, prefer);
  const text = `{"id":${slow?.id},"name":"Rex","categoryId":1,"status":"available"}`;
  expect(read).toMatchObject({ status: 200, text });
  const sent = { ...valid, name: slow?.text };
  const created = await send('POST', '/pets', sent, prefer);
  expect([created.status, created.json]).toEqual([201, { id: 121, ...sent }]);
  const path = `/v1/pets/${slow?.id}`;
  for (const bytes of [get(path, prefer), postBytes(JSON.stringify(sent), prefer)]) {
    const connection = await openRaw(twin.origin);
    await connection.send(bytes);
    const headers = { 'preference-applied': 'delay=0' };
    expect(await connection.next((slow?.wait ?? 0) / 2)).toMatchObject({ headers });
    await connection.finish(0);
  }
  const connection = await openRaw(twin.origin);
  await connection.send(get(path));
  expect((await connection.finish(200)).answers).toEqual([]);
});

it('finds a magic text in a valid body alone', async () => {
  const send = sendTo(await startTwin());
  const create = async (body: object) => (await send('POST', '/pets', body)).status;
  expect(await create({ name: 'magic:500' })).toBe(400);
  expect(await create({ ...valid, other: 'magic:500' })).toBe(201);
  expect(await create({ ...valid, name: 'Magic:500' })).toBe(201);
});

it('asks for a key and for room first, and answers a removed operation as such', async () => {
  const twin = await startTwin();
  const url = `${twin.api}/pets/9000000000000000500`;
  expect((await fetch(url)).status).toBe(401);
  twin.app.clock.freeze(Date.UTC(2030, 11, 5));
  expect((await fetch(url, { headers: bearer('demo-pro') })).status).toBe(410);
});

it('knows no magic when it is off', async () => {
  const send = sendTo(await startTwin({ magicValues: false }));
  expect((await send('GET', '/pets/9000000000000000500')).status).toBe(404);
  expect((await send('POST', '/pets', { ...valid, name: 'magic:500' })).status).toBe(201);
});

it('goes by what an operation does in another document', async () => {
  const send = sendTo(await startTwin({ spec: projectFile('tests/support/shelters.yaml') }));
  const shelter = {
    ...{ name: 'Harbour', kind: 'dogs', open: false, registration: 1000, rating: 0.5 },
    ...{ address: { street: 'Pier 1', postcode: '00001' }, tags: ['old'] },
  };
  expect((await send('POST', '/shelters', { ...shelter, name: 'magic:503' })).status).toBe(503);
  expect((await send('POST', '/shelters', { ...shelter, kind: 'magic:500' })).status).toBe(400);
  expect((await send('GET', '/shelters/9000000000000000404')).status).toBe(404);
});
