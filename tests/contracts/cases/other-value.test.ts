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
