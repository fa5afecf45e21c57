import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { blog } from '../../support/documents.ts';
import { expectAnswer } from '../../support/expect-answer.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { type ServedDocument, serveDocument, serveEmpty } from '../../support/serve-document.ts';
import { openTestTwin, type startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const notes = encodeURIComponent('users/{userId}/notes');

async function serve(settings: Parameters<typeof startTwin>[0] = {}) {
  const { send: call, app, document } = await serveDocument(blog, { pets: 12, ...settings });
  return { call, app, document };
}

const first = 'usr_00000000000001';
const second = 'usr_00000000000002';
const gone = { status: 404, json: { code: 'not_found', status: 404 } };

async function listOf(call: ServedDocument['send'], path: string) {
  const { status, json } = await call('GET', path);
  expect(status).toBe(200);
  return json as Record<string, unknown>[];
}

it('lists, reads and changes the items of their own parent alone', async () => {
  const { call } = await serve();
  const created = await call('POST', `/users/${first}/notes`, { text: 'One' });
  const { id } = created.json;
  expect(created).toEqual({ status: 201, json: { id, text: 'One' } });
  const [at, elsewhere] = [first, second].map((user) => `/users/${user}/notes`) as [string, string];
  expect(await listOf(call, at)).toContainEqual({ id, text: 'One' });
  expect((await listOf(call, elsewhere)).map((note) => note.id)).not.toContain(id);
  expect((await call('GET', `${at}/${id}`)).json).toEqual({ id, text: 'One' });
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const body = /^P/.test(method) ? { text: 'No' } : undefined;
    expect(await call(method, `${elsewhere}/${id}`, body)).toMatchObject(gone);
  }
  for (const [method, text] of Object.entries({ PATCH: 'Two', PUT: 'Three' })) {
    const changed = await call(method, `${at}/${id}`, { text });
    expect(changed).toEqual({ status: 200, json: { id, text } });
  }
  expect(await listOf(call, at)).toContainEqual({ id, text: 'Three' });
  expect((await call('DELETE', `${at}/${id}`)).status).toBe(204);
  expect(await call('GET', `${at}/${id}`)).toMatchObject(gone);
});

it('deletes what is below an item with it, at any depth', async () => {
  const { call } = await serve();
  const { id } = (await call('POST', `/users/${first}/notes`, { text: 'One' })).json;
  await call('POST', `/users/${first}/notes/${id}/marks`, { text: 'Mark' });
  const post = (await call('POST', `/users/${first}/posts`, { title: 'Post' })).json;
  const reply = (await call('POST', `/posts/${post.id}/replies`, { text: 'Reply' })).json;
  const { total } = (await call('GET', `/__admin/data/${notes}?limit=1`)).json.meta;
  expect((await call('DELETE', `/users/${first}`)).status).toBe(204);
  expect(await call('GET', `/users/${first}/notes`)).toMatchObject(gone);
  expect(await call('GET', `/posts/${post.id}`)).toMatchObject(gone);
  expect(await call('GET', `/replies/${reply.id}`)).toMatchObject(gone);
  const left = (await call('GET', `/__admin/data/${notes}`)).json;
  expect(left.meta.total).toBe(total - 4);
  expect(left.items.map((note: Record<string, unknown>) => note['{userId}'])).not.toContain(first);
});

it('answers 404 below an item that is not there', async () => {
  const { call } = await serve();
  expect(await call('GET', '/users/nobody/notes')).toMatchObject(gone);
  expect(await call('POST', '/users/nobody/notes', { text: 'No' })).toMatchObject(gone);
  expect(await call('GET', '/users/nobody/posts')).toMatchObject(gone);
  expect(await call('GET', `/users/${first}/notes/999/marks`)).toMatchObject(gone);
});

