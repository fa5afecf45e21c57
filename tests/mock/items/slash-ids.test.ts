import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const thing = (name: object) => ({ type: 'object', properties: { name, content: text } });
const shown = (name: object, status = 200) => ({
  [status]: jsonOf(thing(name)),
  404: { description: 'None.' },
});
const at = (parameter: string, name: object, schema: object = text) => ({
  parameters: [pathParameter(parameter, schema)],
  get: { responses: shown(name) },
  patch: { requestBody: jsonOf({ properties: { content: text } }), responses: shown(name) },
  delete: { responses: { 204: { description: 'Gone.' }, 404: { description: 'None.' } } },
});

it.each<[string, object, object]>([
  ['/v1/{name}', { ...text, pattern: '^memos/[^/]+$' }, text],
  ['/v1/{name=memos/*}', text, text],
  ['/v1/memos/{memo}', text, { ...text, example: 'memos/1' }],
])('serves the items of %s by names with their collection', async (path, schema, name) => {
  const parameter = path.includes('{name') ? 'name' : 'memo';
  const comment = { type: 'object', properties: { id: { type: 'integer' }, content: text } };
  const { send } = await serveDocument(
    toDocument({
      '/v1/memos': {
        get: { responses: { 200: jsonOf({ type: 'array', items: thing(name) }) } },
        post: {
          requestBody: jsonOf({ properties: { content: text } }),
          responses: shown(name, 201),
        },
      },
      [path]: at(parameter, name, schema),
      '/v1/memos/{memo}/comments': {
        parameters: [pathParameter('memo', text)],
        get: { responses: { 200: jsonOf({ type: 'array', items: comment }) } },
        post: {
          requestBody: jsonOf({ properties: { content: text } }),
          responses: { 201: jsonOf(comment), 404: { description: 'None.' } },
        },
      },
    }),
  );
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

it('tells paths apart that differ in the patterns of their parameters alone', async () => {
  const listed = (name: string) => ({
    [`/v1/${name}`]: {
      get: { responses: { 200: jsonOf({ type: 'array', items: thing(text) }) } },
      post: { requestBody: jsonOf(thing(text)), responses: shown(text, 201) },
    },
  });
  const named = (collection: string) => ({ ...text, pattern: `${collection}/[^/]+` });
  const { send, document } = await serveDocument(
    toDocument({
      ...listed('memos'),
      ...listed('users'),
      '/v1/{name}': at('name', text, named('memos')),
      '/v1/{name_1}': at('name_1', text, named('users')),
    }),
  );
  expect((await send('GET', '/v1/memos/2')).json.name).toBe('memos/2');
  expect((await send('GET', '/v1/users/2')).json.name).toBe('users/2');
  expect(document.written.warnings).toEqual([]);
});
