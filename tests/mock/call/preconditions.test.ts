import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { type ServedDocument, serveDocument } from '../../support/serve-document.ts';

const document = documentOf(`
  GET /books -> [Book]
  POST /books Book -> 201 Book
  GET /books/{id} -> Book
  PUT /books/{id} Book -> Book, 201 Book, 412
  PATCH /books/{id} Book -> Book, 412
  DELETE /books/{id} -> 204, 412
  GET /shelf -> { title }
  PATCH /shelf { title } -> { title }, 412
  Book: { readonly id!: int, title! }
`);
const headers = { ETag: { schema: { type: 'string' } } };
for (const [path, item] of Object.entries(document.paths))
  for (const [method, { responses }] of Object.entries(item))
    if (path !== '/books' || method === 'post')
      for (const status of [200, 201]) Object.assign(responses?.[status] ?? {}, { headers });

const stores = {
  memory: async () => 'memory',
  SQLite: async () => `sqlite:${join(makeFolder(), 'twin.db')}`,
};

it.each(Object.entries(stores))(
  'of calls at once that expect the same tag, lets one change the item in %s',
  async (_, open) => {
    const { call } = await serveDocument(document, { store: await open(), pets: 0 });
    await call('/books', send('POST', {}, 'A'));
    for (const path of ['/books/1', '/shelf', '/books/7']) {
      const tag = (await call(path)).headers.get('etag');
      const isNew = path === '/books/7';
      const match = isNew ? { 'If-None-Match': '*' } : { 'If-Match': String(tag) };
      const methods = isNew ? ['PUT', 'PUT'] : ['PATCH', path === '/shelf' ? 'PATCH' : 'PUT'];
      const sent = Array.from({ length: 8 }, (_, n) => methods[n % 2] as string);
      const statuses = await Promise.all(
        sent.map(async (method, n) => (await call(path, send(method, match, `${n}`))).status),
      );
      const done = statuses.filter((status) => status < 300);
      expect([path, done.length, new Set(statuses)]).toEqual([path, 1, new Set([...done, 412])]);
    }
    expect(await race(call, 'DELETE')).toEqual([204, 404]);
  },
);

it('lets calls that expect any tag change an item one after another', async () => {
  const { call } = await serveDocument(document, { pets: 1 });
  const all = Array.from({ length: 8 }, (_, n) =>
    call('/books/1', send('PATCH', { 'If-Match': '*' }, `${n}`)),
  );
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

/** The statuses of two calls at once, of which one expects the item as it is. */
async function race(call: ServedDocument['call'], method: string): Promise<number[]> {
  const tag = String((await call('/books/1')).headers.get('etag'));
  const all = ['x', 'y'].map((title) => call('/books/1', send(method, { 'If-Match': tag }, title)));
  return (await Promise.all(all)).map(({ status }) => status).toSorted();
}

function send(method: string, headers: Record<string, string>, title: string): RequestInit {
  const body = method === 'DELETE' ? {} : { body: JSON.stringify({ title }) };
  return { method, ...body, headers: { 'Content-Type': 'application/json', ...headers } };
}

it.each([409, 412])(
  'refuses a deletion whose query says what the item no longer has with %i',
  async (status) => {
    const { send } = await serveDocument(`
      GET /carts/{id} -> Cart
      PUT /carts/{id} Cart! -> Cart
      DELETE /carts/{id}?version!:int&why -> 204, ${status}, 404
      DELETE /carts/{id}/lines?version:int -> 204
      Cart: { readonly id!: int, version!: int, why: object }
    `);
    await send('PUT', '/carts/1', { version: 7 });
    expect((await send('DELETE', '/carts/1?version=6')).status).toBe(status);
    expect((await send('DELETE', '/carts/99?version=6')).status).toBe(404);
    expect((await send('GET', '/carts/1')).json).toMatchObject({ version: 7 });
    expect((await send('DELETE', '/carts/1?version=7&why=x')).status).toBe(204);
    expect((await send('GET', '/carts/1')).status).toBe(404);
  },
);
