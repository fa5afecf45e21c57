import { expect, it } from 'vitest';
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
