import { expect, it } from 'vitest';
import { adminOf } from '../../../support/admin-requests.ts';
import { documentOf } from '../../../support/document-of.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { serveDocument } from '../../../support/serve-document.ts';
import { withJson } from '../../../support/with-json.ts';

/** Returns what the journal says was tolerated in the last request. */
async function toleratedBy(origin: string): Promise<string[] | undefined> {
  return (await adminOf({ origin }).ask('requests/latest')).reason.tolerated;
}

const one = documentOf('GET /thing -> { name! }');

it('answers with the default media type where Accept fits nothing, and notes it', async () => {
  const { call, origin } = await serveDocument(one);
  const html = { headers: { Accept: 'text/html' } };
  expect(await call('/thing', html)).toMatchObject({ status: 200, type: 'application/json' });
  expect(await toleratedBy(origin)).toEqual([
    'Accept allows no media type of the response: text/html.',
  ]);
  const vendor = { headers: { Accept: 'application/vnd.shop.v3+json;version=2' } };
  expect(await call('/thing', vendor)).toMatchObject({ status: 200, type: 'application/json' });
  expect(await toleratedBy(origin)).toBeUndefined();
});

it('refuses it with strictRequests, and where the document says so', async () => {
  const html = { headers: { Accept: 'text/html' } };
  const asked = await serveDocument(one, { strictRequests: true });
  expect(await asked.call('/thing', html)).toMatchObject({ status: 406 });
  const strict = { 'x-twin': { requests: 'strict' } };
  const described = await serveDocument({ ...one, ...strict });
  expect(await described.call('/thing', html)).toMatchObject({ status: 406 });
});

const things = documentOf(`
  POST /json Thing! -> 201 Thing
  POST /form application/x-www-form-urlencoded Thing! -> 201 Thing
  POST /bytes application/octet-stream Thing! -> 204
  GET /things -> [Thing]
  POST /things Thing! -> 201 Thing
  GET /things/{name:text} -> 201 Thing
  PATCH /things/{name:text} Thing! -> Thing
  Thing: { name!, size: int, at: date-time }
`);

it.each([
  ['/json', undefined, '{"name":"a","size":1}'],
  ['/json', 'text/plain', '{"name":"a","size":1}'],
  ['/json', 'application/json; charset=iso-8859-1', '{"name":"a","size":1}'],
  ['/json', 'application/x-www-form-urlencoded', 'name=a&size=1'],
  ['/json', 'application/x-www-form-urlencoded', '{"name":"a","size":1}'],
  ['/form', undefined, 'name=a&size=1'],
  ['/form', 'application/json', '{"name":"a","size":1}'],
])('reads a body of %s that is sent as %s', async (path, type, text) => {
  const { call, origin } = await serveDocument(things);
  const send = {
    method: 'POST',
    body: Buffer.from(text),
    headers: type ? { 'Content-Type': type } : {},
  };
  expect(await call(path, send)).toMatchObject({ status: 201 });
  expect(await toleratedBy(origin)).toEqual([
    type ? `The body is not described as ${type}.` : 'The body has no Content-Type.',
  ]);
});

it('refuses what cannot be read as described with 415, and what does not fit by its problems', async () => {
  const { call, origin } = await serveDocument(things);
  const post = (body: string) => ({ method: 'POST', body: Buffer.from(body) });
  expect(await call('/json', post('hello'))).toMatchObject({ status: 415 });
  expectAnswer(await call('/json', post('{"size":1}')), 400, { code: 'invalid_body' });
  expect(await call('/bytes', post('hello'))).toMatchObject({ status: 204 });
  expect(await toleratedBy(origin)).toEqual(['The body has no Content-Type.']);
});

const post = (body: object) => withJson('POST', body);

it('takes null for absent where a property is not required and must be something else', async () => {
  const { call, origin } = await serveDocument(things);
  const made = await call('/things', post({ name: 'a', size: null, at: null }));
  expect(made).toMatchObject({ status: 201, json: { name: 'a' } });
  expect(made.json).not.toHaveProperty('at');
  expect(await toleratedBy(origin)).toEqual(['null is taken for absent: size, at.']);
  expect(await call('/things', post({ name: null }))).toMatchObject({ status: 400 });
  expectAnswer(await call('/things', post({ name: 'a', size: 'b', at: null })), 400);
});