it('answers 404 below an item of another parent', async () => {
  const { call } = await serve();
  const [note] = await listOf(call, `/users/${second}/notes`);
  expectAnswer(await call('GET', `/users/${second}/notes/${note?.id}/marks`), 200);
  expect(await call('GET', `/users/${first}/notes/${note?.id}/marks`)).toMatchObject(gone);
});

it('refuses to delete an item that has others below it, if it was told to', async () => {
  const { call } = await serve({ onDeleteParent: 'refuse' });
  expectAnswer(await call('DELETE', `/users/${first}`), 409, { code: 'has_children' });
  expect((await call('GET', `/users/${first}`)).status).toBe(200);
  const added = (await call('POST', '/users', { name: 'Ann' })).json;
  expect((await call('DELETE', `/users/${added.id}`)).status).toBe(204);
});

it('shows the items of one parent in a view, and creates its items in the collection', async () => {
  const { call } = await serve();
  const created = await call('POST', `/users/${second}/posts`, { title: 'T', userId: 'another' });
  expectAnswer(created, 201, { title: 'T', userId: second });
  const { id } = created.json;
  expect(await call('GET', `/posts/${id}`)).toEqual({ status: 200, json: created.json });
  const ofSecond = await listOf(call, `/users/${second}/posts`);
  expect(ofSecond).toContainEqual(created.json);
  expect(new Set(ofSecond.map(({ userId }) => userId))).toEqual(new Set([second]));
  expect(await listOf(call, '/posts')).toContainEqual(created.json);
});

it('shows what is created in the collection in the view of its parent', async () => {
  const { call } = await serve();
  const { json: post } = await call('POST', '/posts', { title: 'T', userId: first, colour: 'red' });
  expect(await listOf(call, `/users/${first}/posts`)).toContainEqual(post);
  const red = await listOf(call, '/posts/findByColour?colour=red');
  expect(red).toContainEqual(post);
  expect(new Set(red.map(({ colour }) => colour))).toEqual(new Set(['red']));
});

it('reads an item by a path of its own', async () => {
  const { call } = await serve();
  const { json: reply } = await call('POST', '/posts/1/replies', { text: 'R' });
  expect(reply).toMatchObject({ text: 'R', postId: 1 });
  expect(await call('GET', `/replies/${reply.id}`)).toEqual({ status: 200, json: reply });
  expect((await call('DELETE', `/replies/${reply.id}`)).status).toBe(204);
  expect((await listOf(call, '/posts/1/replies')).map(({ id }) => id)).not.toContain(reply.id);
});

it('takes the ids that callers give, and refuses one that is taken', async () => {
  const { call } = await serve();
  const label = { name: 'bug', hue: 3 };
  expect(await call('POST', '/orgs/acme/labels', label)).toEqual({ status: 201, json: label });
  expect(await call('GET', '/orgs/acme/labels/bug')).toEqual({ status: 200, json: label });
  expectAnswer(await call('POST', '/orgs/acme/labels', label), 409, { code: 'id_taken' });
});

it('answers with the parent of the path where a body names another one', async () => {
  const { send } = await serveDocument(`
    GET /users -> [{ id!: int }]
    GET /users/{userId} -> { id!: int }
    POST /users/{userId}/orders Order -> 201 Order
    GET /users/{userId}/orders/{code:text} -> Order
    PUT /users/{userId}/orders/{code:text} Order -> 201 Order
    Order: { code!, userId!: int }
  `);
  const created = await send('POST', '/users/1/orders', { code: 'a', userId: 2 });
  expect(created.json).toEqual({ code: 'a', userId: 1 });
  expect((await send('GET', '/users/1/orders/a')).json).toEqual(created.json);
  const put = await send('PUT', '/users/1/orders/b', { code: 'b', userId: 2 });
  expect([put.status, put.json]).toEqual([201, { code: 'b', userId: 1 }]);
});

