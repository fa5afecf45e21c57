import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const order = {
  type: 'object',
  required: ['number', 'state'],
  properties: { number: { type: 'integer' }, state: { type: 'string' } },
};

it('keeps state for operations at any paths, as the document says what they do', async () => {
  const { send: call } = await serveDocument(
    toDocument({
      '/all-orders': {
        get: {
          'x-twin': { kind: 'list', collection: '/orders', id: 'number' },
          responses: { 200: jsonOf({ type: 'array', items: order }) },
        },
      },
      '/order/new': {
        put: {
          'x-twin': { kind: 'create', collection: '/orders' },
          requestBody: jsonOf(order),
          responses: { 201: jsonOf(order) },
        },
      },
      '/order/{order}/show/{part}': {
        parameters: ['order', 'part'].map((name) => ({
          ...{ name, in: 'path', required: true },
          schema: { type: 'string' },
        })),
        get: {
          'x-twin': { kind: 'read', collection: '/orders', parameter: 'order' },
          responses: { 200: jsonOf(order) },
        },
        delete: {
          'x-twin': { kind: 'delete', collection: '/orders', parameter: 'order' },
          responses: { 204: { description: 'Gone.' } },
        },
      },
    }),
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

const ticket = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer' },
    userId: { type: 'integer' },
    title: { type: 'string' },
  },
};
const number = (name: string) => ({
  ...{ name, in: 'path', required: true },
  schema: { type: 'integer' },
});
const userPaths = {
  '/users': {
    post: {
      requestBody: jsonOf({ type: 'object', properties: { name: { type: 'string' } } }),
      responses: {
        201: jsonOf({
          type: 'object',
          properties: { id: { type: 'integer' }, name: { type: 'string' } },
        }),
      },
    },
  },
  '/users/{user}': {
    parameters: [number('user')],
    get: {
      responses: { 200: jsonOf({ type: 'object', properties: { id: { type: 'integer' } } }) },
    },
  },
};
const hintOf = (kind: string) => ({ kind, collection: '/tickets' });
const listBelow = {
  parameters: [number('user')],
  get: { 'x-twin': hintOf('list'), responses: { 200: jsonOf({ type: 'array', items: ticket }) } },
};
const ownPaths = {
  '/tickets': {
    post: {
      requestBody: jsonOf({ ...ticket, required: ['title'] }),
      responses: { 201: jsonOf(ticket) },
    },
  },
  '/tickets/{ticket}': {
    parameters: [number('ticket')],
    get: { responses: { 200: jsonOf(ticket) } },
  },
};

it.each([
  ['before the collection', { '/users/{user}/open': listBelow, ...ownPaths }],
  ['after it', { ...ownPaths, '/users/{user}/open': listBelow }],
])('keeps the parent of a list below an item as a filter, %s', async (_, paths) => {
  const { send } = await serveDocument(toDocument({ ...userPaths, ...paths }), { pets: 2 });
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
  const { send } = await serveDocument(
    toDocument({
      ...userPaths,
      '/users/{user}/add': {
        parameters: [number('user')],
        post: {
          'x-twin': hintOf('create'),
          requestBody: jsonOf({ type: 'object', properties: { title: { type: 'string' } } }),
          responses: { 201: jsonOf(ticket) },
        },
      },
      '/users/{user}/show/{ticket}': {
        parameters: [number('user'), number('ticket')],
        get: { 'x-twin': hintOf('read'), responses: { 200: jsonOf(ticket) } },
      },
      '/tickets': { get: { responses: { 200: jsonOf({ type: 'array', items: ticket }) } } },
    }),
  );
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
