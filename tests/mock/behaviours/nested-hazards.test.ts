import { expect, it } from 'vitest';
import type { Call } from '../../../mock/behaviours/behaviour.ts';
import {
  createDeleteBehaviour,
  type ParentDeletion,
  withChildren,
} from '../../../mock/behaviours/children.ts';
import type { ItemOptions } from '../../../mock/behaviours/item-answers.ts';
import { toStoredItem } from '../../../mock/items/stored-item.ts';
import { memberOf, scopesOf } from '../../../mock/state/scopes.ts';
import { StoreUnavailableError } from '../../../mock/state/store.ts';
import { createStore } from '../../../mock/state/store-of-tables.ts';
import { Draft, Tables } from '../../../mock/state/tables.ts';
import type { Resource } from '../../../openapi/index.ts';
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

it.each([0, 1])(
  'deletes an item with those below it, or none where its store takes %i changes',
  async (taken) => {
    const { document } = await serveDocument(toDocument({ ...users, ...notes }));
    const [user, note] = document.resources as [Resource, Resource];
    const held = Object.fromEntries(scopesOf(note).map((scope) => [memberOf(scope), 1]));
    const tables = new Tables({
      [user.name]: { items: [toStoredItem(user, { id: 1 })], next: 2 },
      [note.name]: { items: [toStoredItem(note, { id: 1, ...held })], next: 2 },
    });
    let left = taken;
    const store = createStore(tables, {
      async run(compute) {
        if (--left < 0) throw new StoreUnavailableError('It is full.');
        return compute(new Draft(tables));
      },
      load: async () => {},
      close: async () => {},
    });
    const options = {
      ...{ document, resource: user, operation: user.operations.delete },
      onDeleteParent: 'cascade',
    } as unknown as ItemOptions & { onDeleteParent: ParentDeletion };
    const remove = withChildren(createDeleteBehaviour(options), options);
    const call = { store, params: { id: '1' }, url: '/users/1' } as unknown as Call;
    const status = await remove(call).then(
      ({ status }) => status,
      () => 503,
    );
    expect([status, await store.count(user.name), await store.count(note.name)]).toEqual(
      taken > 0 ? [204, 0, 0] : [503, 1, 1],
    );
  },
);