it('lets items of several parents have the same id, as callers give it', async () => {
  const twin = await serveEmpty(`
    GET /orgs/{org:text}/labels -> [Label]
    POST /orgs/{org:text}/labels Label -> 201 Label
    POST /orgs/{org:text}/labels/batch [Label] -> 201 [Label]
    GET /orgs/{org:text}/labels/{name:text} -> Label
    PUT /orgs/{org:text}/labels/{name:text} Label -> Label
    PATCH /orgs/{org:text}/labels/{name:text} Label -> Label
    DELETE /orgs/{org:text}/labels/{name:text} -> 204
    GET /orgs/{org:text}/labels/{name:text}/rules -> [Rule]
    POST /orgs/{org:text}/labels/{name:text}/rules Rule -> 201 Rule
    Label: { name!, hue }
    Rule: { id: int, text }
  `);
  const send = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await twin.send(method, `/orgs/${path}`, body);
    return json === undefined ? status : [status, json];
  };
  const bug = (hue: string) => ({ name: 'bug', hue });
  for (const org of ['a', 'b', 'c'])
    expect(await send('POST', `${org}/labels`, bug(org))).toEqual([201, bug(org)]);
  const taken = { code: 'id_taken', message: expect.stringContaining(' the name bug already') };
  for (const [path, body] of [['', bug('x')] as const, ['/batch', [bug('x')]] as const])
    expect(await send('POST', `b/labels${path}`, body)).toMatchObject([409, taken]);
  expect(await send('POST', 'd/labels/batch', [bug('d')])).toEqual([201, [bug('d')]]);
  await send('PUT', 'b/labels/bug', bug('put'));
  await send('PATCH', 'c/labels/bug', bug('patch'));
  for (const org of ['a', 'b']) await send('POST', `${org}/labels/bug/rules`, { text: org });
  await send('DELETE', 'a/labels/bug');
  expect(await send('GET', 'a/labels/bug')).toMatchObject([404, { code: 'not_found' }]);
  expect(await send('GET', 'b/labels/bug')).toEqual([200, bug('put')]);
  expect(await send('GET', 'c/labels')).toEqual([200, [bug('patch')]]);
  expect(await send('GET', 'd/labels')).toEqual([200, [bug('d')]]);
  expect(await send('GET', 'b/labels/bug/rules')).toMatchObject([200, [{ text: 'b' }]]);
  await twin.send('PUT', '/__admin/snapshots/before');
  const { json: saved } = await twin.send('GET', '/__admin/snapshots/before');
  expect((await twin.send('PUT', '/__admin/snapshots/copy', saved)).status).toBe(201);
  await twin.send('POST', '/__admin/snapshots/copy/restore');
  expect(await send('GET', 'b/labels/bug')).toEqual([200, bug('put')]);
  expect(await send('GET', 'd/labels/bug')).toEqual([200, bug('d')]);
  expect(await send('POST', 'a/labels', bug('again'))).toEqual([201, bug('again')]);
  expect(await send('GET', 'a/labels/bug/rules')).toEqual([200, []]);
});

it('begins with items in the scope that the document shows, and with none in others', async () => {
  const { call } = await serve();
  expect(await listOf(call, '/orgs/acme/labels')).not.toEqual([]);
  expect(await listOf(call, '/orgs/other/labels')).toEqual([]);
});

it('begins with references to items that are there', async () => {
  const { call } = await serve();
  const ids = (await listOf(call, '/users')).map(({ id }) => id);
  for (const { userId } of await listOf(call, '/posts')) expect(ids).toContain(userId);
});

it('begins with the same items for the same seed', async () => {
  const [one, other, third] = [await serve(), await serve(), await serve({ seed: 2 })];
  const path = `/users/${first}/notes`;
  expect(await listOf(one.call, path)).toEqual(await listOf(other.call, path));
  expect(await listOf(one.call, path)).not.toEqual(await listOf(third.call, path));
});

it('updates an item by a POST on it', async () => {
  const { call } = await serve();
  const updated = await call('POST', `/users/${first}`, { name: 'New' });
  expect(updated).toEqual({ status: 200, json: { id: first, name: 'New' } });
  expect(await call('GET', `/users/${first}`)).toMatchObject({ json: { name: 'New' } });
});

