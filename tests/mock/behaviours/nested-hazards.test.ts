import { expect, it } from 'vitest';
import { toPins } from '../../support/pinned-twin.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

/** An item with these further properties. */
const itemOf = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(['id', ...names].map((name) => [name, { type: 'integer' }])),
});

/** The operations of a collection and of its items. */
function pathsOf(
  path: string,
  item: ReturnType<typeof itemOf>,
  { status = 200 } = {},
): Record<string, object> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const toParameters = (all: (string | undefined)[]) => all.map((name) => pathParameter(name));
  const { id: _, ...sent } = item.properties;
  const body = { requestBody: jsonOf({ type: 'object', properties: sent }) };
  return {
    [path]: {
      parameters: toParameters(names),
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { ...body, responses: { 201: jsonOf(item) } },
    },
    [`${path}/{id}`]: {
      parameters: toParameters([...names, 'id']),
      get: { responses: { 200: jsonOf(item) } },
      put: { ...body, responses: { 200: jsonOf(item), [status]: jsonOf(item) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  };
}

const serve = async (paths: object, settings: object = {}, others: object = {}) =>
  (await serveDocument(toDocument(paths, others), settings)).send;

const users = pathsOf('/users', itemOf());
const notes = pathsOf('/users/{userId}/notes', itemOf('size'), { status: 201 });

it('answers 404 where the id of a PUT is that of an item of another parent', async () => {
  const call = await serve({ ...users, ...notes });
  const created = await call('POST', '/users/1/notes', { size: 1 });
  const path = `notes/${created.json.id}`;
  expect((await call('PUT', `/users/2/${path}`, { size: 2 })).status).toBe(404);
  expect((await call('GET', `/users/1/${path}`)).json.size).toBe(1);
});

it('lists and creates in its own scope also where the order of lists is pinned', async () => {
  const silences = [
    { id: 'list-order', source: '1', question: 'Which?', twin: 'oldest first', 'x-assumed': 'So.' },
  ];
  const pins = await writeJson(toPins({ 'list-order': 'newest-first' }));
  const call = await serve({ ...users, ...notes }, { pins }, { 'x-silences': silences });
  const sizes = async (user: number) =>
    (await call('GET', `/users/${user}/notes`)).json.map(({ size }: { size: number }) => size);
  const before = await sizes(2);
  for (const size of [7, 8]) await call('POST', '/users/1/notes', { size });
  expect((await sizes(1)).slice(0, 2)).toEqual([8, 7]);
  expect(await sizes(2)).toEqual(before);
});

it('deletes items that are above themselves, once each', async () => {
  const call = await serve({
    ...pathsOf('/owners', itemOf()),
    ...pathsOf('/owners/{ownerId}/teams', itemOf('ownerId', 'adminId')),
    ...pathsOf('/admins/{adminId}/teams', itemOf('ownerId', 'adminId')),
    ...pathsOf('/admins', itemOf('teamId')),
    ...pathsOf('/teams/{teamId}/admins', itemOf('teamId')),
    ...pathsOf('/teams', itemOf('ownerId', 'adminId')),
  });
  expect((await call('DELETE', '/owners/1')).status).toBe(204);
  expect((await call('GET', '/owners/1')).status).toBe(404);
  expect((await call('DELETE', '/owners/2')).status).toBe(204);
});

it('says nothing of the children of an item that is not to be seen', async () => {
  const parts = pathsOf('/users/{userId}/notes/{noteId}/parts', itemOf());
  const call = await serve({ ...users, ...notes, ...parts }, { onDeleteParent: 'refuse' });
  const { json: note } = await call('POST', '/users/1/notes', { size: 1 });
  await call('POST', `/users/1/notes/${note.id}/parts`, {});
  expect((await call('DELETE', `/users/2/notes/${note.id}`)).status).toBe(404);
  expect((await call('DELETE', `/users/1/notes/${note.id}`)).status).toBe(409);
});
