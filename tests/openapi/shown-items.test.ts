import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';

const ok = (schema: object) => ({
  responses: { 200: { description: 'Fine.', content: { 'application/json': { schema } } } },
});
const string = { type: 'string' };
const parameters = [{ name: 'id', in: 'path', required: true, schema: string }];

function readKinds(list: object, read: object) {
  const { operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/books': { get: ok(list), post: ok(read) },
      '/books/{id}': { parameters, get: ok(read), delete: { responses: { 204: {} } } },
    },
  });
  const kinds = operations.map(({ method, path, kind }) => `${method} ${path} ${kind}`);
  const itemsAt = operations.find(({ kind }) => kind === 'read')?.itemsAt;
  return { itemsAt, kinds };
}

it('takes a POST without a body for a create where its answer is an item', () => {
  const book = { type: 'object', properties: { id: string, title: string } };
  const { kinds } = readKinds({ type: 'array', items: book }, book);
  expect(kinds).toContain('POST /books create');
});

it('reads the item itself where a list of others is beside it', () => {
  const item = { type: 'object', properties: { id: string, type: string } };
  const items = { type: 'array', items: item };
  const { itemsAt } = readKinds(
    { type: 'object', properties: { data: items, included: items } },
    { type: 'object', properties: { data: item, included: items } },
  );
  expect(itemsAt).toEqual(['data']);
});

it('reads the item itself where the only items of lists are beside it', () => {
  const item = { type: 'object', properties: { id: string, attributes: {}, type: string } };
  const others = { type: 'array', items: { type: 'object', properties: { id: string } } };
  const properties = { data: item, included: others, responseStatus: { type: 'integer' } };
  const list = { type: 'object', properties: { data: { type: 'array', items: item } } };
  const { itemsAt, kinds } = readKinds(list, { type: 'object', properties });
  expect(itemsAt).toEqual(['data']);
  expect(kinds).toContain('POST /books create');
});

it('reads the item in the wrapper of an answer', () => {
  const book = { type: 'object', properties: { id: string, title: string } };
  const holding = (properties: object) => ({
    type: 'object',
    properties: { data: { type: 'object', properties: { ...properties, version: string } } },
  });
  const { itemsAt, kinds } = readKinds(
    holding({ books: { type: 'array', items: book } }),
    holding({ book }),
  );
  expect(itemsAt).toEqual(['data', 'book']);
  expect(kinds).toContain('POST /books create');
});

it('reads the item that stands alone in an answer, called as the parameter', () => {
  const room = { type: 'object', properties: { id: string, topic: string } };
  const one = ok({ type: 'object', properties: { ok: { type: 'boolean' }, channel: room } });
  const { resources, operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/talks': { get: ok({ type: 'array', items: room }), post: one },
      '/talks/{channel}': { parameters: [{ ...parameters[0], name: 'channel' }], get: one },
    },
  });
  expect(Object.keys(resources[0]?.item.properties ?? {})).toEqual(['id', 'topic']);
  const shown = operations.map(({ kind, shownAt }) => [kind, shownAt]);
  expect(shown).toEqual([
    ['list', undefined],
    ['create', ['channel']],
    ['read', ['channel']],
  ]);
});

it.each([
  ['/export-reports', 'createReport', 'create'],
  ['/export-reports', 'exportReports', undefined],
])(
  'takes a word of %s for that of the items that it reads, and none of %s',
  (path, operationId, kind) => {
    const report = { type: 'object', properties: { id: string } };
    const requestBody = { content: { 'application/json': { schema: report } } };
    const { operations } = compile({
      openapi: '3.1.0',
      paths: {
        [path]: { post: { operationId, requestBody, ...ok(report) } },
        [`${path}/{id}`]: { parameters, get: ok(report), delete: { responses: { 204: {} } } },
      },
    });
    expect(operations.find(({ method }) => method === 'POST')?.kind).toBe(kind);
  },
);

it('takes the only item of a list for what a POST creates, whatever its path parameter is called', () => {
  const team = { type: 'object', properties: { name: string, description: string } };
  const teams = { type: 'array', items: team };
  const requestBody = { content: { 'application/json': { schema: team } } };
  const named = [{ name: 'team_name', in: 'path', required: true, schema: string }];
  const { operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/teams': { get: ok(teams), post: { requestBody, ...ok(teams) } },
      '/teams/{team_name}': {
        parameters: named,
        get: ok(team),
        delete: { responses: { 204: {} } },
      },
    },
  });
  const create = operations.find(({ method }) => method === 'POST');
  expect(create).toMatchObject({ kind: 'create', itemsAt: ['0'] });
});

it('takes a list for one of several items where nothing else names one of these', () => {
  const team = { type: 'object', properties: { id: string, name: string } };
  const teams = { type: 'array', items: team };
  const parameters = [{ name: 'org', in: 'path', required: true, schema: string }];
  const { operations } = compile({
    openapi: '3.1.0',
    paths: { '/teams': { get: ok(teams) }, '/teams/{org}': { parameters, get: ok(teams) } },
  });
  expect(operations.map(({ kind }) => kind)).not.toContain('read');
});
