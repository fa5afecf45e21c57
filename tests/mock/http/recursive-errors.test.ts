import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

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
const sent = (value: unknown) => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'Content-Type': 'application/json' },
});

it('fills errors with alternatives that hold themselves in a moment', async () => {
  const { call } = await served(object({ message: text, node }));
  const { status, json } = await call('/things', sent({}));
  expect([status, json.message]).toEqual([400, expect.stringContaining('"x" is required')]);
  expect(json.node).toBeDefined();
});

it('fills each entry of a long list of mistakes', async () => {
  const entry = object({ field: text, message: text, code: text, a: text, b: text, c: text });
  const error = object({ errors: { type: 'array', items: entry } });
  const many = object(
    Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`n${n}`, { type: 'integer' }])),
  );
  const { call } = await serveDocument(
    toDocument({
      '/things': { post: { requestBody: jsonOf(many), responses: { 400: jsonOf(error) } } },
    }),
  );
  const { json } = await call('/things', sent({}));
  expect(json.errors).toHaveLength(90);
  expect(json.errors.at(-1)).toMatchObject({ field: 'n89', message: '"n89" is required.', c: '' });
});
