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
