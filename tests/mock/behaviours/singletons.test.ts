import { expect, it } from 'vitest';
import type { ParentDeletion } from '../../../mock/behaviours/children.ts';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, serveEmpty } from '../../support/serve-document.ts';

const settings = '{ theme!: "dark" | "light", size: int, readonly changes!: int }';
const change = '{ theme: "dark" | "light", size: int, readonly changes: int }';
const shown = { theme: 'dark', size: 1, changes: 7 };
const shownBy = (path: string, schema = settings, example: object = shown) => ({
  [`GET ${path}`]: { responses: { 200: jsonOf(schemaOf(schema), { example }) } },
});
const lines = `
  show: GET /settings -> 200
  PUT /settings ${change} -> ${settings}
  PATCH /settings ${change} -> ${settings}
  GET /users -> [{ id!: int }]
  POST /users {} -> 201 { id!: int }
  GET /users/{id} -> { id!: int }
  DELETE /users/{id} -> 204
  GET /users/{id}/profile -> { profile: { bio } }
  PUT /users/{id}/profile { profile: { bio } } -> 204
  GET /pages/{page:text}/parts/{part:text}/note -> 200
  PUT /pages/{page:text}/parts/{part:text}/note ${change} -> ${settings}`;
const withNotes = `${lines}
  GET /users/{id}/notes -> [{ id! }]
  POST /users/{id}/notes { id! } -> 201 { id! }
  GET /notes/{id:text} -> { id! }
  PUT /notes/{id:text} { id! } -> 201 { id! }
  GET /notes/{id:text}/cover -> 200
  PUT /notes/{id:text}/cover ${change} -> ${settings}`;
const operations = {
  ...shownBy('/settings'),
  ...shownBy('/pages/{page}/parts/{part}/note'),
  ...shownBy('/notes/{id}/cover'),
};

async function serve(served = lines, onDeleteParent: ParentDeletion = 'refuse', more = operations) {
  const document = documentOf(served, {}, { operations: more });
  const twin = await serveDocument(document, { onDeleteParent });
  return { call: twin.send, document: twin.document };
}

it('shows what it was changed to, and what the document says until then', async () => {
  const { call } = await serve();
  expect(await call('GET', '/settings')).toEqual({ status: 200, json: shown });
  const changed = { ...shown, size: 2 };
  expect(await call('PATCH', '/settings', { size: 2 })).toEqual({ status: 200, json: changed });
  expect(await call('GET', '/settings')).toEqual({ status: 200, json: changed });
  // A body that requires nothing is no whole object: what it does not name stays.
  const replaced = { theme: 'light', size: 2, changes: 7 };
  expect((await call('PUT', '/settings', { theme: 'light', changes: 9 })).json).toEqual(replaced);
  expect((await call('GET', '/settings')).json).toEqual(replaced);
  expect((await call('PATCH', '/settings', { theme: null })).status).toBe(400);
  expect((await call('GET', '/settings')).json).toEqual(replaced);
  const { json: journal } = await call('GET', '/__admin/requests?limit=1');
  expect(journal.requests[0].reason).toEqual({ step: 'behaviour', kind: 'singleton' });
});

it('keeps what is readOnly of what it was before it was first changed', async () => {
  const withPlan = settings.replace('}', ', readonly plan }');
  const example = { ...shown, plan: 'free' };
  const taken = withPlan.replaceAll('!', '');
  const sent = { theme: 'light', size: 3, changes: 999, plan: 'enterprise' };
  for (const method of ['PATCH', 'PUT']) {
    const { call } = await serve(
      `
      show: GET /settings -> 200
      PUT /settings ${taken} -> ${withPlan}
      PATCH /settings ${taken} -> ${withPlan}
      `,
      'refuse',
      shownBy('/settings', withPlan, example),
    );
    const changed = { status: 200, json: { ...example, theme: 'light', size: 3 } };
    expect(await call(method, '/settings', sent)).toEqual(changed);
    expect(await call('GET', '/settings')).toEqual(changed);
  }
});

it('has one for each item that its path names, which goes with that item', async () => {
  const { call } = await serve();
  const [before] = [(await call('GET', '/users/2/profile')).json];
  expect((await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } })).status).toBe(204);
  expect((await call('GET', '/users/1/profile')).json).toEqual({ profile: { bio: 'Hi' } });
  expect((await call('GET', '/users/2/profile')).json).toEqual(before);
  expect((await call('PUT', '/users/9/profile', { profile: {} })).status).toBe(404);
  expect((await call('DELETE', '/users/1')).status).toBe(204);
  expect((await call('GET', '/users/1/profile')).status).toBe(404);
});

it('tells paths apart whose parameters differ only in where a slash is', async () => {
  const { call } = await serve();
  const light = { theme: 'light', size: 1, changes: 7 };
  const paths = ['/pages/a%2Fparts/parts/b/note', '/pages/a/parts/parts%2Fb/note'] as const;
  expect((await call('PUT', paths[0], { theme: 'light' })).json).toEqual(light);
  expect((await call('GET', paths[1])).json).toEqual(shown);
  expect((await call('PUT', paths[1], { theme: 'dark' })).json).toMatchObject({ theme: 'dark' });
  expect((await call('GET', paths[0])).json).toEqual(light);
});

it('replaces one that was imported with the parameters of another path', async () => {
  const { call } = await serve();
  await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } });
  await call('PUT', '/__admin/snapshots/one');
  const { json: snapshot } = await call('GET', '/__admin/snapshots/one');
  const moved = JSON.parse(JSON.stringify(snapshot).replace('"{}":"/1"', '"{}":"/2"'));
  expect(moved).not.toEqual(snapshot);
  expect((await call('PUT', '/__admin/snapshots/two', moved)).status).toBeLessThan(300);
  await call('POST', '/__admin/snapshots/two/restore');
  expect((await call('PUT', '/users/2/profile', { profile: { bio: 'Ho' } })).status).toBe(204);
  expect((await call('GET', '/users/2/profile')).json).toEqual({ profile: { bio: 'Ho' } });
});

