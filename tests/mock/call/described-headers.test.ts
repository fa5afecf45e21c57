import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const pet = '{ id: int, name }';
const Location = { schema: text, required: true };

it.each([
  ['nothing', { description: 'Made.', headers: { Location } }],
  ['a note', { ...jsonOf(schemaOf('{ message }')), headers: { Location } }],
  ['the item', { ...jsonOf(schemaOf(pet)), headers: { Location } }],
])('locates an item that a create stored and answers with %s', async (_, created) => {
  const lines = `
    POST /pets ${pet} -> 201
    GET /pets/{id} -> ${pet}
    PUT /pets/{id} ${pet} -> 200`;
  const replaced = { 200: jsonOf(schemaOf(pet)), 201: created };
  const operations = {
    'POST /pets': { responses: { 201: created } },
    'PUT /pets/{id}': { responses: replaced },
  };
  const { call } = await serveDocument(documentOf(lines, {}, { operations }));
  const write = (method: string, path: string, name: string) =>
    call(path, withJson(method, { name }));
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
  const operations = { 'GET /file': { responses: { 200: file } } };
  const { call } = await serveDocument(documentOf('GET /file -> 200', {}, { operations }));
  const { headers } = await call('/file');
  expect(headers.get('content-disposition')).toBe('attachment; filename="r.csv"');
  expect(headers.get('set-cookie')).toBe('sid=abc; Path=/');
  expect(headers.get('content-type')).toMatch('text/csv');
});

it('asks for a condition that is required with 428 where that is described', async () => {
  const condition = { name: 'If-Match', in: 'header', required: true, schema: text };
  const operations = { 'DELETE /pets/{id}': { parameters: [condition] } };
  const serve = (status: number) => {
    const lines = `GET /pets/{id} -> ${pet}\nDELETE /pets/{id} -> 204, ${status}`;
    return serveDocument(documentOf(lines, {}, { operations }));
  };
  const { send } = await serve(428);
  expect((await send('DELETE', '/pets/1')).status).toBe(428);
  expect((await (await serve(400)).send('DELETE', '/pets/1')).status).toBe(400);
});

it('sends the headers that a response without content shows', async () => {
  const cookie = { schema: text, example: 'sid=abc; Path=/' };
  const empty = { description: 'Fine.', headers: { 'Set-Cookie': cookie } };
  const operations = { 'POST /login': { responses: { 204: empty } } };
  const { call } = await serveDocument(documentOf('POST /login -> 204', {}, { operations }));
  const { status, headers } = await call('/login', { method: 'POST' });
  expect([status, headers.get('set-cookie')]).toEqual([204, 'sid=abc; Path=/']);
});

it('sends the example of a header that has the name of the one asked for', async () => {
  const toExamples = (...values: unknown[]) => ({
    examples: { fast: { value: values[0] }, slow: { value: values[1] } },
  });
  const answer = {
    ...jsonOf({}, toExamples({ n: 1 }, { n: 2 })),
    headers: { 'X-Mode': { schema: text, ...toExamples('f', 's') } },
  };
  const operations = { 'GET /a': { responses: { 200: answer } } };
  const { call } = await serveDocument(documentOf('GET /a -> 200', {}, { operations }));
  const { json, headers } = await call('/a', { headers: { Prefer: 'example=slow' } });
  expect([json, headers.get('X-Mode')]).toEqual([{ n: 2 }, 's']);
});
