import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

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
