import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

/** Calls the admin's data of a twin. */
async function data(
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown },
  origin: string,
) {
  const response = await fetch(`${origin}/__admin/data/${path}`, {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

const properties = { theme: { enum: ['dark', 'light'] }, size: { type: 'integer' } };
const settings = { type: 'object', properties, required: ['theme'] };
const requestBody = { content: { 'application/json': { schema: settings } } };
const example = { theme: 'dark', size: 1 };
const user = { type: 'object', properties: { id: { type: 'integer' } } };
const single = {
  get: { operationId: 'show', responses: { 200: jsonOf(settings, { example }) } },
  put: { requestBody, responses: { 200: jsonOf(settings) } },
};
const userId = { name: 'user', in: 'path', required: true, schema: { type: 'integer' } };
const list = { type: 'array', items: user };
const created = { name: 'id[gte]', in: 'query', schema: { type: 'integer' } };
const document = toDocument({
  '/me': single,
  '/users': { get: { parameters: [created], responses: { 200: jsonOf(list) } } },
  '/users/{user}': { parameters: [userId], get: { responses: { 200: jsonOf(user) } } },
  '/users/{user}/profile': { ...single, parameters: [userId] },
});

it('describes single objects beside the collections, whose parameters all are', async () => {
  const { origin } = await serveDocument(document);
  const { json } = await data('../collections', {}, origin);
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
  const one = await data('../collections/me', {}, origin);
  expect(one.json.schema).toMatchObject({
    properties: { '{}': { type: 'string', const: '/' }, ...properties },
  });
});

it('reads and changes single objects by the values of the parameters in their paths', async () => {
  const { origin, call } = await serveDocument(document);
  expect(await data('me/%2F', {}, origin)).toMatchObject({
    status: 404,
    json: { message: expect.stringContaining('GET /me shows it as the document describes it') },
  });
  const light = { theme: 'light' };
  expect(await data('me/%2F', { method: 'PUT', body: light }, origin)).toMatchObject({
    status: 201,
    json: { '{}': '/', ...light },
  });
  expect((await call('/me')).json).toEqual(light);
  expect(await data('me', { method: 'POST', body: light }, origin)).toMatchObject({
    status: 409,
  });
  await data('me/%2F', { method: 'PATCH', body: { size: 3 } }, origin);
  expect((await call('/me')).json).toEqual({ ...light, size: 3 });

  const profile = encodeURIComponent('users/{user}/profile');
  await data(`${profile}/%2F2`, { method: 'PUT', body: light }, origin);
  expect((await call('/users/2/profile')).json).toEqual(light);
  expect((await call('/users/1/profile')).json).toEqual(example);
  expect((await data(profile, { method: 'POST', body: light }, origin)).status).toBe(400);
  expect((await data(`${profile}/%2F2`, { method: 'DELETE' }, origin)).status).toBe(204);
  expect((await call('/users/2/profile')).json).toEqual(example);
});

it('refuses single objects with an id that no path has, and takes the values of the path from it', async () => {
  const { origin } = await serveDocument(document);
  const profile = encodeURIComponent('users/{user}/profile');
  const put = (id: string, body: object) =>
    data(`${profile}/${encodeURIComponent(id)}`, { method: 'PUT', body }, origin);
  for (const id of ['2', '/2/3', '//', '/'])
    expect(await put(id, { theme: 'light' })).toMatchObject({
      status: 400,
      json: { problems: [{ pointer: '/{}' }] },
    });
  expect(await put('/2', { '{user}': '3', theme: 'light' })).toMatchObject({
    status: 201,
    json: { '{user}': '2' },
  });
});
