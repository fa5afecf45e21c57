import { expect, it } from 'vitest';
import { type Api, compile } from '../../openapi/index.ts';
import { withOpenLists } from '../../openapi/model/api.ts';
import { documentOf, schemaOf } from '../support/document-of.ts';
import { projectFile } from '../support/twin.ts';

const findOpenLists = ({ schemas, operations }: Api) => schemas.findOpenLists(operations);

/** Compiles a document of one operation, whose success has this schema. */
const listing = (Things: object, target = 'GET /things') =>
  compile(documentOf(`listThings: ${target} -> Things`, { Things }));

it('finds the orders of the Pet Store Service, and makes a collection of them alone', async () => {
  const document = await compile(projectFile('contracts/openapi.yaml'));
  expect(findOpenLists(document).map(({ name }) => name)).toEqual(['store/orders']);
  expect(withOpenLists(document, ['pets'])).toBe(document);
  const opened = withOpenLists(document, ['pets', 'store/orders']);
  expect(opened.resources.map(({ name }) => name)).toEqual(['pets', 'store/orders']);
  const list = opened.operations.find(({ id }) => id === 'listOrders');
  expect(list).toMatchObject({ kind: 'list', resource: 'store/orders' });
  expect(opened.resources[1]?.operations.list).toBe(list);
  expect(document.operations.find(({ id }) => id === 'listOrders')?.kind).toBeUndefined();
});

it.each<[title: string, schema: object]>([
  ['any value, by $ref', { description: 'Any.' }],
  ['an array or null', { type: ['array', 'null'], examples: [[]] }],
  ['an array of any objects', { type: 'array', items: { type: 'object', 'x-own': 1 } }],
  ['an array of any values', { type: 'array', items: true }],
])('takes a list of %s', (_, schema) => {
  expect(findOpenLists(listing(schema))).toHaveLength(1);
});

it.each<[title: string, schema: object]>([
  ['an object', { type: 'object' }],
  ['texts', { type: 'array', items: { type: 'string' } }],
  ['objects with a field', { type: 'array', items: { properties: { name: { type: 'string' } } } }],
  ['alternatives', { oneOf: [{ type: 'array' }, { type: 'object' }] }],
  ['so many values', { type: 'array', maxItems: 3 }],
])('leaves %s as the document describes them', (_, schema) => {
  expect(findOpenLists(listing(schema))).toEqual([]);
});

it('leaves what is no list: another method, a path with parameters, an operation that stores', () => {
  expect(findOpenLists(listing({}, 'POST /things'))).toEqual([]);
  expect(findOpenLists(listing({}, 'GET /shops/{shop}/things'))).toEqual([]);
  expect(findOpenLists(listing(schemaOf('[{ id: int }]')))).toEqual([]);
});

it('has the page size of the document', () => {
  const target = 'GET /things?limit:int(maximum=9,default=2)';
  const [list] = withOpenLists(listing({}, target), ['things']).operations;
  expect(list?.listRules?.pageSize).toEqual({ name: 'limit', max: 9, default: 2 });
});
