import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const Note = '{ readonly id!: int, text }';
const notes = 'GET /notes -> [Note]\nPOST /notes Note -> 201 Note\n';
const besideNotes = (lines: string) => documentOf(notes + lines, { Note });

it('has a search at another path show the items that are created', async () => {
  const { send, document } = await serveDocument(besideNotes('GET /find?q -> [Note]'));
  const { json } = await send('POST', '/notes', { text: 'a rare word' });
  expect((await send('GET', '/find?q=rare')).json).toEqual([json]);
  expect(explain(document).collections.map(({ name }) => name)).toEqual(['notes']);
});

it.each([
  ['no parameter that chooses items', 'GET /find -> [Note]'],
  ['a path that does not say that it searches', 'GET /recent?q -> [Note]'],
  ['the path of another item', 'GET /users/{id}/favourites -> [Note]'],
])('has a list with %s show the items of the one collection of its schema', async (_, line) => {
  const { document } = await serveDocument(besideNotes(line));
  expect(document.resources.map(({ name }) => name)).toEqual(['notes']);
  expect(document.operations.map(({ kind }) => kind)).toEqual(['list', 'create', 'list']);
});

it('leaves a search alone that may be of several collections, or of items that are like them by chance', async () => {
  const namesOf = async (lines: string) =>
    (await serveDocument(besideNotes(lines))).document.resources.map(({ name }) => name);
  const memos = notes.replaceAll('/notes', '/memos');
  expect(await namesOf(`${memos}GET /find?q -> [Note]`)).toEqual(['notes', 'memos', 'find']);
  expect(await namesOf(`GET /find?q -> [${Note}]`)).toEqual(['notes', 'find']);
});

it('says of a stream that it has no state, not that it lacks a list', async () => {
  const content = { 'application/jsonl': { itemSchema: { type: 'object' } } };
  const operations = { 'GET /events': { responses: { 200: { description: 'All.', content } } } };
  const { document } = await serveDocument(
    documentOf('GET /events -> 200', {}, { openapi: '3.2.0', operations }),
  );
  expect(explain(document).operations[0]).toMatchObject({
    because:
      'its success response is a stream (application/jsonl); the mock sends three generated items',
  });
});

it('hints at what may be the id, in a way that can be pasted', async () => {
  const at = (hint: object) =>
    documentOf(
      `
      GET /repos/{repo:text}/files/{file:text} -> File
      PUT /repos/{repo:text}/files/{file:text} File -> File, 404
      `,
      { File: '{ path, content }' },
      { operations: { 'GET /repos/{repo}/files/{file}': hint } },
    );
  const [found] = explain((await serveDocument(at({}))).document).operations;
  const hint = { kind: 'read', id: 'path' };
  expect(found?.overlay).toMatchObject({ update: { 'x-twin': hint } });
  const { document } = await serveDocument(at({ 'x-twin': hint }));
  expect(document.resources).toMatchObject([
    { path: '/repos/{repo}/files', idProperty: 'path', operations: { read: {}, replace: {} } },
  ]);
});
