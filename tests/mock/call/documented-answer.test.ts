import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { createDocumentedAnswer } from '../../../mock/call/documented-answer.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };

/** A document of one GET that answers with 1 and these headers. */
function withHeaders(headers: object) {
  const operations = { 'GET /a': { responses: { 200: { ...jsonOf({ const: 1 }), headers } } } };
  return documentOf('GET /a -> 1', {}, { operations });
}

it('answers with the media type that the document gives its JSON', async () => {
  const document = documentOf(`
    GET /items -> 200
    GET /items/{id} -> Item
    GET /any -> */* Item
    GET /text -> text/json 7
    Item: { id: int, name }
  `);
  const hal = 'application/hal+json; charset=utf-8';
  Object.assign(document.paths['/items']?.get.responses[200], {
    content: { [hal]: { schema: schemaOf('[Item]') } },
  });
  const { call } = await serveDocument(document);
  const list = await call('/items');
  expect(list.type).toBe(hal);
  expect(list.json).toHaveLength(2);
  expect((await call('/any')).type).toBe('application/json');
  expect(await call('/text')).toMatchObject({ type: 'text/json', text: '7' });
});

it('redirects where the default beside that is of errors', async () => {
  const { send } = await serveDocument(`
    GET /go -> default { message! }, 302 (Found.)
    GET /new -> 201 1, default { message! }, 303 (See other.)
  `);
  expect((await send('GET', '/go')).status).toBe(302);
  expect((await send('GET', '/new')).status).toBe(201);
});

it('refuses what accepts no described media type with 406, and chooses among several', async () => {
  const document = documentOf('GET /one -> 1\nGET /none -> 204');
  const { call } = await serveDocument(document, { strictRequests: true });
  const answerTo = async (path: string, accept: string) => {
    const { status, type, json } = await call(path, { headers: { Accept: accept } });
    return [status, type, json?.code ?? json];
  };
  const json = 'application/json';
  expect(await answerTo('/one', 'text/html, */*;q=0.8')).toEqual([200, json, 1]);
  expect(await answerTo('/one', 'application/*')).toEqual([200, json, 1]);
  expect(await answerTo('/one', 'text/html')).toEqual([406, json, 'not_acceptable']);
  expect(await answerTo('/one', 'application/json;q=0')).toEqual([406, json, 'not_acceptable']);
  expect(await answerTo('/none', 'text/html')).toEqual([204, null, undefined]);
});

it('ignores Accept for the Pet Store Service, which says nothing of it', async () => {
  const { api, keys } = await startTwin();
  const headers = { Authorization: `Bearer ${keys[0]?.key}`, Accept: 'text/html' };
  expect((await fetch(`${api}/pets`, { headers })).status).toBe(200);
  const document = await compile(builtInDocument);
  for (const operation of document.operations)
    expect(createDocumentedAnswer(document, operation)).toBeUndefined();
});

it('says where a created item is, and where a redirect leads', async () => {
  const headers = {
    Location: { schema: text },
    'X-Version': { required: true, schema: { const: 3 } },
  };
  const old = { description: 'Moved.', headers: { Location: { example: '/items', schema: text } } };
  const lines = `
    GET /items -> [Item]
    POST /items Item -> 201 Item
    GET /items/{id} -> Item
    GET /old -> 302
    Item: { id: int, name }`;
  const operations = { 'GET /old': { responses: { 302: old } } };
  const document = documentOf(lines, {}, { servers: [{ url: '/v2' }], operations });
  Object.assign(document.paths['/items']?.post.responses[201], { headers });
  const { call, api } = await serveDocument(document);
  const created = await call('/items', withJson('POST', { name: 'a' }));
  const location = created.headers.get('Location') ?? '';
  expect([created.status, location]).toEqual([201, '/v2/items/3']);
  expect(created.headers.get('X-Version')).toBe('3');
  expect(await (await fetch(new URL(location, api))).json()).toEqual({ id: 3, name: 'a' });
  const moved = await call('/old');
  expect([moved.status, moved.headers.get('Location')]).toEqual([302, '/items']);
});

