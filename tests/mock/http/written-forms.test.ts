import { expect, it } from 'vitest';
import { schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const form = 'application/x-www-form-urlencoded';
const text = { type: 'string' };
const integers = { type: 'array', items: { type: 'integer' } };
const texts = { type: 'array', items: text };
const range = schemaOf('{ from: int, to: int }');

/** A document of Swagger 2.0 that takes a form with these fields at `/a`, and gives it back. */
function swaggerForm(fields: readonly object[], more: object = {}) {
  return { parameters: fields.map((field) => ({ in: 'formData', ...field })), ...more };
}

function swagger(paths: Record<string, Record<string, object>>) {
  const responses = { 200: { description: 'Fine.' } };
  const filled = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, { responses, ...operation }]),
    ),
  ]);
  const info = { title: 'Forms', version: '1' };
  return { swagger: '2.0', info, paths: Object.fromEntries(filled) };
}

it('reads lists in forms of Swagger 2.0 as their collectionFormat says', async () => {
  const field = (name: string, collectionFormat?: string) => ({
    ...{ name, type: 'array', items: { type: 'integer' } },
    ...(collectionFormat && { collectionFormat }),
  });
  const formats = ['csv', 'ssv', 'tsv', 'pipes', 'multi'];
  const { call, document } = await serveDocument(
    swagger({
      '/a': { post: swaggerForm([field('d'), ...formats.map((format) => field(format, format))]) },
    }),
  );
  expect(document.written.warnings).toEqual([]);
  const send = (body: string) =>
    call('/a', { method: 'POST', body, headers: { 'Content-Type': form } });
  for (const body of [
    ...['d=1,2', 'd=1%2C2', 'd=1&d=2', 'd=1', 'd=', 'csv=1,2', 'ssv=1+2', 'ssv=1%202'],
    ...['tsv=1%092', 'pipes=1|2', 'pipes=1%7C2', 'multi=1&multi=2'],
  ])
    expect([body, (await send(body)).status]).toEqual([body, 200]);
  for (const body of ['d=1,x', 'ssv=1,2', 'tsv=1,2', 'pipes=1,2', 'multi=1,2'])
    expect([body, (await send(body)).status]).toEqual([body, 400]);
  const parts = new FormData();
  parts.set('d', '1,2');
  const other = await serveDocument(
    swagger({ '/a': { post: swaggerForm([field('d')], { consumes: ['multipart/form-data'] }) } }),
  );
  expect((await other.call('/a', { method: 'POST', body: parts })).status).toBe(200);
});

it.each([
  ['query', 'tsv', '/q?v=1%092'],
  ['query', 'ssv', '/q?v=1%202'],
  ['path', 'pipes', '/p/1|2'],
  ['path', 'pipes', '/p/1%7C2'],
  ['path', 'ssv', '/p/1%202'],
  ['path', 'tsv', '/p/1%092'],
  ['path', 'csv', '/p/1,2'],
  ['header', 'pipes', '1|2'],
  ['header', 'ssv', '1 2'],
  ['header', 'tsv', '1\t2'],
  ['header', 'csv', '1, 2'],
])('reads a list in the %s with the collectionFormat %s as %j', async (place, format, sent) => {
  const v = { name: 'v', in: place, type: 'array', items: { type: 'integer' }, minItems: 2 };
  const get = { parameters: [{ ...v, required: true, collectionFormat: format }] };
  const path = { query: '/q', path: '/p/{v}', header: '/h' }[place] ?? '';
  const { call } = await serveDocument(swagger({ [path]: { get } }));
  const isHeader = place === 'header';
  const read = (one: string) => (isHeader ? call(path, { headers: { v: one } }) : call(one));
  expect((await read(sent)).status).toBe(200);
  expect((await read(sent.replace(/2$/, 'x'))).status).toBe(400);
});

/** Sends a form to a twin that stores it, and gives back what it stored of it. */
async function stored(encoding: object, properties: object, body: string | FormData) {
  const type = typeof body === 'string' ? form : 'multipart/form-data';
  const id = { type: 'integer', readOnly: true };
  const item = { type: 'object', required: ['id'], properties: { id, ...properties } };
  const content = { [type]: { schema: item, encoding } };
  const { call } = await serveDocument(
    toDocument({
      '/items': {
        get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
        post: { requestBody: { content }, responses: { 201: jsonOf(item) } },
      },
    }),
  );
  const headers = typeof body === 'string' ? { 'Content-Type': type } : {};
  const { json } = await call('/items', { method: 'POST', body, headers });
  const { id: _, ...others } = json;
  return others;
}

