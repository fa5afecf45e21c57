import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const none = { description: 'Done.' };
const starred = {
  parameters: [{ name: 'repo', in: 'path', required: true, schema: text }],
  get: { responses: { 204: none, 404: none } },
  put: { responses: { 204: none } },
  delete: { responses: { 204: none } },
};
const user = {
  type: 'object',
  required: ['id', 'login'],
  properties: { id: { type: 'integer' }, login: text },
};
const document = toDocument({
  '/starred/{repo}': starred,
  '/users': {
    get: { responses: { 200: jsonOf({ type: 'array', items: user }) } },
    post: {
      requestBody: jsonOf({
        type: 'object',
        required: ['username'],
        properties: { username: text },
      }),
      responses: { 201: jsonOf(user) },
    },
  },
  '/users/{username}': {
    parameters: [{ name: 'username', in: 'path', required: true, schema: text }],
    get: { responses: { 200: jsonOf(user) } },
  },
});

it('says whether what has no content is there', async () => {
  const { call, document: served } = await serveDocument(document);
  const statusOf = async (method: string, path: string) => (await call(path, { method })).status;
  expect(await statusOf('GET', '/starred/a')).toBe(204);
  expect(await statusOf('DELETE', '/starred/a')).toBe(204);
  expect(await statusOf('GET', '/starred/a')).toBe(404);
  expect(await statusOf('GET', '/starred/b')).toBe(204);
  expect(await statusOf('PUT', '/starred/a')).toBe(204);
  expect(await statusOf('GET', '/starred/a')).toBe(204);
  expect(explain(served).operations[0]).toMatchObject({
    answers: 'store',
    because: 'GET says whether there is something at /starred/{repo}, until DELETE ends it',
  });
});

it('gives a new item the id that its body calls as the path does', async () => {
  const { call } = await serveDocument(document);
  const create = () =>
    call('/users', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"username":"ada"}',
    });
  expect((await create()).json.login).toBe('ada');
  expect((await call('/users/ada')).json.login).toBe('ada');
  expect((await create()).status).toBe(409);
});
