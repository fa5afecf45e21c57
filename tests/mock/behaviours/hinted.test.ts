import { expect, it } from 'vitest';
import { documentOf, hintsOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

it('keeps state for operations at any paths, as the document says what they do', async () => {
  const { send: call } = await serveDocument(
    documentOf(
      `
      GET /all-orders -> [Order]
      PUT /order/new Order -> 201 Order
      GET /order/{order:text}/show/{part:text} -> Order
      DELETE /order/{order:text}/show/{part:text} -> 204
      `,
      { Order: '{ number!: int, state! }' },
      {
        operations: hintsOf({
          'GET /all-orders': { kind: 'list', collection: '/orders', id: 'number' },
          'PUT /order/new': { kind: 'create', collection: '/orders' },
          'GET /order/{order}/show/{part}': {
            kind: 'read',
            collection: '/orders',
            parameter: 'order',
          },
          'DELETE /order/{order}/show/{part}': {
            kind: 'delete',
            collection: '/orders',
            parameter: 'order',
          },
        }),
      },
    ),
    { pets: 3 },
  );
  expect((await call('GET', '/all-orders')).json).toHaveLength(3);
  const created = await call('PUT', '/order/new', { number: 77, state: 'new' });
  expect(created).toMatchObject({ status: 201, json: { state: 'new' } });
  const path = `/order/${created.json.number}/show/all`;
  expect(await call('GET', path)).toEqual({ status: 200, json: created.json });
  expect((await call('GET', '/all-orders')).json).toHaveLength(4);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
});

const users = `
  POST /users { name } -> 201 { id: int, name }
  GET /users/{user} -> { id: int }`;
const schemas = { Ticket: '{ id!: int, userId: int, title! }' };
const hintOf = (kind: string) => ({ kind, collection: '/tickets' });
const open = 'GET /users/{user}/open -> [Ticket]';
const own = `
  POST /tickets { id: int, userId: int, title! } -> 201 Ticket
  GET /tickets/{ticket} -> Ticket`;

it.each([
  ['before the collection', `${users}\n${open}\n${own}`],
  ['after it', `${users}\n${own}\n${open}`],
])('keeps the parent of a list below an item as a filter, %s', async (_, lines) => {
  const operations = hintsOf({ 'GET /users/{user}/open': hintOf('list') });
  const { send } = await serveDocument(documentOf(lines, schemas, { operations }), { pets: 2 });
  const [ada, bob] = [
    (await send('POST', '/users', { name: 'Ada' })).json.id,
    (await send('POST', '/users', { name: 'Bob' })).json.id,
  ];
  const created = await send('POST', '/tickets', { userId: ada, title: 'Of Ada' });
  expect((await send('GET', `/users/${ada}/open`)).json).toEqual([created.json]);
  expect((await send('GET', `/users/${bob}/open`)).json).toEqual([]);
  expect((await send('GET', '/users/999/open')).status).toBe(404);
});

it('keeps the parent of other operations below an item, too', async () => {
  const lines = `${users}
    POST /users/{user}/add { title } -> 201 Ticket
    GET /users/{user}/show/{ticket} -> Ticket
    GET /tickets -> [Ticket]`;
  const operations = hintsOf({
    'POST /users/{user}/add': hintOf('create'),
    'GET /users/{user}/show/{ticket}': hintOf('read'),
  });
  const { send } = await serveDocument(documentOf(lines, schemas, { operations }));
  const [ada, bob] = [
    (await send('POST', '/users', { name: 'Ada' })).json.id,
    (await send('POST', '/users', { name: 'Bob' })).json.id,
  ];
  const created = await send('POST', `/users/${ada}/add`, { title: 'Of Ada' });
  expect(created).toMatchObject({ status: 201, json: { userId: ada } });
  const { id } = created.json;
  expect(await send('GET', `/users/${ada}/show/${id}`)).toEqual({
    status: 200,
    json: created.json,
  });
  expect((await send('GET', `/users/${bob}/show/${id}`)).status).toBe(404);
  expect((await send('GET', '/tickets')).json).toContainEqual(created.json);
});
