import { expect, it } from 'vitest';
import { otherValue } from '../../../contracts/cases/fresh-value.ts';
import { indexDocument } from '../../../contracts/description/document.ts';

const document = indexDocument({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });
const author = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: 'person' }, name: { type: 'string' } },
};

it.each([
  ['an object that a merge leaves as it is', author, { kind: 'person', name: 'Max' }, undefined],
  ['an empty one', { type: 'object' }, { id: 'a' }, undefined],
  ['an object that changes', author, { kind: 'group', name: 'Max' }, { kind: 'person' }],
  ['a list', { type: 'array' }, ['a'], []],
])('makes another value that a merge patch shows: %s', (_, schema, value, other) => {
  expect(otherValue(document, schema, value, 'a text')).toEqual(other);
});

it.each([
  ['one that the service set', { type: 'integer' }, 3, 1_073_741_828],
  ['one that was never set', { type: 'integer', format: 'int64' }, undefined, 1_073_741_825],
  ['one that the run made up', { type: 'integer' }, 1_999_000_007, 1_999_000_008],
  ['a rating', { type: 'integer', minimum: 1, maximum: 5 }, 3, 4],
  ['a price', { type: 'number' }, 2, 3],
])('puts no number in place of an integer that may be the id of an item: %s', (...row) => {
  const [, schema, value, other] = row;
  expect(otherValue(document, schema, value, 'a text')).toBe(other);
});