it('goes with the item above it, also where that goes with one above', async () => {
  const { call } = await serve(withNotes, 'cascade');
  await call('POST', '/users/1/notes', { id: 'a' });
  const changed = await call('PUT', '/notes/a/cover', { theme: 'light' });
  expect(changed.json).toEqual({ theme: 'light', size: 1, changes: 7 });
  expect((await call('DELETE', '/users/1')).status).toBe(204);
  expect((await call('POST', '/users/2/notes', { id: 'a' })).status).toBe(201);
  expect((await call('GET', '/notes/a/cover')).json).toEqual(shown);
});

it('is part of a snapshot, and as the document says after a reset', async () => {
  const { call, document } = await serve();
  await call('PATCH', '/settings', { size: 2 });
  await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } });
  expect((await call('PUT', '/__admin/snapshots/one')).status).toBeLessThan(300);
  const { json: snapshot } = await call('GET', '/__admin/snapshots/one');
  await call('POST', '/__admin/reset');
  expect((await call('GET', '/settings')).json).toEqual(shown);
  expect((await call('PUT', '/__admin/snapshots/two', snapshot)).status).toBeLessThan(300);
  expect((await call('POST', '/__admin/snapshots/two/restore')).status).toBeLessThan(300);
  expect((await call('GET', '/settings')).json).toEqual({ ...shown, size: 2 });
  expect((await call('GET', '/users/1/profile')).json).toEqual({ profile: { bio: 'Hi' } });
  const [explained] = explain(document).operations;
  expect(explained).toMatchObject({ id: 'show', answers: 'store' });
  expect(explained?.because).toContain('one object at /settings');
});

it('takes a list at the path of a single object as the document describes it', async () => {
  const { call: send } = await serve(`
    show: GET /settings -> 200
    PUT /settings [${settings}] -> ${settings}
  `);
  expect(await send('PUT', '/settings', [{ theme: 'dark', changes: 1 }])).toMatchObject({
    status: 200,
  });
});

it('is set by a POST, and ended by a DELETE', async () => {
  const { call } = await serve(
    `
    GET /users/{id}/avatar -> { url!, size: int }, 404
    POST /users/{id}/avatar { url } -> 201 { url!, size: int }
    DELETE /users/{id}/avatar -> 204, 404`,
  );
  const at = '/users/1/avatar';
  expect((await call('GET', at)).status).toBe(200);
  expect((await call('POST', at, { url: 'a' })).json).toMatchObject({ url: 'a' });
  expect((await call('GET', at)).json).toMatchObject({ url: 'a' });
  expect((await call('DELETE', at)).status).toBe(204);
  expect((await call('GET', at)).status).toBe(404);
  expect((await call('DELETE', at)).status).toBe(404);
  expect((await call('POST', at, { url: 'b' })).status).toBe(201);
  expect((await call('GET', at)).json).toEqual({ url: 'b' });
});

it('may be any object, and hold a list', async () => {
  const { call } = await serve(
    `
    GET /metadata -> object
    PUT /metadata object -> 204
    GET /options -> { data: { name, presets: [{ text }] } }
    PATCH /options object -> { data: { name, presets: [{ text }] } }`,
  );
  const metadata = { theme: 'dark', more: { deep: [1] } };
  expect((await call('PUT', '/metadata', metadata)).status).toBe(204);
  expect((await call('GET', '/metadata')).json).toEqual(metadata);
  await call('PUT', '/metadata', { other: 1 });
  expect((await call('GET', '/metadata')).json).toEqual({ other: 1 });
  const { json } = await call('PATCH', '/options', { name: 'Lab' });
  expect(json.data).toMatchObject({ name: 'Lab' });
  expect((await call('GET', '/options')).json).toEqual(json);
});

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

it('keeps values and lists of values at a path, one for each of its parents', async () => {
  const { send } = await serveEmpty(`
    POST /users { name! } -> 201 { id!: int, name! }
    GET /users/{id} -> { id!: int, name! }, 404
    DELETE /users/{id} -> 204
    GET /users/{id}/roles -> ["a" | "b"], 404
    PUT /users/{id}/roles ["a" | "b"]! -> ["a" | "b"], 404
    GET /flags/{name:text} -> bool, 404
    PUT /flags/{name:text} bool! -> 204
    DELETE /flags/{name:text} -> 204
  `);
  for (const name of ['Ann', 'Bob']) await send('POST', '/users', { name });
  expect(await send('PUT', '/users/1/roles', ['b'])).toEqual({ status: 200, json: ['b'] });
  expect(await send('PUT', '/users/2/roles', [])).toEqual({ status: 200, json: [] });
  expect(await send('GET', '/users/1/roles')).toEqual({ status: 200, json: ['b'] });
  expect(await send('PUT', '/users/1/roles', ['c'])).toMatchObject({ status: 400 });
  expect(await send('PUT', '/users/3/roles', ['b'])).toMatchObject({ status: 404 });
  for (const value of [true, false]) {
    expect(await send('PUT', '/flags/dark', value)).toMatchObject({ status: 204 });
    expect(await send('GET', '/flags/dark')).toEqual({ status: 200, json: value });
  }
  expect(await send('DELETE', '/flags/dark')).toMatchObject({ status: 204 });
  expect(await send('GET', '/flags/dark')).toMatchObject({ status: 404 });
});
