import { expect, it } from 'vitest';
import { makeUsable } from '../../openapi/reading/make-usable.ts';

const text = { type: 'string' };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const closed = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  additionalProperties: false,
});

function read(schemas: Record<string, object>) {
  const given = { openapi: '3.1.0', paths: { '/a': { get: { responses: {} } } } };
  const { document, written } = makeUsable(
    { ...given, components: { schemas: structuredClone(schemas) } },
    { file: 'api.json' },
  );
  const pointers = written.warnings.map(({ pointer }) => pointer);
  return { schemas: document.components.schemas, pointers };
}

it.each([
  [
    'a part',
    { A: { allOf: [to('B')], additionalProperties: false }, B: { properties: { b: text } } },
  ],
  ['an alternative', { A: { oneOf: [to('B')], additionalProperties: false }, B: closed('b') }],
])('opens a schema that forbids the properties of %s', (_, schemas) => {
  const found = read(schemas);
  expect(found.pointers).toEqual(['#/components/schemas/A/additionalProperties']);
  expect(found.schemas.A).not.toHaveProperty('additionalProperties');
  expect(found.schemas.B).toEqual(schemas.B);
});

it('opens a part that forbids the properties of the whole, wherever it stands', () => {
  const B = { ...closed('b'), required: ['b'] };
  const A = { allOf: [to('B'), { properties: { a: text } }] };
  for (const given of [
    { A, B },
    { B, A },
  ]) {
    const { schemas, pointers } = read(given);
    expect(pointers).toEqual(['#/components/schemas/B/additionalProperties']);
    expect(schemas.B).not.toHaveProperty('additionalProperties');
  }
});

it('opens an alternative that forbids what the whole requires', () => {
  const { pointers } = read({
    A: { required: ['a'], properties: { a: text }, oneOf: [to('B'), closed('a', 'c')] },
    B: closed('b'),
  });
  expect(pointers).toEqual(['#/components/schemas/B/additionalProperties']);
});

it('requires no property that the same schema forbids', () => {
  const { schemas, pointers } = read({ A: { ...closed('a'), required: ['b', 'a', 'c'] } });
  expect(pointers).toEqual([
    '#/components/schemas/A/required/0',
    '#/components/schemas/A/required/2',
  ]);
  expect(schemas.A.required).toEqual(['a']);
});

it.each([
  [
    'describes all itself',
    { A: { ...closed('a', 'b'), allOf: [to('B')] }, B: { required: ['b'] } },
  ],
  [
    'has patterns of names',
    { A: { ...closed('a'), patternProperties: { '^x': {} }, required: ['x1'] } },
  ],
  ['chooses', { A: { properties: { c: text }, oneOf: [closed('a'), closed('b')] } }],
])('leaves a closed schema alone that %s', (_, schemas) => {
  expect(read(schemas).pointers).toEqual([]);
});

it('reads a part whose reference is no address', () => {
  const { pointers } = read({ A: { allOf: [to('B%zz')], additionalProperties: false } });
  expect(pointers).toEqual(['#/components/schemas/A/allOf/0/$ref']);
});
