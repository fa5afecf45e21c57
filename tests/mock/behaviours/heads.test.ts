import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } };
const total = { 'X-Total-Count': { schema: { type: 'integer' } } };
const none = { description: 'Fine.' };
const paths = {
  '/books': {
    get: {
      parameters: [limit],
      responses: { 200: { ...jsonOf({ type: 'array', items: book }), headers: total } },
    },
    head: { operationId: 'countBooks', responses: { 200: { ...none, headers: total } } },
    post: { requestBody: jsonOf(book), responses: { 201: jsonOf(book) } },
  },
  '/books/{id}': {
    parameters: [id],
    get: { responses: { 200: jsonOf(book), 404: none } },
    head: { operationId: 'hasBook', responses: { 204: none, 404: none } },
    delete: { responses: { 204: none } },
  },
  '/books-there': {
    get: { responses: { 200: { ...jsonOf({ type: 'array', items: book }), headers: total } } },
    head: { operationId: 'hasBooks', responses: { 204: { ...none, headers: total } } },
    post: { requestBody: jsonOf(book), responses: { 201: jsonOf(book) } },
  },
  '/status': {
    get: { responses: { 200: jsonOf({ type: 'object', properties: { up: { const: true } } }) } },
    head: { operationId: 'ping', responses: { 200: none } },
  },
  '/alone': { head: { operationId: 'alone', responses: { 200: none } } },
};

it('answers a HEAD that the document describes as the GET at its path, without content', async () => {
  const { call, lines, origin } = await serveDocument(toDocument(paths), { pets: 5 });
  const head = (path: string) => call(path, { method: 'HEAD' });
  const list = await head('/books?limit=2');
  expect([list.status, list.text]).toEqual([200, '']);
  expect(list.headers.get('X-Total-Count')).toBe('5');
  const there = await head('/books-there');
  expect([there.status, there.headers.get('X-Total-Count')]).toEqual([204, '5']);
  const whole = await (await call('/books?limit=2')).text;
  expect(list.headers.get('Content-Length')).toBe(String(whole.length));
  expect((await head('/books?limit=10')).status).toBe(400);
  expect((await head('/books/5')).status).toBe(204);
  await call('/books/5', { method: 'DELETE' });
  expect((await head('/books/5')).status).toBe(404);
  expect((await head('/status')).type).toBe('application/json');
  expect((await head('/alone')).status).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  const version: any = await (await fetch(`${origin}/__admin/version`)).json();
  expect(version.document.answers).toMatchObject({
    countBooks: 'store',
    hasBook: 'store',
    ping: 'schema',
    alone: 'no content',
  });
  expect(lines.join()).not.toContain('countBooks (');
});
