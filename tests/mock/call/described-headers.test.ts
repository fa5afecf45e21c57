import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const pet = { type: 'object', properties: { id: { type: 'integer' }, name: text } };
const Location = { schema: text, required: true };
const read = { responses: { 200: jsonOf(pet) } };
const parameters = [pathParameter('id', { type: 'integer' })];

it.each([
  ['nothing', { description: 'Made.', headers: { Location } }],
  [
    'a note',
    { ...jsonOf({ type: 'object', properties: { message: text } }), headers: { Location } },
  ],
  ['the item', { ...jsonOf(pet), headers: { Location } }],
])('locates an item that a create stored and answers with %s', async (_, created) => {
  const { call } = await serveDocument(
    toDocument({
      '/pets': { post: { requestBody: jsonOf(pet), responses: { 201: created } } },
      '/pets/{id}': {
        parameters,
        get: read,
        put: { requestBody: jsonOf(pet), responses: { 200: jsonOf(pet), 201: created } },
      },
    }),
  );
  const write = (method: string, path: string, name: string) =>
    call(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  const { headers } = await write('POST', '/pets', 'Ada');
  const location = headers.get('location') ?? '';
  expect(location).toMatch(/\/pets\/\d+$/);
  expect((await call(location)).json.name).toBe('Ada');
  const put = await write('PUT', '/pets/50', 'Bo');
  expect([put.status, put.headers.get('location')]).toEqual([201, '/pets/50']);
});

it('sends the headers of downloads and cookies that a response requires', async () => {
  const file = {
    description: 'A file.',
    headers: {
      'Content-Disposition': {
        required: true,
        schema: text,
        example: 'attachment; filename="r.csv"',
      },
      'Set-Cookie': { required: true, schema: text, example: 'sid=abc; Path=/' },
    },
    content: { 'text/csv': { schema: text, example: 'a,b' } },
  };
  const { call } = await serveDocument(
    toDocument({ '/file': { get: { responses: { 200: file } } } }),
  );
  const { headers } = await call('/file');
  expect(headers.get('content-disposition')).toBe('attachment; filename="r.csv"');
  expect(headers.get('set-cookie')).toBe('sid=abc; Path=/');
  expect(headers.get('content-type')).toMatch('text/csv');
});

it('asks for a condition that is required with 428 where that is described', async () => {
  const condition = { name: 'If-Match', in: 'header', required: true, schema: text };
  const gone = (status: number) => ({
    parameters: [condition],
    responses: { 204: { description: 'Gone.' }, [status]: { description: 'Not conditional.' } },
  });
  const serve = (status: number) =>
    serveDocument(toDocument({ '/pets/{id}': { parameters, get: read, delete: gone(status) } }));
  const { send } = await serve(428);
  expect((await send('DELETE', '/pets/1')).status).toBe(428);
  expect((await (await serve(400)).send('DELETE', '/pets/1')).status).toBe(400);
});
