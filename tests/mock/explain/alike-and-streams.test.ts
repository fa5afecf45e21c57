import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const note = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
};
const components = { schemas: { Note: note } };
const ref = { $ref: '#/components/schemas/Note' };
const list = (schema: object, ...names: string[]) => ({
  get: {
    parameters: names.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    responses: { 200: jsonOf({ type: 'array', items: schema }) },
  },
});
const create = { requestBody: jsonOf(ref), responses: { 201: jsonOf(ref) } };
const notes = { '/notes': { ...list(ref), post: create } };

it('has a search at another path show the items that are created', async () => {
  const { call, document } = await serveDocument(
    toDocument({ ...notes, '/find': list(ref, 'q') }, { components }),
  );
  const headers = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers, body: '{"text":"a rare word"}' };
  const { json } = await call('/notes', sent);
  expect((await call('/find?q=rare')).json).toEqual([json]);
  expect(explain(document).collections.map(({ name }) => name)).toEqual(['notes']);
});

it.each([
  ['no parameter that chooses items', { ...notes, '/find': list(ref) }],
  ['a path that does not say that it searches', { ...notes, '/recent': list(ref, 'q') }],
  ['the path of another item', { ...notes, '/users/{id}/favourites': list(ref) }],
])('has a list with %s show the items of the one collection of its schema', async (_, paths) => {
  const { document } = await serveDocument(toDocument(paths, { components }));
  expect(document.resources.map(({ name }) => name)).toEqual(['notes']);
  expect(document.operations.map(({ kind }) => kind)).toEqual(['list', 'create', 'list']);
});

it('leaves a search alone that may be of several collections, or of items that are like them by chance', async () => {
  const namesOf = async (paths: object) =>
    (await serveDocument(toDocument(paths, { components }))).document.resources.map(
      ({ name }) => name,
    );
  expect(await namesOf({ ...notes, '/memos': notes['/notes'], '/find': list(ref, 'q') })).toEqual([
    'notes',
    'memos',
    'find',
  ]);
  expect(await namesOf({ ...notes, '/find': list(note, 'q') })).toEqual(['notes', 'find']);
});

it('says of a stream that it has no state, not that it lacks a list', async () => {
  const stream = { description: 'All.', content: { 'application/jsonl': { itemSchema: note } } };
  const { document } = await serveDocument({
    ...toDocument({ '/events': { get: { responses: { 200: stream } } } }),
    openapi: '3.2.0',
  });
  expect(explain(document).operations[0]).toMatchObject({
    because: 'its success is a stream (application/jsonl), of which three generated items are sent',
  });
});

it('hints at the property whose name a parameter ends with, in a way that can be pasted', async () => {
  const text = { type: 'string' };
  const file = { type: 'object', properties: { lfs_oid: text, path: text, content: text } };
  const read = { responses: { 200: jsonOf(file) } };
  const at = (get: object) =>
    toDocument({
      '/repos/{repo}/files/{filepath}': {
        parameters: [pathParameter('repo', text), pathParameter('filepath', text)],
        get,
        put: { requestBody: jsonOf(file), ...read },
      },
    });
  const [found] = explain((await serveDocument(at(read))).document).operations;
  const hint = { kind: 'read', id: 'path' };
  expect(found?.overlay).toMatchObject({ update: { 'x-twin': hint } });
  const { document } = await serveDocument(at({ ...read, 'x-twin': hint }));
  expect(document.resources).toMatchObject([
    { path: '/repos/{repo}/files', idProperty: 'path', operations: { read: {}, replace: {} } },
  ]);
});
