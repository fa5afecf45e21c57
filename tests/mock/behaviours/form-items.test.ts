import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const refund = {
  type: 'object',
  required: ['id', 'amount', 'status'],
  properties: {
    id: { type: 'string', example: 're_1Nispe2eZvKYlo2Cd31jOCgZ' },
    amount: { type: 'integer' },
    note: { type: 'string' },
    status: { type: 'string', default: 'pending' },
  },
};
const answer = { description: 'One.', content: { 'application/json': { schema: refund } } };
const form = (properties: object, required: string[] = []) => ({
  content: {
    'application/x-www-form-urlencoded': { schema: { type: 'object', properties, required } },
  },
});

it('creates and updates items by forms', async () => {
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Refunds', version: '1' },
    paths: {
      '/refunds': {
        post: {
          operationId: 'PostRefunds',
          requestBody: {
            required: true,
            ...form({ amount: { type: 'integer' }, expand: { type: 'string' } }, ['amount']),
          },
          responses: { 200: answer },
        },
      },
      '/refunds/{refund}': {
        parameters: [{ name: 'refund', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'GetRefund', responses: { 200: answer } },
        post: {
          operationId: 'PostRefund',
          requestBody: form({ note: { type: 'string' } }),
          responses: { 200: answer },
        },
      },
    },
  });
  const { api, document } = await startTwin({ spec, pets: 0 });
  expect(document.operations.map(({ kind }) => kind)).toEqual(['create', 'read', 'update']);
  const call = async (path: string, fields?: Record<string, string>) => {
    const body = fields && new URLSearchParams(fields);
    const response = await fetch(api + path, body && { method: 'POST', body });
    return { status: response.status, json: await response.json() };
  };
  const json = { id: 're_000000000000000000000001', amount: 500, status: 'pending' };
  expect(await call('/refunds', { amount: '500', expand: 'charge' })).toEqual({
    status: 200,
    json,
  });
  expect((await call('/refunds', { amount: 'much' })).status).toBe(400);
  expect(await call(`/refunds/${json.id}`, { note: 'Late' })).toEqual({
    status: 200,
    json: { ...json, note: 'Late' },
  });
  expect((await call(`/refunds/${json.id}`)).json).toEqual({ ...json, note: 'Late' });
});

const typed = {
  type: 'object',
  properties: {
    ...{ id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
    ...{ size: { type: 'integer', format: 'int64' }, price: { type: 'number' } },
    ...{ isOpen: { type: 'boolean' }, sizes: { type: 'array', items: { type: 'integer' } } },
    box: { type: 'object', properties: { depth: { type: 'integer' } } },
  },
};
const texts = Object.fromEntries(
  ['title', 'size', 'price', 'isOpen'].map((name) => [name, { type: 'string' }]),
);
const anyBody = {
  'application/x-www-form-urlencoded': { schema: { type: 'object', properties: texts } },
  'multipart/form-data': { schema: { type: 'object', properties: texts } },
  'application/json': { schema: { type: 'object' } },
};
const typedDocument = toDocument({
  '/boxes': {
    get: { responses: { 200: jsonOf({ type: 'array', items: typed }) } },
    post: { requestBody: { content: anyBody }, responses: { 201: jsonOf(typed) } },
  },
  '/boxes/{id}': {
    parameters: [pathParameter('id')],
    get: { responses: { 200: jsonOf(typed) } },
    put: { requestBody: { content: anyBody }, responses: { 200: jsonOf(typed) } },
    patch: { requestBody: { content: anyBody }, responses: { 200: jsonOf(typed) } },
  },
});
const written = { title: '7', size: '9007199254740993', price: '2.5', isOpen: 'true' };
const more = { sizes: ['1', '2'], box: { depth: '3' } };
const toMultipart = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const withJson = (body: object) => ({
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const encodings: [name: string, init: RequestInit, more?: string][] = [
  ['a form', { body: new URLSearchParams(written) }],
  ['a multipart form', { body: toMultipart(written) }],
  ['JSON', withJson({ ...written, ...more }), ',"sizes":[1,2],"box":{"depth":3}'],
];

it.each(encodings)('reads texts of %s alike in POST, PUT and PATCH', async (_, init, end = '') => {
  const { call } = await serveDocument(typedDocument, { pets: 0 });
  const made = `{"id":1,"title":"7","size":9007199254740993,"price":2.5,"isOpen":true${end}}`;
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { status, text } = await call(method === 'POST' ? '/boxes' : '/boxes/1', {
      method,
      ...init,
    });
    expect([method, status, text]).toEqual([method, method === 'POST' ? 201 : 200, made]);
    const change = { method: 'PATCH', ...withJson({ title: 'x', size: 1, isOpen: false }) };
    if (method === 'PUT') expect((await call('/boxes/1', change)).json.size).toBe(1);
  }
});

it('refuses a change to what stands for no value of its type', async () => {
  const { call } = await serveDocument(typedDocument, { pets: 0 });
  await call('/boxes', { method: 'POST', ...withJson({ size: 1 }) });
  for (const wrong of [{ size: 'x' }, { size: '' }, { size: '1.5' }, { isOpen: 'yes' }]) {
    const change = { method: 'PATCH', body: new URLSearchParams(wrong as Record<string, string>) };
    expect([wrong, (await call('/boxes/1', change)).status]).toEqual([wrong, 400]);
  }
});
