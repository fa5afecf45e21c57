import { expect, it } from 'vitest';
import { type Api, compile } from '../../openapi/index.ts';
import type { RawDocument, Schema } from '../../openapi/schema.ts';
import { toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { documentOf, schemaOf } from '../support/document-of.ts';

const to = (level: number) => ({ $ref: `#/components/schemas/A${level}` });
const last = schemaOf('{ id!: int }');

/** Schemas each of which has so many ways to the next; the keywords take turns. */
function levelsOf(keywords: readonly string[], levels: number, ways: number): RawDocument {
  const schemas: RawDocument = { [`A${levels}`]: last };
  for (let level = 0; level < levels; level++) {
    const keyword = keywords[level % keywords.length] as string;
    schemas[`A${level}`] = { [keyword]: Array.from({ length: ways }, () => to(level + 1)) };
  }
  return schemas;
}

const compileLevels = (schemas: RawDocument): Api => compile(documentOf('GET /it -> A0', schemas));

const kinds = [[['anyOf']], [['oneOf']], [['allOf']], [['anyOf', 'oneOf', 'allOf']]] as const;

it.each(kinds)('refuses thirty levels of three %s with where they are', (keywords) => {
  expect(() => compileLevels(levelsOf(keywords, 30, 3))).toThrow(
    'The document cannot be used: at #/components/schemas/A20, alternatives of alternatives make ' +
      'more than 100,000 checks of one value; name fewer of them.',
  );
});

it('refuses levels that are written out by "if" and "not" too', () => {
  const schemas: RawDocument = { A20: last };
  for (let level = 0; level < 20; level++)
    schemas[`A${level}`] = { if: { not: to(level + 1) }, else: to(level + 1) };
  expect(() => compileLevels(schemas)).toThrow('at #/components/schemas/A');
});

it.each(kinds)(
  'describes each schema once for a value of fourteen levels of two %s',
  (keywords) => {
    const document = compileLevels(levelsOf(keywords, 14, 2));
    let described = 0;
    const describe = (schema: RawDocument) => {
      described += 1;
      return document.schemas.describeShown(schema);
    };
    const [plain] = toPlainSchemas(to(0), describe);
    expect(plain?.required).toEqual(['id']);
    expect(described).toBeLessThan(200);
  },
);

it('serves a choice of a thousand alternatives, and a schema that leads back by "not"', () => {
  const many = { anyOf: Array.from({ length: 1000 }, () => to(1)) };
  const document = compileLevels({ A0: many, A1: { allOf: [to(2)], not: to(0) }, A2: last });
  expect(document.operations).toHaveLength(1);
});

it.each<[schema: Schema, types: string[]]>([
  [{ allOf: [{ type: 'integer' }] }, ['integer']],
  [{ enum: [1, 2, 2.5] }, ['integer', 'number']],
  [{ enum: ['a', null] }, ['string', 'null']],
  [{ const: true }, ['boolean']],
  [{ const: null }, ['null']],
  [{ const: [] }, ['array']],
  [{ const: {}, enum: [1] }, ['object']],
  [{ oneOf: [{ const: 1 }], anyOf: [{ type: 'string' }] }, ['integer', 'string']],
  [{ allOf: [{ properties: { a: {} } }, { description: 'An A.' }] }, ['object']],
  [{ anyOf: [to(0), to(0), { $ref: '#/components/schemas/Again' }] }, ['object']],
  [{ type: ['string', 'null'], enum: ['a'] }, ['string', 'null']],
  [{ items: {} }, ['array']],
  [{ description: 'Anything.' }, []],
])('knows the types of %j', (schema, types) => {
  const Again = { anyOf: [{ $ref: '#/components/schemas/Again' }] };
  expect(compileLevels({ A0: last, Again }).schemas.allTypesOf(schema)).toEqual(types);
});