it('takes items of nested collections from a file, with what they are below', async () => {
  const file = join(makeFolder(), 'data.yaml');
  const data = {
    users: [{ id: 'ann', name: 'Ann' }],
    'users/{userId}/notes': [{ '{userId}': 'ann', text: 'Mine' }],
    'posts/{postId}/replies': [],
  };
  await writeFile(file, JSON.stringify(data));
  const { call } = await serve({ data: file });
  expect(await listOf(call, '/users/ann/notes')).toEqual([{ id: 1, text: 'Mine' }]);
  await writeFile(file, JSON.stringify({ ...data, 'users/{userId}/notes': [{ text: 'Whose' }] }));
  await expect(openTestTwin({ spec: await writeJson(blog), data: file })).rejects.toThrow(
    /users~1\{userId\}~1notes\/0\/\{userId\}" is required/,
  );
});

it('calls with a word that a path lists, and not with the id of what is named there elsewhere', async () => {
  const { app, document, send } = await serveDocument(
    documentOf(
      `GET /templates -> [Template]
       GET /templates/{id:text} -> Template
       GET /templates/{scope:Scope}/{key:text}/schema -> Template`,
      { Template: '{ id!, name }', Scope: { type: 'string', enum: ['global', 'own'] } },
    ),
  );
  const toExampleCall = createToExampleCall(document, { store: app.store });
  for (const operation of document.operations) {
    const { target = '' } = (await toExampleCall(operation)) ?? {};
    expect([target, (await send('GET', target)).status]).toEqual([target, 200]);
  }
});

it('makes example calls that succeed below parents that are there', async () => {
  const { app, document, call } = await serve();
  const toExampleCall = createToExampleCall(document, { store: app.store });
  for (const operation of document.operations) {
    const made = await toExampleCall(operation);
    const body = made?.body === undefined ? undefined : JSON.parse(made.body);
    const { status } = await call(operation.method, made?.target ?? '', body);
    expect([operation.id, status < 300]).toEqual([operation.id, true]);
  }
});

it('numbers the items of each parent from 1 if they have an id besides', async () => {
  const { send } = await serveDocument(`
    GET /repos -> [{ id: int, name }]
    POST /repos { name } -> 201 { id: int, name }
    GET /repos/{repoId} -> { id: int, name }
    GET /repos/{repoId}/issues -> [Issue]
    POST /repos/{repoId}/issues { title! } -> 201 Issue
    GET /repos/{repoId}/issues/{number} -> Issue
    PATCH /repos/{repoId}/issues/{number} { title } -> Issue
    DELETE /repos/{repoId}/issues/{number} -> 204
    Issue: { id!: int, number!: int, title! }
  `);
  const added: number[][] = [];
  for (const name of ['a', 'b']) {
    const { id } = (await send('POST', '/repos', { name })).json;
    const at = `/repos/${id}/issues`;
    for (const title of ['one', 'two']) await send('POST', at, { title: `${name} ${title}` });
    await send('PATCH', `${at}/2`, { title: `${name} 2` });
    const listed = (await send('GET', at)).json as { number: number; title: string }[];
    added.push(listed.map(({ number }) => number));
    expect(listed.map(({ title }) => title)).toEqual([`${name} one`, `${name} 2`]);
    expect((await send('GET', `${at}/2`)).json).toEqual(listed[1]);
  }
  expect(added).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const seeded = (await send('GET', '/repos/1/issues')).json as { number: number }[];
  const next = await send('POST', '/repos/1/issues', { title: 'next' });
  expect(next.json.number).toBe(Math.max(...seeded.map(({ number }) => number)) + 1);
  expect((await send('DELETE', '/repos/1/issues/1')).status).toBe(204);
  expect((await send('GET', '/repos/1/issues/1')).status).toBe(404);
});
