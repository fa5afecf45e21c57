import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const id = { type: 'integer', readOnly: true };
const card = object({ id, type: { const: 'card' }, token: text, note: text }, [
  'id',
  'type',
  'token',
]);
const transfer = object({ id, type: { const: 'transfer' }, iban: text, note: text }, [
  'id',
  'type',
  'iban',
]);
const propertyName = 'type';
const Payment = { oneOf: [ref('Card'), ref('Transfer')], discriminator: { propertyName } };
const components = { schemas: { Card: card, Transfer: transfer, Payment } };
const payment = ref('Payment');
const one = pathParameter('id');
const body = { requestBody: { required: true, ...jsonOf(payment) } };

function pathsOf(list: object) {
  return {
    '/payments': {
      get: {
        parameters: [{ name: 'type', in: 'query', schema: text }],
        responses: { 200: jsonOf(list) },
      },
      post: { ...body, responses: { 201: jsonOf(payment) } },
    },
    '/payments/{id}': {
      parameters: [one],
      get: { responses: { 200: jsonOf(payment) } },
      put: { ...body, responses: { 200: jsonOf(payment) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  };
}

const send = (method: string, value: object) => withJson(method, value);

it.each([
  ['a list', { type: 'array', items: payment }, (json: unknown) => json],
  [
    'an object',
    { type: 'object', properties: { data: { type: 'array', items: payment } } },
    ({ data }: { data: unknown }) => data,
  ],
])('keeps items of several kinds, which a discriminator names, in %s', async (_, list, read) => {
  const { call } = await serveDocument(toDocument(pathsOf(list), { components }), { items: 4 });
  const first = read((await call('/payments')).json) as { type: string }[];
  expect(first.map(({ type }) => type)).toEqual(['card', 'transfer', 'card', 'transfer']);
  expect(first[1]).toMatchObject({ id: 2, iban: expect.any(String) });
  expect(first[1]).not.toHaveProperty('token');

  const sent = { type: 'transfer', iban: 'DE1', note: 'a' };
  const created = await call('/payments', send('POST', sent));
  expect([created.status, created.json]).toEqual([201, { id: 5, ...sent }]);
  expect((await call('/payments/5')).json).toEqual({ id: 5, ...sent });
  const other = { type: 'card', token: 't' };
  expect((await call('/payments/5', send('PUT', other))).json).toEqual({ id: 5, ...other });
  expect(read((await call('/payments?type=transfer')).json)).toHaveLength(2);
  const wrong = await call('/payments', send('POST', { type: 'card', iban: 'DE1' }));
  expect([wrong.status, wrong.json.message]).toEqual([
    400,
    expect.stringContaining('"token" is required.'),
  ]);
});

it('answers with an item of one kind alone, where a body could be of several', async () => {
  const open = { id, name: text };
  const [planet, moon] = ['planet', 'moon'].map((kind) => ({
    type: 'object',
    required: ['name'],
    properties: { ...open, kind: { enum: [kind] } },
    additionalProperties: kind === 'planet',
  }));
  const mapping = { planet: ref('Planet').$ref, moon: ref('Moon').$ref };
  const discriminator = { propertyName: 'kind', mapping };
  const Body = { oneOf: [ref('Planet'), ref('Moon')], discriminator };
  const post = { requestBody: jsonOf({ type: 'object' }), responses: { 201: jsonOf(ref('Body')) } };
  const schemas = { Planet: planet, Moon: moon, Body };
  const { call } = await serveDocument(
    toDocument({ '/bodies': { post } }, { components: { schemas } }),
  );
  const { json } = await call('/bodies', send('POST', { name: 'Io' }));
  expect(json).toMatchObject({ name: 'Io', kind: expect.stringMatching(/^(planet|moon)$/) });
});
