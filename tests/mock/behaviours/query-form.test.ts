import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const thing = {
  type: 'object',
  required: ['id', 'colour'],
  properties: { id: { type: 'integer', readOnly: true }, colour: { enum: ['red', 'blue'] } },
};
const form = {
  type: 'object',
  required: ['limit'],
  properties: {
    limit: { type: 'integer', maximum: 3, description: 'How many things at most.' },
    colour: { type: 'string' },
  },
};
const whole = {
  name: 'all',
  in: 'querystring',
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: form, example: { limit: 2 } } },
};

it('lets the fields of a query that is a form choose what a list shows', async () => {
  const { call, document } = await serveDocument({
    ...toDocument({
      '/things': {
        get: {
          parameters: [whole],
          responses: { 200: jsonOf({ type: 'array', items: thing }) },
        },
        post: { requestBody: jsonOf(thing), responses: { 201: jsonOf(thing) } },
      },
    }),
    openapi: '3.2.0',
  });
  const headers = { 'Content-Type': 'application/json' };
  for (const colour of ['red', 'blue', 'red', 'red'])
    await call('/things', { method: 'POST', headers, body: JSON.stringify({ colour }) });
  const { json } = await call('/things?limit=3&colour=red');
  expect(json).toHaveLength(3);
  expect(new Set(json.map((one: { colour: string }) => one.colour))).toEqual(new Set(['red']));
  expect((await call('/things?limit=4')).status).toBe(400);
  expect((await call('/things?colour=red')).json.message).toBe(
    'Query parameter "limit" is required.',
  );
  expect(document.operations[0]?.parameters).toMatchObject([
    { name: 'limit', in: 'query', required: true, examples: { example: 2 } },
    { name: 'colour', in: 'query', required: false },
  ]);
});

it('lets the fields of an optional form choose too, and requires those that go with others', async () => {
  const optional = {
    ...whole,
    required: false,
    content: { 'application/x-www-form-urlencoded': { schema: form } },
  };
  const list = { responses: { 200: jsonOf({ type: 'array', items: thing }) } };
  const tags = { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } };
  for (const parameters of [[optional], [optional, tags]]) {
    const paths = { '/things': { get: { parameters, ...list } } };
    const { call } = await serveDocument({ ...toDocument(paths), openapi: '3.2.0' }, { items: 5 });
    expect((await call('/things')).json).toHaveLength(3);
    expect((await call('/things?limit=2')).json).toHaveLength(2);
    // Another parameter, such as a key, is none of the form.
    expect((await call('/things?api_key=a')).status).toBe(200);
    const { status, json } = await call('/things?colour=red');
    expect([status, json.message]).toEqual([400, 'Query parameter "limit" is required.']);
  }
});
