import { expect, it } from 'vitest';
import type { Behaviour, Call } from '../../../../mock/behaviours/behaviour.ts';
import { createUploadStep } from '../../../../mock/extras/uploads/upload-behaviours.ts';
import { toStoredItem } from '../../../../mock/items/stored-item.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { BoundedMap, Budget } from '../../../../mock/state/budget.ts';
import type { ItemStore, StoredItem } from '../../../../mock/state/store.ts';
import { openMemoryStore } from '../../../../mock/state/store-of-tables.ts';
import type { Operation, Resource } from '../../../../openapi/index.ts';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

const text = { type: 'string' };
const file = {
  type: 'object',
  properties: {
    ...{ id: { type: 'integer', readOnly: true }, filename: text, bytes: { type: 'integer' } },
    ...{ mime_type: text, purpose: text },
  },
};
const binary = { type: 'string', format: 'binary' };
const form = { type: 'object', properties: { file: binary, purpose: text } };
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const bytesOf = (type: string) => ({ content: { [type]: { schema: binary } } });
const document = toDocument({
  '/files': {
    get: { responses: { 200: jsonOf({ type: 'array', items: file }) } },
    post: {
      requestBody: { content: { 'multipart/form-data': { schema: form } } },
      responses: { 201: jsonOf(file) },
    },
  },
  '/files/{id}': {
    parameters,
    get: { responses: { 200: jsonOf(file) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/files/{id}/content': {
    parameters,
    get: {
      responses: {
        200: { description: 'It.', ...bytesOf('application/octet-stream') },
        404: { description: 'None.' },
      },
    },
    put: {
      requestBody: bytesOf('application/octet-stream'),
      responses: { 204: { description: 'Done.' } },
    },
  },
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
  const download = async () => {
    const response = await fetch(`${api}/files/${made.id}/content`);
    return [response.status, response.headers.get('Content-Type'), await response.bytes()];
  };
  expect(await download()).toEqual([200, 'image/png', bytes]);
  const next = new Uint8Array([1, 2, 254]);
  const headers = { 'Content-Type': 'application/octet-stream' };
  await call(`/files/${made.id}/content`, { method: 'PUT', body: next, headers });
  expect(await download()).toEqual([200, 'application/octet-stream', next]);
  await call(`/files/${made.id}`, { method: 'DELETE' });
  expect((await call(`/files/${made.id}/content`)).status).toBe(404);
});

const names = [{ ...parameters[0], schema: text }];
const note = { type: 'object', required: ['id'], properties: { id: text, title: text } };
const picture = {
  get: { responses: { 200: { description: 'It.', ...bytesOf('image/png') } } },
  put: { requestBody: bytesOf('image/png'), responses: { 204: { description: 'Done.' } } },
  delete: { responses: { 204: { description: 'Gone.' } } },
};
const described = toDocument({
  '/notes': {
    get: { responses: { 200: jsonOf({ type: 'array', items: note }) } },
    post: {
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { ...note, properties: { ...note.properties, file: binary } },
          },
        },
      },
      responses: { 201: jsonOf(note) },
    },
  },
  '/notes/{id}': {
    parameters: names,
    get: { responses: { 200: jsonOf(note) } },
    patch: {
      requestBody: jsonOf({ type: 'object', properties: { title: text, new_id: text } }),
      responses: { 200: jsonOf(note) },
    },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
  '/notes/{id}/scan': {
    parameters: names,
    get: { responses: { 200: { description: 'It.', ...bytesOf('application/pdf') } } },
  },
  '/notes/{id}/pages/{page}': {
    parameters: [...names, { ...names[0], name: 'page' }],
    ...picture,
  },
  '/notes/{id}/emblem': { parameters: names, ...picture },
  '/settings/logo': picture,
  '/settings/backup': {
    get: { responses: { 200: { description: 'It.', ...bytesOf('application/json') } } },
    put: { requestBody: bytesOf('application/json'), responses: { 204: { description: 'Done.' } } },
  },
});

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
  ['add', (store, made) => store.add('files', () => made)],
  ['addAll', (store, made) => store.addAll('files', [{ toItem: () => made }])],
  ['transact', (store, made) => store.transact((own) => own.add('files', () => made))],
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
    ...{ store, params: {}, url: '/files', sandbox: { kept: () => kept } },
    source: {
      headers: { 'content-type': sent.headers.get('Content-Type') },
      res: { locals: { received } },
    },
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
  const owner = {
    type: 'object',
    required: ['login'],
    properties: { login: { ...text, example: 'octo' } },
  };
  const repo = {
    type: 'object',
    required: ['id', 'name', 'owner'],
    properties: { id: { type: 'integer' }, name: text, owner },
  };
  const name = { type: 'object', required: ['name'], properties: { name: text } };
  const byName = ['owner', 'repo'].map((one) => ({ ...names[0], name: one }));
  const hub = toDocument({
    '/my/repos': {
      get: { responses: { 200: jsonOf({ type: 'array', items: repo }) } },
      post: { requestBody: jsonOf(name), responses: { 201: jsonOf(repo) } },
    },
    '/repos/{owner}/{repo}': {
      parameters: byName,
      get: { responses: { 200: jsonOf(repo) } },
      patch: { requestBody: jsonOf(name), responses: { 200: jsonOf(repo) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
    '/repos/{owner}/{repo}/icon': { parameters: byName, ...picture },
  });
  const { call, send } = await serveDocument(hub, { pets: 0 });
  await send('POST', '/my/repos', { name: 'a' });
  await call('/repos/octo/a/icon', putPicture('icon'));
  expect((await send('PATCH', '/repos/octo/a', { name: 'b' })).status).toBe(200);
  expect((await call('/repos/octo/b/icon')).text).toBe('icon');
  await send('DELETE', '/repos/octo/b');
  await send('POST', '/my/repos', { name: 'b' });
  expect((await call('/repos/octo/b/icon')).text).not.toBe('icon');
});
