import { expect, it } from 'vitest';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const toLines = (product: object) => ({
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['product', 'quantity'],
    properties: { product, quantity: { type: 'integer', minimum: 1 } },
  },
});

it.each([
  ['sends no listed value that breaks what a body asks for inside of it', { type: 'string' }],
  [
    'judges no guess at a list whose items have a pattern',
    { type: 'string', pattern: '^prd_[0-9a-z]{8}$' },
  ],
])('%s', async (_, product) => {
  const shown = { type: 'array', items: { type: 'object' } };
  const order = {
    type: 'object',
    required: ['id', 'lines'],
    properties: { id: { type: 'integer' }, lines: shown },
  };
  const asked = { type: 'object', required: ['lines'], properties: { lines: toLines(product) } };
  const error = { description: 'refused' };
  const document = toDocument({
    '/orders': {
      get: { operationId: 'list', responses: { 200: jsonOf({ type: 'array', items: order }) } },
      post: {
        operationId: 'place',
        requestBody: { ...jsonOf(asked), required: true },
        responses: { 201: jsonOf(order), 422: error },
      },
    },
  });
  const { findings, operations } = await verify({ spec: await writeJson(document) });
  expect(findings).toEqual([]);
  expect(operations.find(({ id }) => id === 'place')?.results.twin?.calls).toBeGreaterThan(0);
});
