import { readFile, writeFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { builtInDocument } from '../../../../common/built-in-document.ts';
import { pinRows } from '../../../../mock/extras/pins/answers.ts';
import { compile } from '../../../../openapi/index.ts';
import { createTwin } from '../../../../package/twin.ts';
import { type Got, post, startPinned, toPins } from '../../../support/pinned-twin.ts';
import { bearer, projectFile, startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const { silences } = await compile(builtInDocument);
const pet = { name: 'Pin', categoryId: 1 };

it('says of each silence what it can be pinned to, or why it cannot', () => {
  expect(Object.keys(pinRows).toSorted()).toEqual(silences.map(({ id }) => id).toSorted());
});

function listed({ body }: Got): { id: number; name: string }[] {
  return body as { id: number; name: string }[];
}

const limits: [answer: unknown, query: string, expected: number | string][] = [
  ['ignored', 'abc', 20],
  ['clamped', '0', 1],
  ['clamped', '1000', 100],
  ['clamped', 'abc', 20],
  ['empty-list', '101', 0],
  [422, '-1', '422 invalid_parameter'],
  [{ status: 400, code: 'bad' }, '1.5', '400 bad'],
  [{ zero: 422, above: 'clamped' }, '101', 100],
  [{ zero: 422 }, '101', '400 invalid_parameter'],
];

it.each(limits)('answers a limit pinned to %j for limit=%s', async (answer, limit, expected) => {
  const call = await startPinned({ 'limit-out-of-range': answer });
  const { status, body } = await call(`/pets?limit=${limit}`);
  const shown = Array.isArray(body) ? body.length : `${status} ${(body as { code: string }).code}`;
  expect(shown).toBe(expected);
  expect(listed(await call('/pets?limit=3'))).toHaveLength(3);
});

type Try = [silence: string, answer: unknown, line: string, init: RequestInit, expected: object];

const asText = { 'Content-Type': 'text/plain' };
const withX = post({ ...pet, x: 1 });
const noOrders = { status: 200, json: { orders: [] } };
const plainNo = { path: { text: 'No', mediaType: 'text/plain' } };
const coded = { not_found: { code: 'E404', members: { trace: 1 } } };
const E404 = { status: 404, body: { code: 'E404', status: 404, trace: 1 } };
const without = { head: { status: 405, text: '' } };

const refusals: Try[] = [
  ['unknown-status-filter', 'empty-list', '/pets?status=lost', {}, { status: 200, body: [] }],
  ['unknown-status-filter', 422, '/pets?status=lost', {}, { status: 422 }],
  ['unknown-query-parameter', 400, '/pets?x=1', {}, { status: 400 }],
  ['unknown-body-field', 422, '/pets', withX, { status: 422 }],
  ['unknown-body-field', 'stored', '/pets', withX, { status: 201, body: { x: 1 } }],
  ['default-status', { status: 'sold' }, '/pets', post(pet), { body: { status: 'sold' } }],
  ['unknown-body-field', 422, '/pets', post({ ...pet, id: 7 }), { status: 422 }],
  ['unknown-category', 404, '/pets', post({ ...pet, categoryId: 987 }), { status: 404 }],
  ['unknown-category', 404, '/pets', post(pet), { status: 201 }],
  ['empty-name', 400, '/pets', post({ ...pet, name: ' ' }), { status: 400 }],
  ['unusual-name', { max: 2, tooLong: 422 }, '/pets', post(pet), { status: 422 }],
  ['media-type', 'accepted', '/pets', post(pet, asText), { status: 201 }],
  ['media-type', 400, '/pets', post(pet, asText), { status: 400 }],
  ['body-size', { max: 10, answer: 400 }, '/pets', post(pet), { status: 400 }],
  ['pet-id-form', { text: 400 }, '/pets/abc', {}, { status: 400 }],
  ['pet-id-form', { text: 400 }, '/pets/999999', {}, { status: 404 }],
  ['pet-id-form', 422, '/pets/1.0', {}, { status: 422 }],
  ['pet-id-form', { beyond: 422 }, '/pets/9223372036854775808', {}, { status: 422 }],
  ['orders-payload', noOrders, '/store/orders', {}, { body: { orders: [] } }],
  ['orders-payload', { status: 204, text: '' }, '/store/orders', {}, { status: 204, body: '' }],
  ['unknown-path', plainNo, '/nothing', {}, { status: 404, body: 'No' }],
  ['unknown-path', { method: 501 }, '/pets/1', { method: 'DELETE' }, { status: 501 }],
  ['error-codes', coded, '/pets/999999', {}, E404],
  ['head-and-options', without, '/pets', { method: 'HEAD' }, { status: 405 }],
  ['further-members', { tags: [] }, '/pets/1', {}, { body: { tags: [] } }],
];

it.each(refusals)('pins %s to %j', async (silence, answer, path, init, expected) => {
  const call = await startPinned({ [silence]: answer });
  expect(await call(path, init)).toMatchObject(expected);
});

it('lists the newest first', async () => {
  const names = ['b', 'd', 'c', 'a', 'e'];
  const data = { pets: names.map((name) => ({ name, categoryId: 1 })) };
  const call = await startPinned({ 'list-order': 'newest-first' }, { data });
  expect(listed(await call('/pets?limit=3')).map(({ id }) => id)).toEqual([5, 4, 3]);
});

it('refuses a repeated item', async () => {
  const refuse = await startPinned({ 'repeated-create': { by: 'name', answer: 409 } });
  expect((await refuse('/pets', post(pet))).status).toBe(201);
  expect((await refuse('/pets', post({ ...pet, categoryId: 2 }))).status).toBe(409);
  const whole = await startPinned({ 'repeated-create': { by: 'body', answer: 409 } });
  expect((await whole('/pets', post(pet))).status).toBe(201);
  expect((await whole('/pets', post({ ...pet, categoryId: 2 }))).status).toBe(201);
  expect((await whole('/pets', post(pet))).status).toBe(409);
});

it('gives scattered ids, and reads items by them', async () => {
  for (const ids of ['random', 'random-64']) {
    const call = await startPinned({ 'new-id': ids });
    const created = await Promise.all([1, 2, 3].map(() => call('/pets', post(pet))));
    const given = created.map(({ body }) => (body as { id: number }).id);
    expect(new Set(given).size).toBe(3);
    expect(Math.max(...given)).toBeGreaterThan(1e9);
  }
});

it('sends the headers that are pinned, and lacks those that the deployment lacks', async () => {
  const call = await startPinned({
    'head-and-options': { cors: 'with-origin' },
    'deprecation-headers': { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' },
    'further-headers': {
      '*': { Server: 'shop', Vary: null },
      'createPet 201': { Location: '/v1/pets/{id}' },
      'listPets 200': { ETag: 'W/"{etag}"' },
    },
  });
  const list = await call('/pets');
  expect(list.headers.get('Server')).toBe('shop');
  expect(list.headers.get('ETag')).toMatch(/^W\/"[\w-]{27}"$/);
  expect(list.headers.has('Vary')).toBe(false);
  expect(list.headers.has('Access-Control-Allow-Origin')).toBe(false);
  const crossing = await call('/pets', { headers: { Origin: 'http://localhost:5173' } });
  expect(crossing.headers.get('Access-Control-Allow-Origin')).toBe('*');
  const { headers, body } = await call('/pets', post(pet));
  expect(headers.get('Location')).toBe(`/v1/pets/${(body as { id: number }).id}`);
  const read = await call('/pets/1');
  expect(read.headers.get('Sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  expect(read.headers.has('Deprecation')).toBe(false);
  expect((await call('/nothing')).headers.has('ETag')).toBe(false);
});

it('never serves markup of a deployment as a page', async () => {
  const page = { text: '<script>1</script>', mediaType: 'text/html' };
  const call = await startPinned({ 'unknown-path': { path: page } });
  expect((await call('/nothing')).body).toBe('&lt;script>1&lt;/script>');
});

it('says what it is pinned to, in the admin, on the start page and in the reference', async () => {
  const call = await startPinned({ 'media-type': 'accepted' });
  expect((await call('/__admin/version')).body).toMatchObject({
    pinned: { target: 'http://shop.test/v1', silences: ['media-type'] },
  });
  expect((await call('/__docs/silences.html')).body).toContain('GET /pets: 200');
});

it('leaves what the twin answers by itself as it is', async () => {
  const call = await startPinned({ 'error-codes': { not_found: { code: 'X' } } });
  const forced = await call('/pets/1', { headers: { Prefer: 'code=404' } });
  expect(forced.body).toMatchObject({ code: 'not_found' });
});

const noPage = { 'orders-payload': { json: [], mediaType: 'text/html' } };
const ofContent = { 'further-headers': { '*': { 'Content-Type': 'text/html' } } };
const values = 'is not one of its values: ignored, empty-list or an error.';

it.each<[answers: Record<string, unknown>, says: string]>([
  [
    { 'unknown-status-filter': 'maybe' },
    `The pin of unknown-status-filter cannot be used: "maybe" ${values}`,
  ],
  [{ 'media-type': 200 }, '200 is not one of its values'],
  [{ 'limit-out-of-range': { over: 400 } }, '{"over":400} is not one of'],
  [{ 'pet-id-form': { text: 'x' } }, '{"text":"x"} is not one of'],
  [{ events: 'none' }, 'The pin of events cannot be used: the mock sends none'],
  [ofContent, 'is not one of its values'],
  [noPage, 'is not one of'],
  [{ ban: { strikes: 2 } }, '{"strikes":2} is not one of'],
  [{ 'error-codes': { lost: 404 } }, '{"lost":404} is not one of'],
  [{ 'body-size': { max: 10 } }, '{"max":10} is not one of'],
  [{ nothing: 1 }, "($['x-silences'][?@.id=='nothing']) selects nothing. Pin one of"],
])('refuses %j in one line', async (answers, says) => {
  await expect(createTwin({ pins: toPins(answers) })).rejects.toThrow(says);
  await expect(createTwin({ pins: toPins(answers) })).rejects.toThrow(/^[^\n]+$/);
});

const stated: [target: string, action: object][] = [
  ["$.paths['/pets'].get", { update: { summary: 'x' } }],
  ["$['x-silences'][0]", { update: { twin: 'x' } }],
  ["$['x-silences'][0]", { remove: true }],
  ['$', { update: { openapi: '3.0.0' } }],
];

it.each(stated)('refuses an action on %s that is no pin', async (target, action) => {
  const actions = [{ target, ...action }];
  const pins = { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions };
  const problem = `action 1 (${target}) changes the document, and pins only answer silences`;
  await expect(createTwin({ pins })).rejects.toThrow(problem);
});

it('documents what each silence can be pinned to', async () => {
  const docs = await readFile(projectFile('docs/calibrate.md'), 'utf8');
  const rows = Object.entries(pinRows).map(
    ([id, row]) => `| \`${id}\` | ${typeof row === 'string' ? `none: ${row}` : row.answers} |`,
  );
  expect(docs).toContain(rows.join('\n'));
});

it('follows the file of pins, and keeps those of before where it is wrong', async () => {
  const file = await writeJson(toPins({ 'media-type': 400 }));
  const twin = await startTwin({ pins: file, watch: true });
  const sent = post(pet, { ...bearer('demo-free'), 'Content-Type': 'text/plain' });
  const status = async () => (await fetch(`${twin.api}/pets`, sent)).status;
  const logs = (text: string) =>
    vi.waitFor(() => expect(twin.lines.join('\n')).toContain(text), { timeout: 10_000 });
  expect(await status()).toBe(400);
  await writeFile(file, JSON.stringify(toPins({ 'media-type': 'accepted' })));
  await logs('Reloaded pins.');
  expect(await status()).toBe(201);
  await writeFile(file, JSON.stringify(toPins({ 'media-type': 'maybe' })));
  await logs('Not reloaded');
  expect(await status()).toBe(201);
});
