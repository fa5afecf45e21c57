import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../support/serve-document.ts';

const integer = { type: 'integer' };
const of = (content: object) => ({ description: 'Fine.', content });

function serve(paths: object, more: object = {}) {
  return serveDocument(toDocument(paths, { openapi: '3.2.0', ...more }));
}

const json = { 'Content-Type': 'application/json' };

it('keeps the items of a list whose media type is a reference to a reference', async () => {
  const pet = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: integer, name: { type: 'string' } },
  };
  const to = (name: string) => ({ $ref: `#/components/mediaTypes/${name}` });
  const content = (name: string) => of({ 'application/json': to(name) });
  const { send, document } = await serve(
    {
      '/pets': {
        get: { responses: { 200: content('Pets') } },
        post: { requestBody: content('Pet'), responses: { 201: content('Pet') } },
      },
    },
    {
      components: {
        mediaTypes: {
          Pets: to('List'),
          List: { schema: { type: 'array', items: pet } },
          Pet: { schema: pet },
        },
      },
    },
  );
  const made = await send('POST', '/pets', { id: 9, name: 'Rex' });
  expect(made.status).toBe(201);
  expect((await send('GET', '/pets')).json).toContainEqual(made.json);
  expect(document.written.warnings).toEqual([]);
});

it.each([0, false, null, '', [], {}])(
  'answers with %j as data of an example',
  async (dataValue) => {
    const { call } = await serve({
      '/a': {
        get: { responses: { 200: of({ 'application/json': { examples: { a: { dataValue } } } }) } },
      },
    });
    expect(await call('/a')).toMatchObject({ status: 200, text: JSON.stringify(dataValue) });
  },
);

it('sends examples of other content as they are written', async () => {
  const { call } = await serve({
    '/a': {
      get: {
        responses: {
          200: of({
            'application/json': { examples: { a: { serializedValue: '{"a":1}' } } },
            'application/xml': {
              examples: { a: { dataValue: { a: 3 }, serializedValue: '<z>3</z>' } },
            },
          }),
        },
      },
    },
  });
  expect((await call('/a')).json).toEqual({ a: 1 });
  expect((await call('/a', { headers: { Accept: 'application/xml' } })).text).toBe('<z>3</z>');
});

it('serves QUERY and further methods, and warns of those that Node does not serve', async () => {
  const ok = { responses: { 200: jsonOf(integer, { example: 3 }) } };
  const schema = { type: 'object', properties: { q: integer } };
  const { call, document } = await serve({
    '/a': {
      query: { requestBody: jsonOf(schema), ...ok },
      additionalOperations: { COPY: ok, FOO: ok },
    },
  });
  const query = (body: string) => call('/a', { method: 'QUERY', headers: json, body });
  expect(await query('{"q":1}')).toMatchObject({ status: 200, json: 3 });
  expect(await query('{"q":"x"}')).toMatchObject({ status: 400 });
  expect(await call('/a', { method: 'COPY' })).toMatchObject({ status: 200, json: 3 });
  expect(document.written.warnings.map(({ pointer }) => pointer)).toEqual([
    '#/paths/~1a/additionalOperations/FOO',
  ]);
});

it.each(['application/x-www-form-urlencoded', 'application/json'])(
  'reads a whole query as %s',
  async (type) => {
    const schema = { type: 'object', properties: { a: integer } };
    const parameters = [{ name: 'q', in: 'querystring', content: { [type]: { schema } } }];
    const { call } = await serve({ '/a': { get: { parameters, responses: { 200: jsonOf({}) } } } });
    const statusOf = async (a: unknown) => {
      const query = type.endsWith('json') ? encodeURIComponent(JSON.stringify({ a })) : `a=${a}`;
      return (await call(`/a?${query}`)).status;
    };
    expect([await statusOf(1), await statusOf('x')]).toEqual([200, 400]);
  },
);

it.each(['https://example.com/api.json', '/api.json'])(
  'follows references to the address of the document: %s',
  async ($self) => {
    const { send, document } = await serve(
      { '/a': { get: { responses: { 200: jsonOf({ $ref: `${$self}#/components/schemas/A` }) } } } },
      { $self, components: { schemas: { A: { const: 5 } } } },
    );
    expect(await send('GET', '/a')).toEqual({ status: 200, json: 5 });
    expect(document.written.warnings.length).toBeLessThan(2);
  },
);

it('warns of nothing that is new', async () => {
  const { send, document } = await serve(
    {
      '/a': {
        get: {
          tags: ['child'],
          responses: { 200: { summary: 'One.', content: { 'application/json': {} } }, 404: {} },
        },
        post: {
          requestBody: of({
            'multipart/mixed': { itemSchema: {}, prefixEncoding: [], itemEncoding: {} },
          }),
          responses: { 204: {} },
        },
      },
    },
    {
      tags: [
        { name: 'parent', summary: 'Parent', kind: 'nav' },
        { name: 'child', parent: 'parent' },
      ],
      servers: [{ url: '/v1', name: 'production' }],
    },
  );
  expect(await send('GET', '/a')).toMatchObject({ status: 200 });
  expect(document.written.warnings).toEqual([]);
});
