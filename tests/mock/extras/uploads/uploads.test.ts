import { expect, it } from 'vitest';
import type { Behaviour, Call } from '../../../../mock/behaviours/behaviour.ts';
import { createUploadStep } from '../../../../mock/extras/uploads/upload-behaviours.ts';
import { toStoredItem } from '../../../../mock/items/stored-item.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { BoundedMap, Budget } from '../../../../mock/state/budget.ts';
import { addCounted, type ItemStore, type StoredItem } from '../../../../mock/state/store.ts';
import { openMemoryStore } from '../../../../mock/state/store-of-tables.ts';
import type { Operation, Resource } from '../../../../openapi/index.ts';
import { documentOf } from '../../../support/document-of.ts';
import { serveDocument } from '../../../support/serve-document.ts';

const bytes = 'application/octet-stream binary';
const document = documentOf(`
  GET /files -> [File]
  POST /files multipart/form-data { file: binary, purpose } -> 201 File
  GET /files/{id} -> File
  DELETE /files/{id} -> 204
  GET /files/{id}/content -> ${bytes}, 404
  GET /files/{id}/raw -> image/* binary, 404
  GET /files/{id}/whole -> 200
  PUT /files/{id}/content ${bytes} -> 204
  File: { readonly id: int, filename, bytes: int, mime_type, purpose }
`);
const content = {
  'application/json': { schema: { $ref: '#/components/schemas/File' } },
  'application/octet-stream': {},
};
Object.assign(document.paths['/files/{id}/whole']?.get, {
  responses: { 200: { description: 'It, or what it is.', content } },
});

it('keeps files that are sent, tells of them, and gives them back', async () => {
  const { call, api } = await serveDocument(document, { pets: 0 });
  const bytes = new Uint8Array([0, 255, 137, 80, 10]);
  const body = new FormData();
  body.set('file', new File([bytes], 'a.png', { type: 'image/png' }));
  body.set('purpose', 'test');
  const { json: made } = await call('/files', { method: 'POST', body });
  const told = { filename: 'a.png', bytes: 5, mime_type: 'image/png', purpose: 'test' };
  expect(made).toMatchObject(told);
  expect((await call(`/files/${made.id}`)).json).toEqual(made);
  const download = async (what = 'content') => {
    const response = await fetch(`${api}/files/${made.id}/${what}`);
    return [response.status, response.headers.get('Content-Type'), await response.bytes()];
  };
  expect(await download()).toEqual([200, 'application/octet-stream', bytes]);
  expect(await download('raw')).toEqual([200, 'image/png', bytes]);
  expect(await download('whole')).toEqual([200, 'application/octet-stream', bytes]);
  const next = new Uint8Array([1, 2, 254]);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await call(`/files/${made.id}/content`, { method: 'PUT', body: next, headers });
  expect(await download()).toEqual([200, 'application/octet-stream', next]);
  await call(`/files/${made.id}`, { method: 'DELETE' });
  expect((await call(`/files/${made.id}/content`)).status).toBe(404);
});

const pictureAt = (path: string) => `
  GET ${path} -> image/png binary
  PUT ${path} image/png binary -> 204
  DELETE ${path} -> 204`;
const described = documentOf(`
  GET /notes -> [Note]
  POST /notes multipart/form-data { id!, title, file: binary } -> 201 Note
  GET /notes/{id:text} -> Note
  PATCH /notes/{id:text} { title, new_id } -> Note
  DELETE /notes/{id:text} -> 204
  GET /notes/{id:text}/scan -> application/pdf binary
  ${pictureAt('/notes/{id:text}/pages/{page:text}')}
  ${pictureAt('/notes/{id:text}/emblem')}
  ${pictureAt('/settings/logo')}
  GET /settings/backup -> application/json binary
  PUT /settings/backup application/json binary -> 204
  Note: { id!, title }
`);

const postNote = (id: string, file: string): RequestInit => {
  const body = new FormData();
  body.set('id', id);
  body.set('file', new File([file], 'a.pdf', { type: 'application/pdf' }));
  return { method: 'POST', body };
};
const putPicture = (body: string): RequestInit => {
  return { method: 'PUT', body, headers: { 'Content-Type': 'image/png' } };
};

it('gives the bytes of a PUT back at its path, whatever its words, and at no other', async () => {
  const { call } = await serveDocument(described, { pets: 0 });
  await call('/notes', postNote('a', 'scan'));
  const paths = ['/notes/a/pages/1', '/notes/a/pages/2', '/notes/a/emblem', '/settings/logo'];
  for (const path of paths) expect((await call(path, putPicture(path))).status).toBe(204);
  for (const path of paths) expect((await call(path)).text).toBe(path);
  expect((await call('/notes/a/scan')).text).toBe('scan');
  for (const path of paths) await call(path, { method: 'DELETE' });
  for (const path of paths) expect((await call(path)).text).not.toBe(path);
});

