import { expect, it } from 'vitest';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson as send } from '../../support/with-json.ts';

const schemas = { NewCat: '{ name!, age: int }' };

it.each([
  ['nothing', '200', '201', (json: unknown) => json],
  ['any value', 'any', '201 any', (json: unknown) => json],
  ['an array', '[object]', '201', (json: unknown) => json],
  ['an object', 'object', '201 object', (json: unknown) => Object.values(json as object)],
])('keeps what bodies describe, where %s is said of answers', async (_, list, created, read) => {
  const shown = list.startsWith('[') ? '200' : list;
  const { call } = await serveDocument(
    documentOf(
      `
      GET /cats -> ${list}
      POST /cats NewCat -> ${created}
      GET /cats/{id:text} -> ${shown}
      PATCH /cats/{id:text} { age: int } -> ${shown}
      DELETE /cats/{id:text} -> 204
      `,
      schemas,
    ),
    { items: 1 },
  );
  const made = await call('/cats', send('POST', { name: 'Io', age: 1 }));
  expect([made.status, made.json]).toEqual([201, { id: '2', name: 'Io', age: 1 }]);
  await call('/cats/2', send('PATCH', { age: 2 }));
  expect((await call('/cats/2')).json).toEqual({ id: '2', name: 'Io', age: 2 });
  expect(read((await call('/cats')).json)).toContainEqual({ id: '2', name: 'Io', age: 2 });
  expect((await call('/cats/2', { method: 'DELETE' })).status).toBe(204);
  expect((await call('/cats/2')).status).toBe(404);
});

const kindsOf = (lines: string, options = { isStated: false }) =>
  compile(documentOf(lines, schemas), { file: 'cats.yaml', ...options }).operations.map(
    ({ kind, singleton }) => kind ?? (singleton && 'singleton'),
  );

it.each([
  ['GET /cats -> 200\nPOST /cats { name } -> 200\nGET /cats/{id} -> { id: int, name }', 'create'],
  ['GET /orders/{sku:text} -> 200\nPOST /orders { sku!, amount: int } -> 201', 'create'],
  ['GET /keys/{name:text} -> 200\nPUT /keys/{name:text} { value } -> 200', 'replace'],
  ['GET /profile -> 200\nPUT /profile NewCat -> 200', 'singleton'],
  [
    'GET /cats -> default [{ id: int, name }]\nPOST /cats NewCat -> default { id: int, name }, 400',
    'create',
  ],
  ['GET /users/{userId}/cats -> 200\nPOST /users/{userId}/cats NewCat -> 201', 'create'],
])('supposes items of %j', (lines, kind) => {
  const kinds = kindsOf(lines);
  expect(kinds).toContain(kind);
  expect(kinds).not.toContain(undefined);
});

it.each([
  'GET /auth/me -> 200\nPOST /auth/login NewCat -> 201',
  'POST /cats NewCat -> 201',
  'GET /cats -> default [{ id: int, name }] (Any error.)\nPOST /cats NewCat -> 201',
  'GET /cats -> 204\nPOST /cats NewCat -> 201',
  'GET /cats -> text\nPOST /cats NewCat -> 201',
  'GET /reset -> 200\nPOST /reset NewCat -> 201',
])('supposes none of %j', (lines) => {
  expect(new Set(kindsOf(lines))).toEqual(new Set([undefined]));
});

it('supposes nothing where a document is judged by what it states', () => {
  const lines = 'GET /cats -> 200\nPOST /cats NewCat -> 201\nGET /cats/{id} -> 200';
  expect(new Set(kindsOf(lines, { isStated: true }))).toEqual(new Set([undefined]));
});

it.each([
  'POST /blocks { name } -> 201 { name }\nGET /blocks/{id} -> { name }',
  'PUT /flags/{key:text} { on: bool } -> { on: bool }\nGET /flags/{key:text} -> { on: bool }',
])('supposes no id for the suite: %s', (lines) => {
  expect(new Set(kindsOf(lines, { isStated: true }))).toEqual(new Set([undefined]));
});

it('gives items an id that no schema describes, where a path names them by it', async () => {
  const { send } = await serveDocument(`
    GET /blocks -> [Block]
    POST /blocks Block -> 201 Block
    GET /blocks/{block_id} -> Block, 404
    PUT /blocks/{block_id} Block -> Block
    DELETE /blocks/{block_id} -> text, 404
    Block: { name!, size: int }
  `);
  const { json: made } = await send('POST', '/blocks', { name: 'a', size: 1 });
  expect(made).toEqual({ id: made.id, name: 'a', size: 1 });
  const at = `/blocks/${made.id}`;
  expect((await send('GET', at)).json).toEqual(made);
  expect((await send('GET', '/blocks')).json).toContainEqual(made);
  expect((await send('PUT', at, { name: 'b', size: 2 })).json).toMatchObject({ name: 'b' });
  expect((await send('DELETE', at)).status).toBe(200);
  expect((await send('GET', at)).status).toBe(404);
});

it.each(['/things', '/items/{kind:text}'])('stores any objects at %s', async (path) => {
  const { send } = await serveDocument(`
    GET ${path} -> { data: [object], meta: { total: int } }
    POST ${path} object -> 201 object
    GET ${path}/{id} -> { data: object }, 404
    PUT ${path}/{id} object -> { data: object }
    PATCH ${path}/{id} object -> { data: object }
    DELETE ${path}/{id} -> 204
  `);
  const at = path.replace(/\{.*\}/, 'articles');
  const { json } = await send('POST', at, { title: 'Hi', more: { deep: [1, null] } });
  const { data: made } = json;
  expect(json).toEqual({ data: { id: made.id, title: 'Hi', more: { deep: [1, null] } } });
  const own = `${at}/${made.id}`;
  expect((await send('GET', own)).json).toEqual({ data: made });
  expect((await send('GET', at)).json.data).toContainEqual(made);
  const patched = { data: { ...made, title: 'Ho' } };
  expect((await send('PATCH', own, { title: 'Ho' })).json).toEqual(patched);
  expect((await send('PUT', own, { only: 1 })).json).toEqual({ data: { id: made.id, only: 1 } });
  expect((await send('GET', own)).json).toEqual({ data: { id: made.id, only: 1 } });
  await send('DELETE', own);
  expect((await send('GET', own)).status).toBe(404);
});

it('shows an item in the data of a change that says no more of it', async () => {
  const { send } = await serveDocument(`
    GET /users -> { data: [User] }
    POST /users User -> { data: User }
    GET /users/{id} -> { data: User }
    PATCH /users/{id} User -> { data: object }
    User: { id: int, name }
  `);
  const { data } = (await send('POST', '/users', { name: 'Ada' })).json;
  const { json } = await send('PATCH', `/users/${data.id}`, { name: 'Bo' });
  expect(json).toEqual({ data: { id: data.id, name: 'Bo' } });
});
