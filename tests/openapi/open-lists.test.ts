import { expect, it } from 'vitest';
import { type Api, compile } from '../../openapi/index.ts';
import { withOpenLists } from '../../openapi/model/api.ts';
import { projectFile } from '../support/twin.ts';

const findOpenLists = ({ schemas, operations }: Api) => schemas.findOpenLists(operations);

/** A document with one operation, whose success has this schema. */
function documentOf(schema: unknown, path = '/things', method = 'get', parameters: object[] = []) {
  return compile({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: {
      [path]: {
        [method]: {
          operationId: 'listThings',
          parameters,
          responses: { 200: { description: '', content: { 'application/json': { schema } } } },
        },
      },
    },
    components: { schemas: { Any: { description: 'Any.' } } },
  });
}

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

it.each<[title: string, schema: unknown]>([
  ['any value, by $ref', { $ref: '#/components/schemas/Any' }],
  ['an array or null', { type: ['array', 'null'], examples: [[]] }],
  ['an array of any objects', { type: 'array', items: { type: 'object', 'x-own': 1 } }],
  ['an array of any values', { type: 'array', items: true }],
])('takes a list of %s', (_, schema) => {
  expect(findOpenLists(documentOf(schema))).toHaveLength(1);
});

it.each<[title: string, schema: unknown]>([
  ['an object', { type: 'object' }],
  ['texts', { type: 'array', items: { type: 'string' } }],
  ['objects with a field', { type: 'array', items: { properties: { name: { type: 'string' } } } }],
  ['alternatives', { oneOf: [{ type: 'array' }, { type: 'object' }] }],
  ['so many values', { type: 'array', maxItems: 3 }],
])('leaves %s as the document describes them', (_, schema) => {
  expect(findOpenLists(documentOf(schema))).toEqual([]);
});

it('leaves what is no list: another method, a path with parameters, an operation that stores', () => {
  expect(findOpenLists(documentOf({}, '/things', 'post'))).toEqual([]);
  expect(findOpenLists(documentOf({}, '/shops/{shop}/things'))).toEqual([]);
  const stored = { type: 'array', items: { properties: { id: { type: 'integer' } } } };
  expect(findOpenLists(documentOf(stored))).toEqual([]);
});

it('has the page size of the document', () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9, default: 2 } };
  expect(findOpenLists(documentOf({}, '/things', 'get', [limit]))).toMatchObject([
    { pageSize: { name: 'limit', max: 9, default: 2 } },
  ]);
});
