import { expect, it } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { boundedPageSize } from '../../contracts/document/stated.ts';
import { compile } from '../../openapi/index.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { documentOf } from '../support/document-of.ts';

function resourceWith(query = '') {
  const Size = { type: 'integer', maximum: 50, default: 10 };
  const [resource] = compile(documentOf(`GET /toys?${query} -> [{ id: int }]`, { Size })).resources;
  if (!resource) throw new Error('There is no resource.');
  return resource;
}

it('has the bounds and the default that the interface states for lists (§4.1)', async () => {
  const [pets] = (await compile(builtInDocument)).resources;
  expect(listRulesOf(pets?.operations.list).pageSize).toEqual({
    name: 'limit',
    min: 1,
    max: 100,
    default: 20,
  });
});

it.each([
  ['', undefined],
  ['page:int', undefined],
  ['per_page:int', { name: 'per_page' }],
  ['limit:Size', { name: 'limit', max: 50, default: 10 }],
])('has what the document says of the page size in %j, and no more', (query, expected) => {
  expect(listRulesOf(resourceWith(query).operations.list).pageSize).toEqual(expected);
});

it.each([
  ['limit:int(minimum=0,maximum=9)', { name: 'limit', min: 0, max: 9 }],
  ['limit:int(minimum=1)', undefined],
  ['limit:int(maximum=9,default=3)', undefined],
  ['', undefined],
])('is bounded only where the document gives both bounds: %s', (query, expected) => {
  expect(boundedPageSize(resourceWith(query))).toEqual(expected);
});
