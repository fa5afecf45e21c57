import { expect, it } from 'vitest';
import { surelyFits } from '../../../mock/json/surely-fits.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { compile, type Schema } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';

const kind = { type: 'string', enum: ['cat', 'dog'], description: 'What it is' };
const document = compile({ ...toDocument({}), components: { schemas: { Kind: kind } } });
const animal = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    kind: { $ref: '#/components/schemas/Kind' },
    age: { type: 'integer', format: 'int64' },
  },
};
const schemas: Schema[] = [
  animal,
  { type: 'array', items: animal },
  { allOf: [animal, { type: 'object', required: ['id'], properties: { id: { type: 'number' } } }] },
  { type: 'string', minLength: 3 },
  { type: 'boolean', 'x-note': 'extension' },
  { type: ['string', 'null'] },
  { type: ['string', 'null'], format: 'date' },
  { type: 'string', format: 'of-ours' },
];
const values = [
  ...[{ name: 'Rex' }, { name: 'Rex', kind: 'dog', age: 3 }, { name: 'Rex', id: 1.5 }],
  ...[{}, { name: 1 }, { name: 'Rex', kind: 'bird' }, { name: 'Rex', age: 0.5 }],
  ...[
    { name: 'Rex', age: 1e300 },
    [],
    [{ name: 'Rex' }],
    [{}],
    null,
    true,
    'Rex',
    'no',
    7,
    '2030-12-31',
  ],
];

it('takes no value for fitting that the validator refuses, and most others at once', () => {
  const compile = createSchemaCompiler(document);
  const fitting = schemas.flatMap((schema) =>
    values.filter((value) => surelyFits(document, schema, value)).map((value) => [schema, value]),
  );
  for (const [schema, value] of fitting) {
    const validate = compile(schema as Schema);
    // It looks at no value itself once it has seen many.
    for (let seen = 0; seen < 200; seen++) validate(value);
    expect([value, validate(value)]).toEqual([value, undefined]);
  }
  expect(fitting.map(([, value]) => value)).toEqual([
    ...[{ name: 'Rex' }, { name: 'Rex', kind: 'dog', age: 3 }, { name: 'Rex', id: 1.5 }],
    ...[[], [{ name: 'Rex' }]],
    { name: 'Rex', id: 1.5 },
    true,
    ...[null, 'Rex', 'no', '2030-12-31'],
    ...[null, '2030-12-31'],
    ...['Rex', 'no', '2030-12-31'],
  ]);
});
