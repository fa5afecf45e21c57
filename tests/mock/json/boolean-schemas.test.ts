import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const never = false as unknown as object;
const any = true as unknown as object;
const item = {
  type: 'object',
  required: ['meta'],
  properties: {
    ...{ id: { type: 'integer' }, meta: true, any: { $ref: '#/components/schemas/Any' } },
    // Properties that are called like keywords.
    ...{ additionalProperties: false, items: false, unevaluatedItems: true },
  },
};
const jsonl = (itemSchema: unknown) => ({
  200: { description: 'Fine.', content: { 'application/jsonl': { itemSchema } } },
});
const error = { type: 'object', required: ['code', 'x'], properties: { code: true, x: true } };

const document = toDocument(
  {
    '/any': { get: { responses: { 200: jsonOf(any) } } },
    '/none': { get: { responses: { 200: jsonOf(never) } } },
    '/body': { post: { requestBody: jsonOf(never), responses: { 200: jsonOf(any) } } },
    '/lines': { get: { responses: jsonl(true) } },
    '/no-lines': { get: { responses: jsonl(false) } },
    '/header': {
      get: {
        parameters: [{ name: 'q', in: 'query', schema: true }],
        responses: {
          200: { description: 'Fine.', headers: { 'X-A': { required: true, schema: true } } },
        },
      },
    },
    '/items': {
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { requestBody: jsonOf(item), responses: { 201: jsonOf(item), 400: jsonOf(error) } },
    },
  },
  { components: { schemas: { Any: true, None: false } } },
);

it('serves documents with schemas that are true or false, and warns of none', async () => {
  const { call, origin } = await serveDocument(document);
  const post = (path: string, body: unknown) => call(path, withJson('POST', body));
  const statuses = await Promise.all(
    ['/any', '/none', '/lines', '/no-lines', '/header?q=1', '/items'].map(
      async (path) => (await call(path)).status,
    ),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(await call('/no-lines')).toMatchObject({ text: '' });
  expect(await post('/body', { a: 1 })).toMatchObject({ status: 400 });
  expect(await post('/items', { meta: { a: [null] }, any: 'b' })).toMatchObject({
    status: 201,
    json: { id: 3, meta: { a: [null] }, any: 'b' },
  });
  expect(await post('/items', {})).toMatchObject({
    status: 400,
    json: { code: 'invalid_body', x: '' },
  });
  const version = await fetch(`${origin}/__admin/version`);
  expect(await version.json()).toMatchObject({ document: { warnings: [] } });
});
