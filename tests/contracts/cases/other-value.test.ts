import { expect, it } from 'vitest';
import { otherValue } from '../../../contracts/cases/fresh-value.ts';
import { compile } from '../../../openapi/index.ts';
import { schemaOf } from '../../support/document-of.ts';

const document = compile({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });
const author = schemaOf('{ kind!: "person", name }');

it.each([
  ['an object that a merge leaves as it is', author, { kind: 'person', name: 'Max' }, undefined],
  ['an empty one', { type: 'object' }, { id: 'a' }, undefined],
  ['an object that changes', author, { kind: 'group', name: 'Max' }, { kind: 'person' }],
  ['a list', { type: 'array' }, ['a'], []],
  ['a text that is always the same', { type: 'string', const: 'person' }, 'person', undefined],
])('makes another value that a merge patch shows: %s', (_, schema, value, other) => {
  expect(otherOf(schema, value)).toEqual(other);
});

it.each([
  ['one that the service set', { type: 'integer' }, 3, 1_073_741_828],
  ['one that was never set', { type: 'integer', format: 'int64' }, undefined, 1_073_741_825],
  ['a bounded one', { type: 'integer', minimum: 1, maximum: 100 }, 3, undefined],
  ['one from 2 on', { type: 'integer', minimum: 2 }, 2, 1_073_741_827],
  ['one of 16 bits', { type: 'integer', maximum: 65_535 }, 7, undefined],
  ['one below a bound', { type: 'integer', exclusiveMaximum: 2 ** 30 }, 7, undefined],
  ['a number', { type: 'number' }, 2, 1_073_741_827],
  ['a negative one', { type: 'integer', maximum: 0 }, -3, undefined],
])('puts no number in place of one that may be the id of an item: %s', (...row) => {
  const [, schema, value, other] = row;
  expect(otherOf(schema, value)).toBe(other);
});

it.each([
  ['a rating', { type: 'integer', minimum: 1, maximum: 5 }, 3, 4],
  ['a price', { type: 'number' }, 2, 3],
  ['a part', { type: 'number' }, 0.25, 0.125],
  ['one that was made up', { type: 'integer' }, 1_999_000_007, 1_999_000_008],
  ['one that a list showed', { type: 'integer' }, 3, 1_073_741_828],
])('changes a number that the run sent: %s', (_, schema, value, other) => {
  expect(otherOf(schema, value, true)).toBe(other);
});

it.each([
  ['by its format', { format: 'uuid' }, '00000000-0000-4000-8000-0123456789ab'],
  ['by its form', { pattern: '^[0-9a-f]{12}$' }, '0123456789ab'],
  ['of a few letters', { maxLength: 12 }, '0123456789ab'],
  ['as short as an id', { maxLength: 3 }, undefined],
  ['of a form that takes an id', { pattern: '^[0-9]{1,3}$' }, undefined],
])('puts no example of a document in place of a text: %s', (_, schema, other) => {
  const example = '00000000-0000-4000-8000-000000000001';
  expect(otherOf({ type: 'string', ...schema, example }, 'x')).toBe(other);
});

it.each(['x', null, undefined])(
  'puts a text of the run in place of %s, which may be null',
  (now) => {
    const text = { type: 'string', maxLength: 255, examples: ['my_variable'] };
    expect(otherOf({ anyOf: [text, { type: 'null' }] }, now)).toBe('a text');
  },
);

function otherOf(schema: Record<string, unknown>, value: unknown, isOwn = false): unknown {
  return otherValue(document, schema, { value, isOwn, marker: 'a text', fresh: '0123456789ab' });
}
