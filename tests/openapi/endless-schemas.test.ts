import { expect, it } from 'vitest';
import { isObject } from '../../common/json.ts';
import {
  findEndlessSchemas,
  type LinkedSchema,
  leadsBack,
} from '../../openapi/reading/endless-schemas.ts';
import { walkDocument } from '../../openapi/reading/parts.ts';
import type { RawDocument } from '../../openapi/schema.ts';

const documentOf = (schemas: RawDocument) => ({ openapi: '3.1.0', components: { schemas } });
const findIn = (schemas: RawDocument) => {
  const document = documentOf(schemas);
  const all: LinkedSchema[] = [];
  walkDocument(document, (schema, place) => {
    if (place.kind === 'schema' && isObject(schema)) all.push({ schema, place });
  });
  const faults = findEndlessSchemas(all, document);
  // Nothing is looked for where no schema leads back.
  if (faults.length > 0) expect(leadsBack(all, document)).toBe(true);
  return faults;
};
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const needing = (properties: RawDocument) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const text = { type: 'string' };

it.each([
  ['itself', { A: needing({ id: text, parent: to('A') }) }, ['A/required/1']],
  [
    'another that needs it',
    { A: needing({ b: to('B') }), B: needing({ a: to('A') }) },
    ['A/required/0'],
  ],
  ['a list of itself', { A: { type: 'array', minItems: 1, items: to('A') } }, ['A/minItems']],
  ['itself by allOf', { A: { allOf: [needing({ next: to('A') })] } }, ['A/allOf/0/required/0']],
  [
    'what needs itself',
    { A: needing({ tree: to('Tree') }), Tree: needing({ parent: to('Tree') }) },
    ['Tree/required/0'],
  ],
])('finds an object that needs %s', (_, schemas, expected) => {
  const faults = findIn(schemas);
  expect(faults.map(({ pointer }) => pointer)).toEqual(
    expected.map((place) => `/components/schemas/${place}`),
  );
});

it.each([
  ['may hold itself', { A: { ...needing({ id: text }), properties: { id: text, next: to('A') } } }],
  [
    'may be null there',
    { A: needing({ next: { ...needing({ a: to('A') }), type: ['object', 'null'] } }) },
  ],
  ['chooses', { A: needing({ value: { oneOf: [to('A'), text] } }) }],
  ['has an empty list of itself', { A: needing({ children: { type: 'array', items: to('A') } }) }],
  ['is an example of a fixed value', { A: { ...needing({ next: to('A') }), const: {} } }],
  ['needs a property without a schema', { A: { type: 'object', required: ['next'] } }],
])('leaves an object alone that %s', (_, schemas) => {
  expect(findIn(schemas)).toEqual([]);
});
