import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const document = documentOf(
  `
  GET /books?limit:Limit -> [Book]
  countBooks: HEAD /books -> 200
  POST /books Book -> 201 Book
  GET /books/{id} -> Book, 404
  hasBook: HEAD /books/{id} -> 204, 404
  DELETE /books/{id} -> 204
  GET /books-there -> [Book]
  hasBooks: HEAD /books-there -> 204
  POST /books-there Book -> 201 Book
  GET /status -> { up: true }
  ping: HEAD /status -> 200
  alone: HEAD /alone -> 200
  `,
  { Book: '{ id!: int, title! }', Limit: { type: 'integer', maximum: 9 } },
);
for (const path of ['/books', '/books-there'])
  for (const method of ['get', 'head'])
    for (const response of Object.values(document.paths[path]?.[method].responses))
      Object.assign(response as object, {
        headers: { 'X-Total-Count': { schema: { type: 'integer' } } },
      });

it('answers a HEAD that the document describes as the GET at its path, without content', async () => {
  const { call, lines, origin } = await serveDocument(document, { pets: 5 });
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
