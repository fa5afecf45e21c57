import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const linesAt = (path: string, thing = 'Thing') => `
  GET ${path} -> ${thing}, 404
  PATCH ${path} { content } -> ${thing}, 404
  DELETE ${path} -> 204, 404`;

it.each<[string, object, object]>([
  ['/v1/{name}', { ...text, pattern: '^memos/[^/]+$' }, text],
  ['/v1/{name=memos/*}', text, text],
  ['/v1/memos/{memo}', text, { ...text, example: 'memos/1' }],
])('serves the items of %s by names with their collection', async (path, schema, name) => {
  const { paths, ...document } = documentOf(
    `
    GET /v1/memos -> [Thing]
    POST /v1/memos { content } -> 201 Thing, 404
    GET /v1/memos/{memo:text}/comments -> [{ id: int, content }]
    POST /v1/memos/{memo:text}/comments { content } -> 201 { id: int, content }, 404
    ${linesAt(path.includes('{name') ? '/item/{name:text}' : '/item/{memo:text}')}
    `,
    { Name: name, Thing: '{ name: Name, content }' },
  );
  const [[at, item] = ['', {}]] = Object.entries(paths).filter(([one]) => one.startsWith('/item'));
  const [parameter] = item.parameters;
  const { [at]: _, ...others } = paths;
  const named = { ...item, parameters: [{ ...parameter, schema }] };
  const { send } = await serveDocument({ ...document, paths: { ...others, [path]: named } });
  const made = await send('POST', '/v1/memos', { content: 'Ours' });
  expect(made).toEqual({ status: 201, json: { name: 'memos/3', content: 'Ours' } });
  expect(await send('GET', '/v1/memos/3')).toEqual({ ...made, status: 200 });
  expect(await send('GET', '/v1/memos/memos%2F3')).toEqual({ ...made, status: 200 });
  expect((await send('POST', '/v1/memos/3/comments', { content: 'x' })).status).toBe(201);
  expect((await send('POST', '/v1/memos/77/comments', { content: 'x' })).status).toBe(404);
  expect((await send('PATCH', '/v1/memos/3', { content: 'New' })).json.content).toBe('New');
  expect((await send('DELETE', '/v1/memos/3')).status).toBe(204);
  expect((await send('GET', '/v1/memos/3')).status).toBe(404);
});

it.each([
  ['patterns', ['shelves/[^/]+', '^shelves/[^/]+/books/[^/]+$'], '/v1/{name}', '/v1/{name_1}'],
  ['templates', [], '/v1/{name=shelves/*}', '/v1/{name=shelves/*/books/*}'],
])('serves items by names of several levels, which %s show', async (_, patterns, shelf, book) => {
  const { paths, ...document } = documentOf(
    `
    GET /v1/shelves -> [Thing]
    POST /v1/shelves { content } -> 201 Thing
    GET /v1/shelves/{parent:text}/books -> [Book], 404
    POST /v1/shelves/{parent:text}/books { content } -> 201 Book, 404
    ${linesAt('/v1/{name:text}')}
    ${linesAt('/v1/{name_1:text}', 'Book')}
    `,
    { Thing: '{ name, content }', Book: '{ name, content, pages: int }' },
  );
  const { '/v1/{name}': ofShelf, '/v1/{name_1}': ofBook, ...others } = paths;
  for (const [at, one] of [ofShelf, ofBook].entries()) {
    const { [at]: pattern } = patterns;
    const more = pattern ? { schema: { ...text, pattern } } : { name: 'name' };
    Object.assign(one?.parameters[0], more);
  }
  const named = { ...others, [shelf]: ofShelf, [book]: ofBook };
  const { send, document: read } = await serveDocument({ ...document, paths: named });
  expect((await send('GET', '/v1/shelves/1/books')).json[0].name).toBe('shelves/1/books/1');
  expect((await send('POST', '/v1/shelves', { content: 'x' })).json.name).toBe('shelves/3');
  const made = await send('POST', '/v1/shelves/3/books', { content: 'Ours' });
  const { name } = made.json;
  expect(name).toMatch(/^shelves\/3\/books\/\d+$/);
  expect(await send('GET', `/v1/${name}`)).toEqual({ ...made, status: 200 });
  expect((await send('PATCH', `/v1/${name}`, { content: 'New' })).json.content).toBe('New');
  expect((await send('GET', '/v1/shelves/3/books')).json).toEqual([{ name, content: 'New' }]);
  expect((await send('GET', `/v1/${name.replace('/3/', '/1/')}`)).status).toBe(404);
  expect((await send('DELETE', '/v1/shelves/3')).status).toBe(204);
  expect((await send('GET', `/v1/${name}`)).status).toBe(404);
  expect(read.written.warnings).toEqual([]);
});

it('tells paths apart that differ in the patterns of their parameters alone', async () => {
  const listed = (name: string) => `
    GET /v1/${name} -> [Thing]
    POST /v1/${name} Thing -> 201 Thing, 404`;
  const described = documentOf(
    listed('memos') + listed('users') + linesAt('/v1/{name}') + linesAt('/v1/{name_1}'),
    { Thing: '{ name, content }' },
  );
  for (const [path, collection] of [
    ['/v1/{name}', 'memos'],
    ['/v1/{name_1}', 'users'],
  ] as const)
    Object.assign(described.paths[path]?.parameters[0], {
      schema: { ...text, pattern: `${collection}/[^/]+` },
    });
  const { send, document } = await serveDocument(described);
  expect((await send('GET', '/v1/memos/2')).json.name).toBe('memos/2');
  expect((await send('GET', '/v1/users/2')).json.name).toBe('users/2');
  expect(document.written.warnings).toEqual([]);
});

it.each<[string, object?]>([
  ['/files/{path+}'],
  ['/files/{*path}'],
  ['/files/{path:.*}'],
  ['/files/{path:path}'],
  ['/files/{path}', { allowReserved: true }],
])('finds items by ids with slashes at %s', async (path, more) => {
  const { paths, ...document } = documentOf(`
    GET /files -> [File]
    PUT /item/{path:text} { text } -> File, 201 File
    GET /item/{path:text} -> File, 404
    DELETE /item/{path:text} -> 204, 404
    GET /files/a/{part:text} -> "part"
    File: { path, text }
  `);
  const { '/item/{path}': item, ...others } = paths;
  const named = { ...item, parameters: [{ ...item?.parameters[0], ...more }] };
  const { send } = await serveDocument({ ...document, paths: { ...others, [path]: named } });
  const file = { path: 'a/b/$&/b', text: 'x' };
  const made = await send('PUT', '/files/a/b/$&/b', { text: 'x' });
  expect(made).toEqual({ status: 201, json: file });
  for (const target of ['/files/a/b/$&/b', '/files/a%2Fb/$&/b?x=1'])
    expect(await send('GET', target)).toEqual({ status: 200, json: file });
  expect((await send('GET', '/files')).json).toContainEqual(file);
  expect(await send('GET', '/files/a/b')).toEqual({ status: 200, json: 'part' });
  expect((await send('POST', '/files/a/b/c')).status).toBe(405);
  expect((await send('DELETE', '/files/a/b/$&/b')).status).toBe(204);
  expect((await send('GET', '/files/a/b/$&/b')).status).toBe(404);
});