const joined = { style: 'form', explode: false };

it.each<[body: string, encoding: object, schema: object, value: unknown]>([
  ['v=a%2Cz,b', joined, texts, ['a,z', 'b']],
  ['v=a%2Cz%2Cb', joined, texts, ['a', 'z', 'b']],
  ['v=a,b&v=c', joined, texts, ['a', 'b', 'c']],
  ['v=a+b%2C,c', joined, texts, ['a b,', 'c']],
  ['v=', joined, texts, []],
  ['v=1|2', { style: 'pipeDelimited' }, integers, [1, 2]],
  ['v=1%202', { style: 'spaceDelimited' }, integers, [1, 2]],
  ['v=from,1,to,2', joined, range, { from: 1, to: 2 }],
  ['v[from]=1&v[to]=2', joined, range, { from: 1, to: 2 }],
  ['v=%7B%22from%22:1,%22to%22:2%7D', joined, range, { from: 1, to: 2 }],
  ['v=a,b', { style: 'form', explode: true }, texts, ['a,b']],
  ['v=a%2Cb', joined, text, 'a,b'],
])('reads %s of a form with the encoding %j', async (body, encoding, schema, value) => {
  expect(await stored({ v: encoding }, { v: schema }, body)).toEqual({ v: value });
});

it('reads lists in multipart forms, whose parts are not percent-encoded', async () => {
  const body = new FormData();
  body.set('v', 'a%2Cz,50% + 1,é');
  expect(await stored({ v: joined }, { v: texts }, body)).toEqual({ v: ['a%2Cz', '50% + 1', 'é'] });
});

it('leaves keys of other parameters to them, where an object takes any members', async () => {
  const parameters = [
    { name: 'm', in: 'query', schema: { additionalProperties: { type: 'integer' } } },
    { name: 'f', in: 'query', style: 'deepObject', schema: { properties: { s: text } } },
    { name: 'o', in: 'query', schema: { properties: { x: text }, additionalProperties: text } },
    { name: 'l[]', in: 'query', schema: texts },
  ].map((one) => ({
    ...one,
    schema: { type: one.name === 'l[]' ? 'array' : 'object', ...one.schema },
  }));
  const security = [{ key: [] }];
  const key = { type: 'apiKey', in: 'query', name: 'api_key' };
  const { call } = await serveDocument(
    toDocument(
      { '/a': { get: { parameters, responses: { 200: jsonOf({ const: 1 }) } } } },
      { components: { securitySchemes: { key } }, security },
    ),
  );
  for (const query of ['f[s]=abc', 'f%5Bs%5D=abc&n=1', 'x=abc', 'l[]=abc', 'n=1'])
    expect([query, (await call(`/a?api_key=demo-free&${query}`)).status]).toEqual([query, 200]);
  for (const query of ['n=abc', 'g[s]=abc'])
    expect([query, (await call(`/a?api_key=demo-free&${query}`)).status]).toEqual([query, 400]);
});

it('splits the names of a path as a listed value asks for, else at the last text between', async () => {
  const ext = { type: 'string', enum: ['json', 'xml', 'tar.gz'] };
  const path = (...pairs: [string, object][]) =>
    pairs.map(([name, schema]) => ({ name, in: 'path', required: true, schema }));
  const responses = { 200: jsonOf({ const: 1 }) };
  const { call } = await serveDocument(
    toDocument({
      '/files/{name}.{ext}': { get: { parameters: path(['name', text], ['ext', ext]), responses } },
      '/days/{name}.{n}': {
        get: { parameters: path(['name', text], ['n', { type: 'integer' }]), responses },
      },
    }),
  );
  for (const one of ['/files/a.json', '/files/a.b.json', '/files/a.tar.gz', '/days/a.b.1'])
    expect([one, (await call(one)).status]).toEqual([one, 200]);
  for (const one of ['/files/a.gz', '/days/1.a'])
    expect([one, (await call(one)).status]).toEqual([one, 400]);
});