it('answers by ranges and by default', async () => {
  const { call } = await serveDocument(`
    GET /range -> 2XX 1
    GET /default -> default 2
    GET /later -> 202
  `);
  expect(await call('/range')).toMatchObject({ status: 200, json: 1 });
  expect(await call('/default')).toMatchObject({ status: 200, json: 2 });
  expect(await call('/later')).toMatchObject({ status: 202, text: '' });
});

it('lets Accept give parameters that no described media type has', async () => {
  const { call } = await serveDocument(documentOf('GET /one -> 1'), { strictRequests: true });
  const statusFor = async (accept: string) =>
    (await call('/one', { headers: { Accept: accept } })).status;
  expect(await statusFor('application/json; charset=utf-8')).toBe(200);
  expect(await statusFor('application/json;a="x,y";q=0.5, a/b')).toBe(200);
  expect(await statusFor('application/json;charset=utf-8;q=0')).toBe(406);
  expect(await statusFor('text/html; charset=utf-8')).toBe(406);
});

const described = { required: true, schema: { type: 'string', example: 'x' } };

it('leaves described headers to what sets them, and those that cannot be', async () => {
  const names = [
    ...['Transfer-Encoding', 'Connection', 'Keep-Alive', 'Upgrade', 'Trailer', 'Content-Length'],
    ...['Access-Control-Allow-Origin', 'Vary', 'Date', 'X-RateLimit-Limit', 'Set-Cookie'],
    ...['Content-Type', 'X Foo', 'X-F\u00f6\u00f6', 'X-Own'],
  ];
  const headers = Object.fromEntries(names.map((name) => [name, described]));
  const { call, document } = await serveDocument(withHeaders(headers));
  const answer = await call('/a');
  expect([answer.status, answer.json, answer.headers.get('X-Own')]).toEqual([200, 1, 'x']);
  const set = names.filter((name) => /^[!-~]+$/.test(name) && answer.headers.get(name) === 'x');
  expect(set).toEqual(['Set-Cookie', 'X-Own']);
  expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(answer.headers.get('Vary')).toBe('Prefer, X-Sandbox');
  const problem = 'it is not a name that a header can have; it is left out';
  expect(document.written.warnings).toEqual(
    ['X Foo', 'X-F\u00f6\u00f6'].map((name) => ({
      pointer: `#/paths/~1a/get/responses/200/headers/${name}`,
      problem,
    })),
  );
});

it('leaves out a header whose example is null, unless it is required, and sends a default', async () => {
  const example = null;
  const integer = { type: 'integer', minimum: 7 };
  const headers = {
    'X-Null': { example, schema: { type: ['integer', 'null'] } },
    'X-Named': { examples: { none: { value: null } }, schema: integer },
    'X-Schema': { schema: { ...integer, example } },
    'X-Required': { required: true, example, schema: integer },
    'X-Zero': { example: 0, schema: integer },
    'X-Default': { schema: { ...integer, default: 4 } },
    Location: { example, schema: { type: 'string' } },
  };
  const { call } = await serveDocument(withHeaders(headers));
  const answer = await call('/a');
  const sent = Object.keys(headers).map((name) => answer.headers.get(name));
  expect(sent).toEqual([null, null, null, expect.stringMatching(/^\d+$/), '0', '4', null]);
});

it('lets pages of other origins read the headers that the document describes', async () => {
  const headers = { 'X-Total-Count': {}, Location: {}, link: {}, 'Set-Cookie': {}, 'X-A': {} };
  const { call } = await serveDocument(withHeaders(headers));
  const builtIn = await startTwin();
  const exposedBy = ({ headers }: { headers: Headers }) =>
    (headers.get('Access-Control-Expose-Headers') ?? '').split(', ');
  const own = exposedBy(await fetch(`${builtIn.api}/pets`));
  expect(own).toHaveLength(13);
  expect(exposedBy(await call('/a'))).toEqual([...own, 'X-Total-Count', 'Location', 'X-A']);
});