it('takes and gives bytes under the name of JSON as they are', async () => {
  const { origin } = await serveDocument(described, { pets: 0 });
  const url = `${origin}/settings/backup`;
  const headers = { 'Content-Type': 'application/json' };
  for (const body of ['{"a": 1,  "b"', '"a text"', 'PK no JSON']) {
    expect((await fetch(url, { method: 'PUT', body, headers })).status).toBe(204);
    expect(await (await fetch(url)).text()).toBe(body);
  }
});

it.each<[string, (store: ItemStore, made: StoredItem) => Promise<unknown>]>([
  ['addAll', (store, made) => store.addAll('files', [{ toItem: () => made }])],
  ['transact', (store, made) => store.transact((own) => addCounted(own, 'files', () => made))],
])('keeps the file of an item that a create stores by %s', async (_, act) => {
  const { document: api } = await serveDocument(document, { pets: 0 });
  const [resource] = api.resources as [Resource];
  const form = new FormData();
  form.set('file', new File(['bytes'], 'a.png', { type: 'image/png' }));
  const sent = new Response(form);
  const received = Buffer.from(await sent.clone().arrayBuffer());
  const kept = new BoundedMap<object>(new Budget());
  const store = openMemoryStore({});
  const create: Behaviour = async (call) => {
    await act(call.store, toStoredItem(resource, { id: 1 }));
    return { status: 201, json: toByteText('{"id":1}') };
  };
  const operation = resource.operations.create as Operation;
  const call = {
    ...{ store, params: {}, url: '/files', received, sandbox: { kept: () => kept } },
    source: { headers: { 'content-type': sent.headers.get('Content-Type') } },
  } as unknown as Call;
  await createUploadStep(api)(operation)?.(call, create);
  expect(kept.values()).toEqual([expect.objectContaining({ name: 'a.png' })]);
  expect(String(await store.get('files', '1'))).toContain('"filename":"a.png"');
});

it('gives no item the file of one that had its id before', async () => {
  const { call, origin } = await serveDocument(described, { pets: 0 });
  const removals = {
    delete: () => call('/notes/a', { method: 'DELETE' }),
    reset: () => fetch(`${origin}/__admin/reset`, { method: 'POST' }),
  };
  for (const [name, remove] of Object.entries(removals)) {
    await call('/notes', postNote('a', name));
    await call('/notes/a/emblem', putPicture(name));
    expect((await call('/notes/a/scan')).text).toBe(name);
    await remove();
    const body = new FormData();
    body.set('id', 'a');
    expect((await call('/notes', { method: 'POST', body })).status).toBe(201);
    for (const path of ['scan', 'emblem'])
      expect([name, (await call(`/notes/a/${path}`)).text]).not.toEqual([name, name]);
    await call('/notes/a', { method: 'DELETE' });
  }
});

it('keeps the files of an item that gets another id, and its place in lists', async () => {
  const { call, send } = await serveDocument(described, { pets: 0 });
  for (const id of ['a', 'b']) {
    await call('/notes', postNote(id, `scan of ${id}`));
    await call(`/notes/${id}/emblem`, putPicture(`emblem of ${id}`));
  }
  await send('PATCH', '/notes/a', { new_id: 'c' });
  await call('/notes', postNote('a', 'scan of another'));
  const files = async (id: string) => [
    (await call(`/notes/${id}/scan`)).text,
    (await call(`/notes/${id}/emblem`)).text,
  ];
  expect(await files('c')).toEqual(['scan of a', 'emblem of a']);
  expect(await files('b')).toEqual(['scan of b', 'emblem of b']);
  expect((await files('a'))[0]).toBe('scan of another');
  expect((await files('a'))[1]).not.toContain('emblem of');
  const listed: { id: string }[] = (await send('GET', '/notes')).json;
  expect(listed.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

it('keeps the files of an item that its path names by a name, whatever becomes of that', async () => {
  const hub = documentOf(
    `
    GET /my/repos -> [Repo]
    POST /my/repos { name! } -> 201 Repo
    GET /repos/{owner:text}/{repo:text} -> Repo
    PATCH /repos/{owner:text}/{repo:text} { name! } -> Repo
    DELETE /repos/{owner:text}/{repo:text} -> 204
    ${pictureAt('/repos/{owner:text}/{repo:text}/icon')}
    `,
    {
      Login: { type: 'string', example: 'octo' },
      Repo: '{ id!: int, name!, owner!: { login!: Login } }',
    },
  );
  const { call, send } = await serveDocument(hub, { pets: 0 });
  await send('POST', '/my/repos', { name: 'a' });
  await call('/repos/octo/a/icon', putPicture('icon'));
  expect((await send('PATCH', '/repos/octo/a', { name: 'b' })).status).toBe(200);
  expect((await call('/repos/octo/b/icon')).text).toBe('icon');
  await send('DELETE', '/repos/octo/b');
  await send('POST', '/my/repos', { name: 'b' });
  expect((await call('/repos/octo/b/icon')).text).not.toBe('icon');
});
