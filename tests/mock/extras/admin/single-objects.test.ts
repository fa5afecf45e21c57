import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../../support/document-of.ts';
import { expectAnswer } from '../../../support/expect-answer.ts';
import { jsonOf, serveDocument } from '../../../support/serve-document.ts';

type Sent = { method?: string; body?: unknown };

const settings = '{ theme!: "dark" | "light", size: int }';
const { properties } = schemaOf(settings);
const example = { theme: 'dark', size: 1 };
const shown = { responses: { 200: jsonOf(schemaOf(settings), { example }) } };
const document = documentOf(
  `
  show: GET /me -> 200
  PUT /me ${settings} -> ${settings}
  GET /users?id[gte]:int -> [{ id: int }]
  GET /users/{user} -> { id: int }
  GET /users/{user}/profile -> 200
  PUT /users/{user}/profile ${settings} -> ${settings}
  `,
  {},
  { operations: { 'GET /me': shown, 'GET /users/{user}/profile': shown } },
);

/** Serves the document, and gives what calls its admin's data, too. */
async function serve() {
  const twin = await serveDocument(document);
  const data = (path: string, { method = 'GET', body }: Sent = {}) =>
    twin.send(method, `/__admin/data/${path}`, body);
  return { ...twin, data };
}

it('describes single objects beside the collections, whose parameters all are', async () => {
  const { data } = await serve();
  const { json } = await data('../collections');
  expect(json.collections[0]).toMatchObject({
    name: 'users',
    filters: [],
    parameters: [{ parameter: 'id[gte]', effect: 'filter' }],
  });
  expect(json.singleObjects).toEqual([
    {
      name: 'me',
      idProperty: '{}',
      items: 0,
      operations: { read: 'show', replace: 'PUT /me' },
      filters: [],
      parameters: [],
    },
    expect.objectContaining({ name: 'users/{user}/profile', items: 0 }),
  ]);
  const one = await data('../collections/me');
  expect(one.json.schema).toMatchObject({
    properties: { '{}': { type: 'string', const: '/' }, ...properties },
  });
});

it('reads and changes single objects by the values of the parameters in their paths', async () => {
  const { data, call } = await serve();
  expectAnswer(await data('me/%2F'), 404, {
    message: expect.stringContaining('GET /me shows it as the document describes it'),
  });
  const light = { theme: 'light' };
  expectAnswer(await data('me/%2F', { method: 'PUT', body: light }), 201, { '{}': '/', ...light });
  expect((await call('/me')).json).toEqual(light);
  expectAnswer(await data('me', { method: 'POST', body: light }), 409);
  await data('me/%2F', { method: 'PATCH', body: { size: 3 } });
  expect((await call('/me')).json).toEqual({ ...light, size: 3 });

  const profile = encodeURIComponent('users/{user}/profile');
  await data(`${profile}/%2F2`, { method: 'PUT', body: light });
  expect((await call('/users/2/profile')).json).toEqual(light);
  expect((await call('/users/1/profile')).json).toEqual(example);
  expect((await data(profile, { method: 'POST', body: light })).status).toBe(400);
  expect((await data(`${profile}/%2F2`, { method: 'DELETE' })).status).toBe(204);
  expect((await call('/users/2/profile')).json).toEqual(example);
});

it('refuses single objects with an id that no path has, and takes the values of the path from it', async () => {
  const { data } = await serve();
  const profile = encodeURIComponent('users/{user}/profile');
  const put = (id: string, body: object) =>
    data(`${profile}/${encodeURIComponent(id)}`, { method: 'PUT', body });
  for (const id of ['2', '/2/3', '//', '/'])
    expectAnswer(await put(id, { theme: 'light' }), 400, { problems: [{ pointer: '/{}' }] });
  expectAnswer(await put('/2', { '{user}': '3', theme: 'light' }), 201, { '{user}': '2' });
});
