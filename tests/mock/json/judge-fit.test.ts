import { expect, it } from 'vitest';
import { createJudgeFit } from '../../../mock/json/judge-fit.ts';
import { createSchemaCompiler } from '../../../mock/json/validator.ts';
import { compile, type Schema } from '../../../openapi/index.ts';
import { schemaOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';

const kind = { type: 'string', enum: ['cat', 'dog'], description: 'What it is' };
const Cat = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const Dog = { type: 'object', properties: { name: { type: 'string' } } };
const document = compile({ ...toDocument({}), components: { schemas: { Kind: kind, Cat, Dog } } });
const byKind = {
  oneOf: ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog' } },
};
const animal = schemaOf('{ name!, kind: Kind, age: int(format="int64") }');
const schemas: Schema[] = [
  animal,
  { type: 'array', items: animal },
  { allOf: [animal, { type: 'object', required: ['id'], properties: { id: { type: 'number' } } }] },
  { type: 'string', minLength: 3 },
  { type: 'boolean', 'x-note': 'extension' },
  { type: ['string', 'null'] },
  { type: ['string', 'null'], format: 'date' },
  { type: 'string', format: 'of-ours' },
  { type: 'string', maxLength: 2 },
  { anyOf: [animal, { type: 'string', enum: ['no'] }] },
  { oneOf: [{ ...animal, additionalProperties: false }, { type: 'integer' }] },
  { oneOf: [animal, { type: 'object' }, { type: 'null' }] },
  { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  byKind,
  { anyOf: byKind.oneOf, discriminator: byKind.discriminator },
];
const values = [
  ...[{ name: 'Rex' }, { name: 'Rex', kind: 'dog', age: 3 }, { name: 'Rex', id: 1.5 }],
  ...[{}, { name: 1 }, { name: 'Rex', kind: 'bird' }, { name: 'Rex', age: 0.5 }],
  ...[{ kind: 'Cat' }, { kind: 'dog', name: 1 }],
  ...[
    { name: 'Rex', age: 1e300 },
    [],
    [{ name: 'Rex' }],
    [{}],
    ['Rex', 7],
    null,
    true,
    'Rex',
    'no',
    7,
    '2030-12-31',
  ],
];

it('judges as the validator does, and most values at once', () => {
  const compile = createSchemaCompiler(document);
  const judged = schemas.flatMap((schema) =>
    values.map((value) => ({ schema, value, verdict: createJudgeFit(document, schema)(value) })),
  );
  for (const { schema, value, verdict } of judged) {
    const validate = compile(schema);
    // It looks at no value itself once it has seen many.
    for (let seen = 0; seen < 200; seen++) validate(value);
    const isFit = validate(value) === undefined;
    expect([schema, value, verdict ?? isFit]).toEqual([schema, value, isFit]);
  }
  const open = judged.filter(({ verdict }) => verdict === undefined);
  expect(open.length / judged.length).toBeLessThan(0.15);
});

it.each(['oneOf', 'anyOf'])(
  'judges by the alternative of %s that a discriminator names',
  (name) => {
    const schema = { [name]: byKind.oneOf, discriminator: byKind.discriminator };
    expect(createJudgeFit(document, schema)({ kind: 'dog', name: 'Rex' })).toBe(true);
    expect(createJudgeFit(document, schema)({ kind: 'Cat' })).toBe(false);
    expect(createJudgeFit(document, schema)({ kind: 'bird', name: 'Rex' })).toBeUndefined();
    expect(createJudgeFit(document, schema)({ kind: 'bird' })).toBe(true);
  },
);

it('leaves open what a mark may free of', () => {
  const properties = { name: { type: 'string', writeOnly: true } };
  expect(createJudgeFit(document, { required: ['name'], properties })({})).toBeUndefined();
});
