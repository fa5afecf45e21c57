import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const served = { ...integer, readOnly: true };

/** Integers that the service sets: what each begins with, or what is left to the maker of values. */
const counts: Record<string, [schema: object, begins: unknown]> = {
  sold: [served, 0],
  used_count: [served, 0],
  commentsCount: [{ ...served, format: 'int64', minimum: 0 }, 0],
  comments: [{ anyOf: [{ type: 'integer' }, { type: 'null' }], readOnly: true }, 0],
  format: [{ ...integer, description: 'Downloads so far.' }, 0],
  version: [{ ...served, minimum: 1 }, 1],
  depth: [{ ...served, minimum: -3 }, 0],
  revision: [{ ...served, default: 4 }, 4],
  size: [{ ...served, example: 1024 }, 1024],
  level: [{ ...served, enum: [3, 5] }, 3],
  port: [{ ...served, const: 8080 }, 8080],
  stats: [
    schemaOf('{ views!: int, quota!: int(default=9), owner_id!: int }(readOnly=true)'),
    { views: 0, quota: 9, owner_id: expect.toSatisfy((id: number) => id > 0) },
  ],
  warehouse_id: [served, expect.toSatisfy((id: number) => id > 0)],
  shelf: [{ ...served, description: 'The shelf.' }, 0],
  expires_at: [served, expect.toSatisfy((at: number) => at > 0)],
  seen: [{ ...served, description: 'A Unix timestamp.' }, expect.toSatisfy((at: number) => at > 0)],
};
const made = Object.fromEntries(Object.entries(counts).map(([name, [schema]]) => [name, schema]));
const sent = { name: text, stock: integer };
const item = {
  type: 'object',
  required: ['id', ...Object.keys(sent), ...Object.keys(made)],
  properties: { id: served, ...sent, ...made },
};
const document = documentOf(
  `
  GET /products -> [Item]
  POST /products { name!, stock: int } -> 201 Item
  GET /products/{id} -> Item
  `,
  { Item: item },
);

it('begins counts of what is new with 0, and those of generated items with others', async () => {
  const { send } = await serveDocument(document, { pets: 6 });
  const { json: seeds } = await send('GET', '/products');
  expect(new Set(seeds.map(({ sold }: { sold: number }) => sold)).size).toBeGreaterThan(1);
  const { json } = await send('POST', '/products', { name: 'Tea' });
  const begins = Object.entries(counts).map(([name, [, value]]) => [name, value]);
  expect(json).toEqual({
    ...{ id: 7, name: 'Tea', stock: expect.any(Number), ...Object.fromEntries(begins) },
  });
  const { json: other } = await send('POST', '/products', { name: 'Tea', stock: 12, sold: 12 });
  expect([other.stock, other.sold]).toEqual([12, 0]);
});
