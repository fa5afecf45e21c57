import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const status = {
  type: 'string',
  enum: ['open', 'paid', 'cancelled', 'shipped', 'active', 'inactive', 'lent'],
};
const order = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    status,
    favorited: { type: 'boolean' },
    isLocked: { type: 'boolean' },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = { responses: { 200: { description: 'The order.', ...json(order) } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const words = [
  'cancel',
  'pay',
  'ship',
  'activate',
  'favorite',
  'unfavorite',
  'lock',
  'inspect',
  'deactivate',
  'unship',
  'lend',
];

/** Does something to an order that was made so, and gives what the answer and a read show of it. */
async function doTo(made: object, method: string, word: string) {
  const actions = words.map((one) => [
    `/orders/{id}/${one}`,
    { parameters: [id], post: answer, delete: answer },
  ]);
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': {
        post: {
          requestBody: json(order),
          responses: { 201: { description: 'New.', ...json(order) } },
        },
      },
      '/orders/{id}': { parameters: [id], get: answer },
      ...Object.fromEntries(actions),
    },
  });
  const { api, document } = await startTwin({ spec });
  const headers = { 'Content-Type': 'application/json' };
  const call = async (verb: string, path: string, body?: object) =>
    (
      await fetch(api + path, {
        method: verb,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json();
  const { id: own } = (await call('POST', '/orders', made)) as { id: number };
  const { id: _, ...answered } = (await call(method, `/orders/${own}/${word}`)) as { id: number };
  const { id: __, ...read } = (await call('GET', `/orders/${own}`)) as { id: number };
  const explained = explain(document).operations.find(
    (one) => one.path.endsWith(`/${word}`) && one.method === method,
  );
  return { answered, read, explained };
}

const made = { status: 'open', favorited: false, isLocked: true };

it.each([
  ['POST', 'cancel', { ...made, status: 'cancelled' }],
  ['POST', 'pay', { ...made, status: 'paid' }],
  ['POST', 'ship', { ...made, status: 'shipped' }],
  ['POST', 'lend', { ...made, status: 'lent' }],
  ['POST', 'activate', { ...made, status: 'active' }],
  ['POST', 'deactivate', { ...made, status: 'inactive' }],
  ['POST', 'unship', { ...made, status: 'active' }],
  ['POST', 'favorite', { ...made, favorited: true }],
  ['POST', 'inspect', made],
  ['DELETE', 'lock', { ...made, isLocked: false }],
  ['DELETE', 'cancel', made],
])(
  'sets by %s .../%s what the item has a form of that word for',
  async (method, word, expected) => {
    const { answered, read } = await doTo(made, method, word);
    expect({ answered, read }).toEqual({ answered: expected, read: expected });
  },
);

it('explains what an action sets', async () => {
  const { explained } = await doTo(made, 'POST', 'cancel');
  expect(explained).toMatchObject({
    answers: 'store',
    because: expect.stringContaining('its last word sets status to cancelled'),
  });
});

it('unsets what an action of the same word sets', async () => {
  const { read } = await doTo({ ...made, favorited: true }, 'POST', 'unfavorite');
  expect(read).toEqual(made);
});

it('sets what the body of an action has of the item in its property for data', async () => {
  const held = { type: 'object', properties: { data: order } };
  const body = {
    requestBody: json(held),
    responses: { 200: { description: 'It.', ...json(held) } },
  };
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/orders': { post: { ...body, responses: { 201: { description: 'New.', ...json(held) } } } },
      '/orders/{id}': { parameters: [id], get: { responses: body.responses } },
      '/orders/{id}/inspect': { parameters: [id], post: body },
    },
  });
  const { api } = await startTwin({ spec });
  const headers = { 'Content-Type': 'application/json' };
  const post = async (path: string, data: object) =>
    fetch(api + path, { method: 'POST', headers, body: JSON.stringify({ data }) });
  const { data: created } = (await (await post('/orders', made)).json()) as {
    data: { id: number };
  };
  await post(`/orders/${created.id}/inspect`, { status: 'paid' });
  const read = await fetch(`${api}/orders/${created.id}`);
  expect(await read.json()).toEqual({ data: { ...created, status: 'paid' } });
});
