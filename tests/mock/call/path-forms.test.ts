import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

/** A collection at a path, and its items at another with the parameter `id`. */
function collection(list: string, item: string): object {
  return {
    [list]: { get: { responses: { 200: jsonOf({ type: 'array', items: pet }) } } },
    [item]: {
      parameters: [pathParameter('id')],
      get: { responses: { 200: jsonOf(pet) } },
      patch: { requestBody: jsonOf({ ...pet, required: [] }), responses: { 200: jsonOf(pet) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  };
}

it.each([
  ['/some path/é', '/some path/é/{id}', '/some%20path/%C3%A9', '/some%20path/%C3%A9/1'],
  ['/some%20path/%c3%a9', '/some%20path/%c3%a9/{id}', '/some%20path/é', '/some%20path/%c3%A9/1'],
  ['/tickets.json', '/tickets/{id}.json', '/tickets.json', '/tickets/1.json'],
  ['/Products', '/Products({id})', '/Products', '/Products(1)'],
  ['/Products', '/Products({id})', '/Products', '/Products%281%29'],
  ['/Products', "/Products(ID='{id}')", '/Products', "/Products(ID='1')"],
])('keeps the items of %s at %s', async (list, item, listPath, itemPath) => {
  const { call, send } = await serveDocument(toDocument(collection(list, item)));
  const { json } = await call(listPath);
  expect(await send('GET', itemPath)).toEqual({ status: 200, json: json[0] });
  expect(await send('PATCH', itemPath, { name: 'Ada' })).toMatchObject({ json: { name: 'Ada' } });
  expect(await send('GET', itemPath.replace('1', '99'))).toMatchObject({ status: 404 });
  expect(await send('DELETE', itemPath)).toMatchObject({ status: 204 });
  expect(await send('GET', itemPath)).toMatchObject({ status: 404 });
});

it('does what a verb behind a colon says to the item', async () => {
  const order = {
    ...pet,
    properties: { ...pet.properties, status: { enum: ['open', 'cancelled'] } },
  };
  const { send } = await serveDocument(
    toDocument({
      '/orders': { get: { responses: { 200: jsonOf({ type: 'array', items: order }) } } },
      '/orders/{id}': {
        parameters: [pathParameter('id')],
        get: { responses: { 200: jsonOf(order) } },
      },
      '/orders/{id}:cancel': {
        parameters: [pathParameter('id')],
        post: { responses: { 200: jsonOf(order) } },
      },
    }),
  );
  expect(await send('POST', '/orders/1:cancel')).toMatchObject({ json: { status: 'cancelled' } });
  expect(await send('GET', '/orders/1')).toMatchObject({ json: { id: 1, status: 'cancelled' } });
  expect(await send('POST', '/orders/99:cancel')).toMatchObject({ status: 404 });
});

it('serves an operation below the servers of its own, too', async () => {
  const answer = (value: string) => ({
    responses: { 200: jsonOf({ type: 'string' }, { example: value }) },
  });
  const { api, send } = await serveDocument(
    toDocument(
      {
        '/status': { servers: [{ url: '/ops/v9' }], get: answer('status') },
        '/files/{id}': {
          parameters: [pathParameter('id')],
          get: answer('file'),
          put: {
            ...answer('sent'),
            servers: [{ url: 'https://{host}.example/up', variables: {} }],
          },
        },
        '/v2/status': { get: answer('other') },
      },
      { servers: [{ url: '/api' }] },
    ),
  );
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
