import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, serveEmpty } from '../../support/serve-document.ts';

/** A collection at a path, and its items at another with the parameter `id`. */
function collection(list: string, item: string): object {
  const { paths, ...document } = documentOf(`
    GET /list -> [{ id!: int, name! }]
    GET /item/{id} -> { id!: int, name! }
    PATCH /item/{id} { id: int, name } -> { id!: int, name! }
    DELETE /item/{id} -> 204
  `);
  return { ...document, paths: { [list]: paths['/list'], [item]: paths['/item/{id}'] } };
}

it.each([
  ['/some path/é', '/some path/é/{id}', '/some%20path/%C3%A9', '/some%20path/%C3%A9/1'],
  ['/some%20path/%c3%a9', '/some%20path/%c3%a9/{id}', '/some%20path/é', '/some%20path/%c3%A9/1'],
  ['/parts[a]', '/parts[a]/{id}', '/parts[a]', '/parts%5Ba%5D/1'],
  ['/tickets.json', '/tickets/{id}.json', '/tickets.json', '/tickets/1.json'],
  ['/Products', '/Products({id})', '/Products', '/Products(1)'],
  ['/Products', '/Products({id})', '/Products', '/Products%281%29'],
  ['/Products', "/Products(ID='{id}')", '/Products', "/Products(ID='1')"],
])('keeps the items of %s at %s', async (list, item, listPath, itemPath) => {
  const { call, send } = await serveDocument(collection(list, item));
  const { json } = await call(listPath);
  expect(await send('GET', itemPath)).toEqual({ status: 200, json: json[0] });
  expect(await send('PATCH', itemPath, { name: 'Ada' })).toMatchObject({ json: { name: 'Ada' } });
  expect(await send('GET', itemPath.replace('1', '99'))).toMatchObject({ status: 404 });
  expect(await send('DELETE', itemPath)).toMatchObject({ status: 204 });
  expect(await send('GET', itemPath)).toMatchObject({ status: 404 });
});

it('keeps items whose paths end in a format, which is checked', async () => {
  const { send } = await serveDocument(`
    GET /pets.{format:Format} -> [Pet]
    POST /pets.{format:Format} Pet -> 201 Pet
    GET /pets/{id}.{format:Format} -> Pet
    Pet: { readonly id!: int, name! }
    Format: "json" | "xml"
  `);
  const { json: made } = await send('POST', '/pets.json', { name: 'Rex' });
  expect(await send('GET', `/pets/${made.id}.xml`)).toEqual({ status: 200, json: made });
  expect(await send('GET', '/pets/99.json')).toMatchObject({ status: 404 });
  expect(await send('GET', `/pets/${made.id}.pdf`)).toMatchObject({ status: 400 });
});

it('takes the second part of a name for no format', async () => {
  const { send } = await serveDocument(`
    POST /files { name, ending } -> 201 File
    GET /files/{name:text}.{ending:text} -> File
    File: { name!, ending! }
  `);
  for (const ending of ['png', 'jpg']) {
    const made = { name: 'cat', ending };
    expect(await send('POST', '/files', made)).toEqual({ status: 201, json: made });
    expect(await send('GET', `/files/cat.${ending}`)).toEqual({ status: 200, json: made });
  }
});

it('does what a verb behind a colon says to the item', async () => {
  const { send } = await serveDocument(`
    GET /orders -> [Order]
    GET /orders/{id} -> Order
    POST /orders/{id}:cancel -> Order
    Order: { id!: int, name!, status: "open" | "cancelled" }
  `);
  expect(await send('POST', '/orders/1:cancel')).toMatchObject({ json: { status: 'cancelled' } });
  expect(await send('GET', '/orders/1')).toMatchObject({ json: { id: 1, status: 'cancelled' } });
  expect(await send('POST', '/orders/99:cancel')).toMatchObject({ status: 404 });
});

it('reads all paths without the suffix that those of items have', async () => {
  const { send } = await serveEmpty(`
    POST /orders.json { order: Order } -> 201 { order: Order }
    GET /orders/{id}.json -> { order: Order }
    POST /orders/{id}/close.json -> { order: Order }
    POST /orders/{id}/notes.json { note: Note } -> 201 { note: Note }
    GET /notes/{note_id}.json -> { note: Note }
    Order: { readonly id!: int, name!, status: "open" | "closed" }
    Note: { readonly id!: int, text! }
  `);
  await send('POST', '/orders.json', { order: { name: 'A', status: 'open' } });
  const closed = { order: { id: 1, name: 'A', status: 'closed' } };
  expect(await send('POST', '/orders/1/close.json')).toMatchObject({ json: closed });
  expect(await send('GET', '/orders/1.json')).toMatchObject({ json: closed });
  const { json } = await send('POST', '/orders/1/notes.json', { note: { text: 'Hi' } });
  expect(await send('GET', '/notes/1.json')).toEqual({ status: 200, json });
});

it('serves an operation below the servers of its own, too', async () => {
  const answer = (value: string) => ({
    responses: { 200: jsonOf({ type: 'string' }, { example: value }) },
  });
  const servers = [{ url: 'https://{host}.example/up', variables: {} }];
  const document = documentOf(
    `
    GET /status -> 200
    GET /files/{id} -> 200
    PUT /files/{id} -> 200
    GET /v2/status -> 200
    `,
    {},
    {
      servers: [{ url: '/api' }],
      operations: {
        'GET /status': answer('status'),
        'GET /files/{id}': answer('file'),
        'PUT /files/{id}': { ...answer('sent'), servers },
        'GET /v2/status': answer('other'),
      },
    },
  );
  Object.assign(document.paths['/status'] ?? {}, { servers: [{ url: '/ops/v9' }] });
  const { api, send } = await serveDocument(document);
  const origin = new URL(api).origin;
  const answers = await Promise.all(
    [
      ['GET', '/ops/v9/status'],
      ['GET', '/api/status'],
      ['PUT', '/up/files/1?a=%20'],
      ['GET', '/ops/v9/files/1'],
    ].map(async ([method, path]) => {
      const response = await fetch(origin + path, { method: method as string });
      return response.ok ? response.json() : response.status;
    }),
  );
  expect(answers).toEqual(['status', 'status', 'sent', 404]);
  expect(await send('GET', '/v2/status')).toMatchObject({ json: 'other' });
});
