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
import { documentOf } from '../../support/document-of.ts';
import { toPins } from '../../support/pinned-twin.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

/** The operations of a collection whose items have these further properties. */
function linesOf(path: string, ...names: string[]) {
  const fields = names.map((name) => `${name}: int`).join(', ');
  const item = `{ id: int, ${fields} }`;
  return `
    GET ${path} -> [${item}]
    POST ${path} { ${fields} } -> 201 ${item}
    GET ${path}/{id} -> ${item}
    PUT ${path}/{id} { ${fields} } -> ${item}${path.endsWith('notes') ? `, 201 ${item}` : ''}
    DELETE ${path}/{id} -> 204`;
}

const serve = async (lines: string, settings: object = {}, others: object = {}) =>
  (await serveDocument(documentOf(lines, {}, { ...others }), settings)).send;

const notes = linesOf('/users') + linesOf('/users/{userId}/notes', 'size');

it('answers 404 where the id of a PUT is that of an item of another parent', async () => {
  const call = await serve(notes);
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
  const call = await serve(notes, { pins }, { 'x-silences': silences });
  const sizes = async (user: number) =>
    (await call('GET', `/users/${user}/notes`)).json.map(({ size }: { size: number }) => size);
  const before = await sizes(2);
  for (const size of [7, 8]) await call('POST', '/users/1/notes', { size });
  expect((await sizes(1)).slice(0, 2)).toEqual([8, 7]);
  expect(await sizes(2)).toEqual(before);
});

it('deletes items that are above themselves, once each', async () => {
  const call = await serve(
    linesOf('/owners') +
      linesOf('/owners/{ownerId}/teams', 'ownerId', 'adminId') +
      linesOf('/admins/{adminId}/teams', 'ownerId', 'adminId') +
      linesOf('/admins', 'teamId') +
      linesOf('/teams/{teamId}/admins', 'teamId') +
      linesOf('/teams', 'ownerId', 'adminId'),
  );
  expect((await call('DELETE', '/owners/1')).status).toBe(204);
  expect((await call('GET', '/owners/1')).status).toBe(404);
  expect((await call('DELETE', '/owners/2')).status).toBe(204);
});

it('says nothing of the children of an item that is not to be seen', async () => {
  const parts = linesOf('/users/{userId}/notes/{noteId}/parts');
  const call = await serve(notes + parts, { onDeleteParent: 'refuse' });
  const { json: note } = await call('POST', '/users/1/notes', { size: 1 });
  await call('POST', `/users/1/notes/${note.id}/parts`, {});
  expect((await call('DELETE', `/users/2/notes/${note.id}`)).status).toBe(404);
  expect((await call('DELETE', `/users/1/notes/${note.id}`)).status).toBe(409);
});

it.each([0, 1])(
  'deletes an item with those below it, or none where its store takes %i changes',
  async (taken) => {
    const { document } = await serveDocument(documentOf(notes));
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
