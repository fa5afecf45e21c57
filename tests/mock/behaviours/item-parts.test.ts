import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});
const label = object({ id: { type: 'integer' }, name: text, colour: text }, 'name', 'colour');
const issue = object(
  { id: { type: 'integer', readOnly: true }, title: text, labels: { type: 'array', items: label } },
  'id',
  'labels',
);
const labels = { 200: jsonOf({ type: 'array', items: label }) };
const of = (...names: string[]) => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});
const named = jsonOf(object({ labels: { type: 'array', items: text } }, 'labels'));
const document = toDocument({
  '/issues': {
    get: { responses: { 200: jsonOf({ type: 'array', items: issue }) } },
    post: { requestBody: jsonOf(issue), responses: { 201: jsonOf(issue) } },
  },
  '/issues/{id}': {
    ...of('id'),
    get: { responses: { 200: jsonOf(issue) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/issues/{id}/labels': {
    ...of('id'),
    get: { responses: labels },
    post: { requestBody: named, responses: labels },
    put: { requestBody: named, responses: { 200: jsonOf(issue) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/issues/{id}/labels/{name}': { ...of('id', 'name'), delete: { responses: labels } },
});

it('shows and changes an array of an item', async () => {
  const { call, document: served } = await serveDocument(document);
  const send = (method: string, path: string, body?: object) =>
    call(path, {
      method,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const bug = { name: 'bug', colour: 'red' };
  const { json: made } = await send('POST', '/issues', { title: 'T', labels: [bug] });
  const at = `/issues/${made.id}/labels`;
  const namesIn = (list: { name: string }[]) => list.map(({ name }) => name);
  expect((await send('GET', at)).json).toEqual([bug]);
  expect(namesIn((await send('POST', at, { labels: ['late', 'bug'] })).json)).toEqual([
    'late',
    'bug',
  ]);
  expect(namesIn((await send('DELETE', `${at}/late`)).json)).toEqual(['bug']);
  const { json: replaced } = await send('PUT', at, { labels: ['new'] });
  const whole = { name: 'new', colour: expect.any(String) };
  expect([replaced.title, replaced.labels]).toEqual(['T', [expect.objectContaining(whole)]]);
  expect(namesIn((await send('GET', at)).json)).toEqual(['new']);
  expect((await send('DELETE', at)).status).toBe(204);
  expect((await send('GET', at)).json).toEqual([]);
  expect((await send('GET', '/issues/none/labels')).status).toBe(404);
  expect((await send('POST', '/issues/none/labels', { labels: ['a'] })).status).toBe(404);
  const explained = explain(served).operations.filter(({ path }) => path.includes('labels'));
  expect(explained.map(({ answers }) => answers)).toEqual(Array(5).fill('store'));
  expect(explained[0]?.because).toBe('its path names the labels that an item of issues has');
});

it('adds the item that an id of another collection names, and shows a list of texts', async () => {
  const mark = object({ id: { type: 'integer', readOnly: true }, name: text });
  const topics = object({ topics: { type: 'array', items: text } });
  const repo = object({
    id: { type: 'integer', readOnly: true },
    ...{ marks: { type: 'array', items: mark }, topics: { type: 'array', items: text } },
  });
  const counted = object(
    { count: { type: 'integer' }, marks: { type: 'array', items: mark } },
    'count',
  );
  const ids = object({ marks: { type: 'array', items: { type: 'integer' } } });
  const { call } = await serveDocument(
    toDocument({
      '/marks': { post: { requestBody: jsonOf(mark), responses: { 201: jsonOf(mark) } } },
      '/marks/{id}': { ...of('id'), get: { responses: { 200: jsonOf(mark) } } },
      '/repos': { post: { requestBody: jsonOf(repo), responses: { 201: jsonOf(repo) } } },
      '/repos/{id}': { ...of('id'), get: { responses: { 200: jsonOf(repo) } } },
      '/repos/{id}/marks': {
        ...of('id'),
        get: { responses: { 200: jsonOf(counted) } },
        post: {
          requestBody: jsonOf(ids),
          responses: { 200: jsonOf({ type: 'array', items: mark }) },
        },
      },
      '/repos/{id}/topics': {
        ...of('id'),
        get: { responses: { 200: jsonOf(topics) } },
        put: { requestBody: jsonOf(topics), responses: { 204: { description: 'Done.' } } },
      },
    }),
  );
  const send = (method: string, path: string, body: object) =>
    call(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { json: made } = await send('POST', '/marks', { name: 'late' });
  const { id } = (await send('POST', '/repos', {})).json;
  await send('POST', `/repos/${id}/marks`, { marks: [made.id] });
  expect((await call(`/repos/${id}/marks`)).json).toEqual({ count: 1, marks: [made] });
  await send('PUT', `/repos/${id}/topics`, { topics: ['a', 'b'] });
  expect((await call(`/repos/${id}/topics`)).json).toEqual({ topics: ['a', 'b'] });
});

it('takes nothing that is readOnly of an element but what names it, and keeps what it had', async () => {
  const part = object({
    id: { type: 'integer', readOnly: true },
    ...{ name: text, rank: { type: 'integer', readOnly: true } },
    maker: object({ name: text, role: { ...text, readOnly: true } }),
  });
  const list = { type: 'array', items: part };
  const old = { id: 5, name: 'old', rank: 1, maker: { role: 'first' } };
  const thing = object({ id: { type: 'integer', readOnly: true }, parts: list });
  const counted = object({ count: { type: 'integer' }, parts: list }, 'count');
  const { send } = await serveDocument(
    toDocument({
      '/things': { get: { responses: { 200: jsonOf({ type: 'array', items: thing }) } } },
      '/things/{id}': { ...of('id'), get: { responses: { 200: jsonOf(thing) } } },
      '/things/{id}/parts': {
        ...of('id'),
        get: { responses: { 200: jsonOf(counted) } },
        post: { requestBody: jsonOf(part), responses: { 200: jsonOf(list) } },
        put: { requestBody: jsonOf(list), responses: { 200: jsonOf(list) } },
      },
    }),
    { data: await writeJson({ things: [{ id: 1, parts: [old] }] }) },
  );
  const at = '/things/1/parts';
  const added = { id: 9, name: 'new', maker: { name: 'M' } };
  const sent = { ...added, rank: 99, maker: { name: 'M', role: 'admin' } };
  expect((await send('POST', at, sent)).json).toEqual([old, added]);
  const changed = { ...old, name: 'late', rank: 98 };
  const parts = [{ ...changed, rank: 1 }, added];
  expect((await send('PUT', at, [changed, { name: 'new', rank: 97, maker: {} }])).json).toEqual([
    parts[0],
    { ...added, maker: {} },
  ]);
  expect((await send('PUT', at, parts)).json).toEqual(parts);
  expect((await send('GET', at)).json).toEqual({ count: 2, parts });
});
