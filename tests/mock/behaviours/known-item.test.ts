import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const book = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, title: text },
};
const itemOf = (...names: string[]) => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});
const missing = { description: 'No such thing.' };
const copy = { responses: { 201: jsonOf(book) } };
const list = { get: { responses: { 200: jsonOf({ type: 'array', items: book }) } } };
const read = { responses: { 200: jsonOf(book) } };
const sum = { 200: jsonOf({ type: 'object', properties: { sum: { type: 'integer' } } }) };
const post = (more: object) => ({ post: { responses: { ...sum, ...more } } });

const document = {
  ...toDocument({
    '/books': list,
    '/books/{id}': { ...itemOf('id'), get: read, additionalOperations: { COPY: copy } },
    '/shops': { ...list, post: { requestBody: jsonOf(book), responses: { 201: jsonOf(book) } } },
    '/shops/{shop}': { ...itemOf('shop'), get: read, ...post({ 404: missing }) },
    '/shops/{shop}/sales': { ...itemOf('shop'), ...list },
    '/shops/{shop}/sales/{id}': { ...itemOf('shop', 'id'), get: read, ...post({ 410: missing }) },
    '/notes': list,
    '/notes/{id}': { ...itemOf('id'), get: read, ...post({}) },
  }),
  openapi: '3.2.0',
};

it('refuses what is about an item that does not exist, though nothing is known of what it does', async () => {
  const { call } = await serveDocument(document);
  const statusOf = async (method: string, path: string) => (await call(path, { method })).status;
  expect(await statusOf('COPY', '/books/1')).toBe(201);
  expect(await statusOf('COPY', '/books/99')).toBe(404);
  expect(await statusOf('POST', '/shops/1')).toBe(200);
  expect(await statusOf('POST', '/shops/99')).toBe(404);
  expect(await statusOf('POST', '/shops/1/sales/1')).toBe(200);
  expect(await statusOf('POST', '/shops/2/sales/1')).toBe(410);
  expect(await statusOf('POST', '/shops/99/sales/1')).toBe(410);
  // Nothing says that this one is about an item.
  expect(await statusOf('POST', '/notes/99')).toBe(200);
});

it('repeats no query of a request, which may hold a key', async () => {
  const { call } = await serveDocument(document, { onDeleteParent: 'refuse' });
  for (const path of ['/books/99', '/shops/99/sales', '/shops/1/sales/99']) {
    const { status, json } = await call(`${path}?api_key=secret`);
    expect([status, json.message]).toEqual([404, expect.stringContaining(`at ${path}`)]);
    expect(json.message).not.toContain('secret');
  }
  const headers = { Prefer: 'code=404' };
  const forced = await call('/shops/1?api_key=secret', { method: 'POST', headers });
  expect(forced.json.message).toBe('There is nothing at /shops/1.');
});