it('removes what a change sets to null', async () => {
  const { call } = await serveDocument(things);
  await call('/things', post({ name: 'a', size: 2 }));
  const change = { ...post({ name: 'a', size: null }), method: 'PATCH' };
  const changed = await call('/things/a', change);
  expect(changed).toMatchObject({ status: 200 });
  expect(changed.json).not.toHaveProperty('size');
});

it('takes numbers and texts where the format is int-or-string', async () => {
  const Port = { type: 'string', format: 'int-or-string' };
  const { call } = await serveDocument(documentOf('POST /port { port: Port } -> 204', { Port }), {
    strictRequests: true,
  });
  for (const [value, status] of [
    [80, 204],
    ['http', 204],
    [true, 400],
  ])
    expect(await call('/port', post({ port: value }))).toMatchObject({ status });
});

it.each([
  ['/shops/a/items/', '/shops/a/items'],
  ['//shops//a/items', '/shops/a/items'],
  ['/shops/a/tags', '/shops/a/tags/'],
  ['/shops/a%3Aopen', '/shops/a:open'],
  ['/%73hops/a%2fb/items', '/shops/a%2Fb/items'],
])('reads the path %s as %s', async (sent, path) => {
  const { call, origin } = await serveDocument(`
    GET /shops/{id:text}/items -> { name! }
    GET /shops/{id:text}/tags/ -> { name! }
    GET /shops/{id:text}:open -> { name! }
  `);
  expect(await call(`${sent}?a=b`)).toMatchObject({ status: 200 });
  expect(await toleratedBy(origin)).toEqual([`The path is read as ${path}.`]);
  const inSandbox = await fetch(`${origin}/sandboxes/other${sent}`);
  expect(inSandbox.status).toBe(200);
});

it('leaves paths that are none of an operation, and all with strictRequests', async () => {
  const document = documentOf('GET /shops -> { name! }');
  const { call } = await serveDocument(document);
  expect(await call('/SHOPS/')).toMatchObject({ status: 404, json: { code: 'unknown_path' } });
  expect(await call('/shops/', { method: 'POST' })).toMatchObject({ status: 405 });
  const strict = await serveDocument(document, { strictRequests: true });
  expect(await strict.call('/shops/')).toMatchObject({ status: 404 });
});

it('reads a form that is sent by POST as the query of a GET, if there is no POST', async () => {
  const document = documentOf(`
    GET /users -> [{ id!: text, name! }]
    GET /users.list?limit:int&token! -> [{ id!: text, name! }]
    GET /taken?limit:int -> [{ id!: text, name! }]
    POST /taken application/x-www-form-urlencoded { limit: int } -> 201
  `);
  const { call, origin } = await serveDocument(document, { items: 3 });
  const form = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'Bearer dev' },
    body: 'limit=1',
  };
  expect(await call('/users.list', form)).toMatchObject({ status: 200, json: [{ id: '1' }] });
  expect(await toleratedBy(origin)).toEqual([
    'The form of the POST is read as the query of a GET.',
  ]);
  expect((await call('/sandboxes/other/users.list', form)).status).toBe(200);
  expect((await call('/taken', form)).status).toBe(201);
  const { headers, ...bare } = form;
  const json = { ...bare, headers: { ...headers, 'Content-Type': 'application/json' } };
  expect((await call('/users.list', json)).status).toBe(405);
  const strict = await serveDocument(document, { strictRequests: true });
  expect((await strict.call('/users.list', form)).status).toBe(405);
});

it('takes Authorization for a required parameter of the credential', async () => {
  const document = documentOf('GET /users?token!&role! -> [{ id!: text, name! }]');
  const { call } = await serveDocument(document);
  const headers = { Authorization: 'Bearer dev' };
  expect((await call('/users?role=a')).status).toBe(400);
  expect((await call('/users?role=a', { headers })).status).toBe(200);
  expect((await call('/users?token=dev', { headers })).status).toBe(400);
});
