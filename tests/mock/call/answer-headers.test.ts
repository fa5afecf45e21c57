import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

it('writes headers in their style', async () => {
  const integers = { type: 'array', items: { type: 'integer' } };
  const members = { a: 1, b: 'x' };
  const headers = {
    'X-Parts': { schema: integers, example: [1, 2, 3] },
    'X-Made': { schema: { ...integers, minItems: 2, maxItems: 2 } },
    'X-Flat': { schema: { type: 'object' }, example: members },
    'X-Exploded': { schema: { type: 'object' }, explode: true, example: members },
    'X-Json': { content: { 'application/json': { example: members } } },
  };
  const required = Object.entries(headers).map(([name, one]) => [name, { ...one, required: true }]);
  const { call } = await serveDocument(
    toDocument({
      '/parts': {
        get: { responses: { 200: { ...jsonOf({}), headers: Object.fromEntries(required) } } },
      },
    }),
  );
  const { headers: sent } = await call('/parts');
  expect(Object.keys(headers).map((name) => sent.get(name))).toEqual([
    '1,2,3',
    expect.stringMatching(/^-?\d+,-?\d+$/),
    'a,1,b,x',
    'a=1,b=x',
    '{"a":1,"b":"x"}',
  ]);
});

it('sends headers that are not required where the document shows them, unless of a list', async () => {
  const parts = { schema: { type: 'array', items: { type: 'integer' } }, example: [1, 2, 3] };
  const headers = { 'X-Parts': parts, 'X-Other': { schema: { type: 'integer' } } };
  const answer = (schema: object) => ({
    get: { responses: { 200: { ...jsonOf(schema), headers } } },
  });
  const { call } = await serveDocument(
    toDocument({
      '/one': answer({}),
      '/all': answer({ type: 'array', items: { type: 'object', properties: { name: {} } } }),
    }),
  );
  const { headers: sent } = await call('/one');
  expect([sent.get('X-Parts'), sent.get('X-Other')]).toEqual(['1,2,3', null]);
  expect((await call('/all')).headers.get('X-Parts')).toBe(null);
});

it('sends headers back that a request has, too, where the document describes both', async () => {
  const text = { type: 'string' };
  const pet = { type: 'object', properties: { id: { type: 'integer' }, name: text } };
  const headers = { 'x-trace': { schema: text }, 'X-Other': { required: true, schema: text } };
  const parameters = [pathParameter('id'), { name: 'X-Trace', in: 'header', schema: text }];
  const responses = {
    200: { ...jsonOf(pet), headers },
    404: { ...jsonOf({ type: 'object', properties: { message: text } }), headers },
  };
  const { call } = await serveDocument(
    toDocument({
      '/pets': { get: { responses: { 200: jsonOf({ type: 'array', items: pet }) } } },
      '/pets/{id}': { get: { parameters, responses } },
    }),
  );
  for (const [target, status] of [
    ['/pets/1', 200],
    ['/pets/99', 404],
  ] as const) {
    const answer = await call(target, { headers: { 'X-Trace': 'a1', 'X-Other': 'b' } });
    expect([answer.status, answer.headers.get('X-Trace')]).toEqual([status, 'a1']);
    expect(answer.headers.get('X-Other')).not.toBe('b');
    expect((await call(target)).headers.get('X-Trace')).toBe(null);
  }
});
