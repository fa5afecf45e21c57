import { expect, it } from 'vitest';
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
