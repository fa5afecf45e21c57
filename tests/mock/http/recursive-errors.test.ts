import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const node = { $ref: '#/components/schemas/Node' };
const kinds = Array.from({ length: 8 }, (_, index) =>
  object({ [`kind${index}`]: { type: 'string', pattern: `^k${index}$` }, inner: node }),
);
const leaf = object({ leaf: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' } });

const body = object({ x: { type: 'integer' } });
const served = (error: object) =>
  serveDocument(
    toDocument(
      { '/things': { post: { requestBody: jsonOf(body), responses: { 400: jsonOf(error) } } } },
      { components: { schemas: { Node: { oneOf: [...kinds, leaf] } } } },
    ),
  );
const sent = (value: unknown) => withJson('POST', value);

it('fills errors with alternatives that hold themselves in a moment', async () => {
  const { call } = await served(object({ message: text, node }));
  const { status, json } = await call('/things', sent({}));
  expect([status, json.message]).toEqual([400, expect.stringContaining('"x" is required')]);
  expect(json.node).toBeDefined();
});
