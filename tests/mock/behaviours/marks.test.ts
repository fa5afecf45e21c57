import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const document = documentOf(`
  GET /starred/{repo:text} -> 204, 404
  PUT /starred/{repo:text} -> 204
  DELETE /starred/{repo:text} -> 204
  GET /users -> [User]
  POST /users { username! } -> 201 User
  GET /users/{username:text} -> User
  User: { id!: int, login! }
`);

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
    because:
      'PUT sets a mark at /starred/{repo}, GET shows whether it is set, and DELETE clears it',
  });
});

it('gives a new item the id that its body calls as the path does', async () => {
  const { send } = await serveDocument(document);
  const create = () => send('POST', '/users', { username: 'ada' });
  expect((await create()).json.login).toBe('ada');
  expect((await send('GET', '/users/ada')).json.login).toBe('ada');
  expect((await create()).status).toBe(409);
});
