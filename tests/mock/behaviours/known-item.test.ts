import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';

const book = { $ref: '#/components/schemas/Book' };
const document = documentOf(
  `
  GET /books -> [Book]
  GET /books/{id:text} -> Book
  GET /shops -> [Book]
  POST /shops Book -> 201 Book
  GET /shops/{shop:text} -> Book
  POST /shops/{shop:text} -> { sum: int }, 404
  GET /shops/{shop:text}/sales -> [Book]
  GET /shops/{shop:text}/sales/{id:text} -> Book
  POST /shops/{shop:text}/sales/{id:text} -> { sum: int }, 410
  GET /notes -> [Book]
  GET /notes/{id:text} -> Book
  POST /notes/{id:text} -> { sum: int }
  `,
  { Book: '{ id!: int, title }' },
  { openapi: '3.2.0' },
);
Object.assign(document.paths['/books/{id}'] ?? {}, {
  additionalOperations: { COPY: { responses: { 201: jsonOf(book) } } },
});

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
