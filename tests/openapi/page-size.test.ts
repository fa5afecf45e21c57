import { expect, it } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { boundedPageSize } from '../../contracts/document/stated.ts';
import { compile, type Schema } from '../../openapi/index.ts';

function resourceWith(...parameters: { name: string; schema: Schema }[]) {
  const item = { type: 'object', properties: { id: { type: 'integer' } } };
  const [resource] = compile({
    openapi: '3.1.0',
    paths: {
      '/toys': {
        get: {
          parameters: parameters.map((parameter) => ({ ...parameter, in: 'query' })),
          responses: {
            200: { content: { 'application/json': { schema: { type: 'array', items: item } } } },
          },
        },
      },
    },
    components: { schemas: { Size: { type: 'integer', maximum: 50, default: 10 } } },
  }).resources;
  if (!resource) throw new Error('There is no resource.');
  return resource;
}

it('has the bounds and the default that the interface states for lists (§4.1)', async () => {
  const [pets] = (await compile(builtInDocument)).resources;
  expect(pets?.pageSize).toEqual({ name: 'limit', min: 1, max: 100, default: 20 });
});

it('has what the document says of the page size, and no more', () => {
  const integer = { type: 'integer' };
  expect(resourceWith().pageSize).toBeUndefined();
  expect(resourceWith({ name: 'page', schema: integer }).pageSize).toBeUndefined();
  expect(resourceWith({ name: 'per_page', schema: integer }).pageSize).toEqual({
    name: 'per_page',
  });
  expect(
    resourceWith({ name: 'limit', schema: { $ref: '#/components/schemas/Size' } }).pageSize,
  ).toEqual({ name: 'limit', max: 50, default: 10 });
});

it('is bounded only where the document gives both bounds', () => {
  const size = (schema: Schema) =>
    boundedPageSize(resourceWith({ name: 'limit', schema: { type: 'integer', ...schema } }));
  expect(size({ minimum: 0, maximum: 9 })).toEqual({ name: 'limit', min: 0, max: 9 });
  expect(size({ minimum: 1 })).toBeUndefined();
  expect(size({ maximum: 9, default: 3 })).toBeUndefined();
  expect(boundedPageSize(resourceWith())).toBeUndefined();
});