it('tags what is read where the document describes that, and answers 304 for what is known', async () => {
  const document = documentOf(`
    GET /books -> [Book], 304
    POST /books Book -> 201 Book
    GET /books/{id} -> Book
    PATCH /books/{id} Book -> Book
    Book: { id: int, title }
  `);
  Object.assign(document.paths['/books/{id}']?.get.responses[200], {
    headers: { etag: { required: true, schema: text } },
  });
  const { call } = await serveDocument(document);
  const unless = (path: string, tag: string) => call(path, { headers: { 'If-None-Match': tag } });
  for (const path of ['/books', '/books/1']) {
    const tag = (await call(path)).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
      expect(await unless(path, known)).toMatchObject({ status: 304, text: '' });
    expect((await unless(path, '"x"')).status).toBe(200);
    await call('/books/1', withJson('PATCH', { title: `New at ${path}` }));
    const again = await unless(path, tag);
    expect(again.status).toBe(200);
    expect(again.headers.get('etag')).not.toBe(tag);
  }
  const changed = await call('/books/1', withJson('PATCH', { title: 'B' }));
  expect(changed.headers.get('etag')).toBeNull();
});

it('gives what is changed the tag that it is read with, and changes it under its preconditions', async () => {
  const document = documentOf(`
    GET /books -> [Book]
    POST /books Book -> 201 Book
    GET /books/{id} -> Book
    PATCH /books/{id} Book -> Book, 404, 412
    PUT /books/{id} Book -> Book, 201 Book, 404, 412
    DELETE /books/{id} -> Book, 204, 404, 412
    Book: { readonly id: int, title }
  `);
  const headers = { ETag: { schema: { type: 'string', example: 'unquoted' } } };
  for (const { responses } of [
    document.paths['/books']?.post,
    ...Object.values(document.paths['/books/{id}'] ?? {}),
  ])
    for (const status of [200, 201]) Object.assign(responses?.[status] ?? {}, { headers });
  const { call } = await serveDocument(document);
  const tagAt = async (path: string) => (await call(path)).headers.get('etag') ?? '';
  const made = await call('/books', withJson('POST', { title: 'A' }));
  const path = `/books/${made.json.id}`;
  expect(made.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
  expect(made.headers.get('etag')).toBe(await tagAt(path));
  const send = async (method: string, more: Record<string, string>, at = path) => {
    const title = `${method} ${Object.values(more)}`;
    const answer = await call(at, withJson(method, { title }, more));
    if (answer.status === 200) expect(answer.headers.get('etag')).toBe(await tagAt(at));
    return answer.status;
  };
  for (const method of ['PATCH', 'PUT']) {
    const tag = await tagAt(path);
    for (const other of ['"x"', `W/${tag}`, `"x", W/${tag}`, 'x', ''])
      expect([other, await send(method, { 'If-Match': other })]).toEqual([other, 412]);
    for (const same of [tag, `W/"y", ${tag}`, `"x",${tag}`, '*', undefined]) {
      const now = await tagAt(path);
      const match = same?.replace(tag, now);
      expect(await send(method, match === undefined ? {} : { 'If-Match': match })).toBe(200);
    }
    const now = await tagAt(path);
    for (const known of [now, `W/${now}`, '*'])
      expect(await send(method, { 'If-None-Match': known })).toBe(412);
    expect(await send(method, { 'If-None-Match': '"x"' })).toBe(200);
  }
  expect(await send('PATCH', { 'If-Match': '"x"' }, '/books/77')).toBe(404);
  expect(await send('PUT', { 'If-Match': '*' }, '/books/77')).toBe(412);
  expect(await send('PUT', { 'If-None-Match': '*' }, '/books/77')).toBe(201);
  expect(await send('DELETE', { 'If-Match': '"x"' })).toBe(412);
  expect((await call(path)).status).toBe(200);
});
