import { expect, it } from 'vitest';
import { documentOf } from '../../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../../support/serve-document.ts';

const examples = (values: Record<string, unknown>) => ({
  examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
});
const shown = (values: Record<string, unknown>) => jsonOf({}, examples(values));
const text = { schema: { type: 'string' } };

it('answers a call like a named example with the example of the response of that name', async () => {
  const city = { name: 'city', in: 'query', required: true, ...text };
  const cities = examples({ paris: 'Paris', rome: 'Rome', none: 'Atlantis' });
  const days = { name: 'days', in: 'query', schema: { type: 'array', items: { type: 'integer' } } };
  const { send, origin } = await serveDocument(
    documentOf(
      'GET /weather -> 200, 404\nGET /rates/{from:text}/{to:text} -> 200\nPOST /checks {} -> 200, 422',
      {},
      {
        operations: {
          'GET /weather': {
            parameters: [
              { ...city, ...cities },
              { ...days, ...examples({ rome: [1, 2] }) },
            ],
            responses: {
              200: shown({ paris: { heat: 5 }, rome: { heat: 25 } }),
              404: shown({ none: { error: 'No such city.' } }),
            },
          },
          'GET /rates/{from}/{to}': {
            parameters: [
              { name: 'from', in: 'path', required: true, ...text, ...examples({ chf: 'CHF' }) },
            ],
            responses: { 200: shown({ other: { rate: 1 }, chf: { rate: 2 } }) },
          },
          'POST /checks': {
            requestBody: jsonOf({}, examples({ good: { id: 1 }, bad: { id: 2 } })),
            responses: {
              200: shown({ good: { ok: true } }),
              422: shown({ bad: { error: 'Bad.' } }),
            },
          },
        },
      },
    ),
  );
  const call = async (method: string, path: string, body?: object) => {
    const { status, json } = await send(method, path, body);
    return [status, json];
  };
  expect(await call('GET', '/weather?city=Rome&days=1&days=2')).toEqual([200, { heat: 25 }]);
  expect(await call('GET', '/weather?city=Rome')).toEqual([200, { heat: 5 }]);
  expect(await call('GET', '/weather?city=Atlantis')).toEqual([404, { error: 'No such city.' }]);
  expect(await call('GET', '/rates/CHF/USD')).toEqual([200, { rate: 2 }]);
  expect(await call('GET', '/rates/EUR/USD')).toEqual([200, { rate: 1 }]);
  expect(await call('POST', '/checks', { id: 1 })).toEqual([200, { ok: true }]);
  expect(await call('POST', '/checks', { id: 2 })).toEqual([422, { error: 'Bad.' }]);
  expect(await call('POST', '/checks', { id: 3 })).toEqual([200, { ok: true }]);
  const journal = await (await fetch(`${origin}/__admin/requests`)).text();
  expect(journal).toContain('"reason":{"step":"example","name":"bad"}');
});

it('shows what is stored, whatever example a call is like, and errors by their examples', async () => {
  const { send } = await serveDocument(
    documentOf(
      'GET /pets -> [Pet]\nPOST /pets Pet -> 201 Pet, 409\nPet: { readonly id!: int, name! }',
      {},
      {
        operations: {
          'POST /pets': {
            requestBody: jsonOf(
              { $ref: '#/components/schemas/Pet' },
              examples({ rex: { name: 'Rex' }, taken: { name: 'Tom' } }),
            ),
            responses: {
              201: jsonOf(
                { $ref: '#/components/schemas/Pet' },
                examples({ rex: { id: 1, name: 'Rex' } }),
              ),
              409: shown({ rex: { error: 'Never.' }, taken: { error: 'Taken.' } }),
            },
          },
        },
      },
    ),
  );
  expect(await send('POST', '/pets', { name: 'Tom' })).toMatchObject({
    ...{ status: 409, json: { error: 'Taken.' } },
  });
  const first = await send('POST', '/pets', { name: 'Rex' });
  const second = await send('POST', '/pets', { name: 'Rex' });
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json).not.toEqual(first.json);
});

it('pairs no examples without names', async () => {
  const { send } = await serveDocument(
    documentOf(
      'GET /checks -> 200, 400',
      {},
      {
        operations: {
          'GET /checks': {
            parameters: [{ name: 'id', in: 'query', ...text, example: '1' }],
            responses: { 200: jsonOf({}), 400: jsonOf({}, { example: { error: 'Bad.' } }) },
          },
        },
      },
    ),
  );
  expect((await send('GET', '/checks?id=1')).status).toBe(200);
});
