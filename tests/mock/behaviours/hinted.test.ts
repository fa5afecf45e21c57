import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const order = {
  type: 'object',
  required: ['number', 'state'],
  properties: { number: { type: 'integer' }, state: { type: 'string' } },
};
const json = (schema: object) => ({
  description: 'Fine.',
  content: { 'application/json': { schema } },
});

it('keeps state for operations at any paths, as the document says what they do', async () => {
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/all-orders': {
        get: {
          'x-twin': { kind: 'list', collection: '/orders', id: 'number' },
          responses: { 200: json({ type: 'array', items: order }) },
        },
      },
      '/order/new': {
        put: {
          'x-twin': { kind: 'create', collection: '/orders' },
          requestBody: json(order),
          responses: { 201: json(order) },
        },
      },
      '/order/{order}/show/{part}': {
        parameters: ['order', 'part'].map((name) => ({
          ...{ name, in: 'path', required: true },
          schema: { type: 'string' },
        })),
        get: {
          'x-twin': { kind: 'read', collection: '/orders', parameter: 'order' },
          responses: { 200: json(order) },
        },
        delete: {
          'x-twin': { kind: 'delete', collection: '/orders', parameter: 'order' },
          responses: { 204: { description: 'Gone.' } },
        },
      },
    },
  });
  const { origin } = await startTwin({ spec, pets: 3 });
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(origin + path, sent);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  expect((await call('GET', '/all-orders')).body).toHaveLength(3);
  const created = await call('PUT', '/order/new', { number: 77, state: 'new' });
  expect(created).toMatchObject({ status: 201, body: { state: 'new' } });
  const path = `/order/${created.body.number}/show/all`;
  expect(await call('GET', path)).toEqual({ status: 200, body: created.body });
  expect((await call('GET', '/all-orders')).body).toHaveLength(4);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('GET', path)).status).toBe(404);
});
