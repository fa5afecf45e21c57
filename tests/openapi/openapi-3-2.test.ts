import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../support/serve-document.ts';

const integer = { type: 'integer' };
const of = (content: object) => ({ description: 'Fine.', content });

function serve(paths: object, more: object = {}) {
  return serveDocument(toDocument(paths, { openapi: '3.2.0', ...more }));
}

const json = { 'Content-Type': 'application/json' };

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
