import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

it.each([
  ['sends no listed value that breaks what a body asks for inside of it', { type: 'string' }],
  [
    'judges no guess at a list whose items have a pattern',
    { type: 'string', pattern: '^prd_[0-9a-z]{8}$' },
  ],
])('%s', async (_, product) => {
  const document = documentOf(
    `
    Order: { id!: int, lines!: [object] }
    list: GET /orders -> [Order]
    place: POST /orders { lines!: Lines }! -> 201 Order, 422
    `,
    {
      Lines: {
        type: 'array',
        minItems: 1,
        items: schemaOf('{ product!: Product, quantity!: One }'),
      },
      Product: product,
      One: { type: 'integer', minimum: 1 },
    },
  );
  const { findings, operations } = await verify({ spec: await writeJson(document) });
  expect(findings).toEqual([]);
  expect(operations.find(({ id }) => id === 'place')?.results.twin?.calls).toBeGreaterThan(0);
});
