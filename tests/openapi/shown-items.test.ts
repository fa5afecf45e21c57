import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';

const operationsOf = (lines: string) => compile(documentOf(lines)).operations;

it.each([
  ['alone, as a POST without a body creates one', '[{ id, title }]', '{ id, title }', []],
  [
    'beside a list of others',
    '{ data: [{ id, type }], included: [{ id, type }] }',
    '{ data: { id, type }, included: [{ id, type }] }',
    ['data'],
  ],
  [
    'beside the only items of lists',
    '{ data: [{ id, attributes: any, type }] }',
    '{ data: { id, attributes: any, type }, included: [{ id }], responseStatus: int }',
    ['data'],
  ],
  [
    'in the wrapper of an answer',
    '{ data: { books: [{ id, title }], version } }',
    '{ data: { book: { id, title }, version } }',
    ['data', 'book'],
  ],
])('reads the item %s', (_, list, read, itemsAt) => {
  const operations = operationsOf(`
    GET /books -> ${list}
    POST /books -> ${read}
    GET /books/{id:text} -> ${read}
    DELETE /books/{id:text} -> 204
  `);
  expect(operations.find(({ kind }) => kind === 'read')?.itemsAt ?? []).toEqual(itemsAt);
  expect(operations[1]).toMatchObject({ path: '/books', kind: 'create' });
});

it('reads the item that stands alone in an answer, called as the parameter', () => {
  const { resources, operations } = compile(
    documentOf(`
      GET /talks -> [Room]
      POST /talks -> { ok: bool, channel: Room }
      GET /talks/{channel:text} -> { ok: bool, channel: Room }
      Room: { id, topic }
    `),
  );
  expect(Object.keys(resources[0]?.item.properties ?? {})).toEqual(['id', 'topic']);
  expect(operations.map(({ kind, shownAt }) => [kind, shownAt])).toEqual([
    ['list', undefined],
    ['create', ['channel']],
    ['read', ['channel']],
  ]);
});

it.each([
  ['createReport', 'create'],
  ['exportReports', undefined],
])('takes a word of /export-reports for that of the items, as %s says: %s', (id, kind) => {
  const operations = operationsOf(`
    ${id}: POST /export-reports { id } -> { id }
    GET /export-reports/{id:text} -> { id }
    DELETE /export-reports/{id:text} -> 204
  `);
  expect(operations.find(({ method }) => method === 'POST')?.kind).toBe(kind);
});

it('takes the only item of a list for what a POST creates, whatever its path parameter is called', () => {
  const operations = operationsOf(`
    GET /teams -> [Team]
    POST /teams Team -> [Team]
    GET /teams/{team_name:text} -> Team
    DELETE /teams/{team_name:text} -> 204
    Team: { name, description }
  `);
  const create = operations.find(({ method }) => method === 'POST');
  expect(create).toMatchObject({ kind: 'create', itemsAt: ['0'] });
});

it('takes a list for one of several items where nothing else names one of these', () => {
  const operations = operationsOf(
    'GET /teams -> [{ id, name }]\nGET /teams/{org:text} -> [{ id, name }]',
  );
  expect(operations.map(({ kind }) => kind)).not.toContain('read');
});

it.each([
  ['any', 'list'],
  ['[any]', 'list'],
  ['[[any]]', undefined],
])('takes an answer of %s for the items that a read shows, or not', (answer, kind) => {
  const operations = operationsOf(`
    GET /books -> ${answer}
    GET /books/{id} -> { id: int, title }
  `);
  expect(operations[0]?.kind).toBe(kind);
});

it.each([
  ['[object]', { results: [{ id: 7, title: 'A' }], total: 1 }, 'list'],
  ['[any]', { results: [{ id: 7, title: 'A' }], total: 1 }, 'list'],
  ['[[any]]', { results: [[7]], total: 1 }, undefined],
  ['[any]', { results: ['a'], total: 1 }, undefined],
  ['[object]', { total: 0 }, undefined],
])('lists what an example shows in a list of anything: %s %j', (items, example, kind) => {
  const document = documentOf(`
    GET /documents -> { results!: ${items}, total: int }
    GET /documents/{id} -> { id: int, title }
    DELETE /documents/{id} -> 204
  `);
  const success = document.paths['/documents']?.get.responses[200];
  success.content['application/json'].example = example;
  expect(compile(document).operations[0]?.kind).toBe(kind);
});
