import { expect, it } from 'vitest';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { compile } from '../../../openapi/index.ts';
import { schemaOf } from '../../support/document-of.ts';

const Node = schemaOf('{| id!: Id, next/one: Node, parts: [Node], owner: Node | null |}');

/** A document of so many schemas, and how it is validated. */
function validatorOf(count: number, others: object = {}) {
  const fill = Array.from({ length: count }, (_, index) => [`S${index}`, { type: 'string' }]);
  const document = compile({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses: {} } } },
    components: {
      schemas: {
        Id: { type: 'integer', minimum: 1 },
        Node,
        ...Object.fromEntries(fill),
        ...others,
      },
    },
  });
  return createSchemaCompiler(document)({ $ref: '#/components/schemas/Node' });
}

it.each([
  { id: 1, owner: null, parts: [{ id: 2, parts: [] }], 'next/one': { id: 3 } },
  { id: 0 },
  { parts: [{ id: 1 }, { parts: [{ id: 'x', more: 1 }] }] },
  { id: 1, 'next/one': { id: 2, 'next/one': { id: -1 } } },
  { id: 1, owner: { id: 1, owner: 7 } },
  { id: 1, owner: 'nobody' },
  [],
])('finds the same in %j, whether references are compiled first or when needed', (value) => {
  for (const bytes of [100, 100_000])
    expect(validatorOf(200)(value, bytes, '/at')).toEqual(validatorOf(0)(value, bytes, '/at'));
});

it('knows what a reference has evaluated, where a schema asks', () => {
  const Base = { type: 'object', properties: { id: { type: 'integer' } } };
  const base = { $ref: '#/components/schemas/Base' };
  const Closed = { type: 'object', allOf: [base], unevaluatedProperties: false };
  const validate = validatorOf(200, { Base, Node: Closed });
  expect(validate({ id: 1 })).toBeUndefined();
  expect(validate({ id: 1, more: 2 })).toHaveLength(1);
});
