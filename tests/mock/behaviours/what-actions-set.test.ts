import { expect, it } from 'vitest';
import { explain } from '../../../mock/explain/explanation.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const schemas = {
  Status: { enum: ['open', 'paid', 'cancelled', 'shipped', 'active', 'inactive', 'lent'] },
  Order: '{ id: int, status: Status, favorited: bool, isLocked: bool }',
};
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
  const actions = words.flatMap((one) =>
    ['POST', 'DELETE'].map((verb) => `${verb} /orders/{id}/${one} -> Order`),
  );
  const lines = ['POST /orders Order -> 201 Order', 'GET /orders/{id} -> Order', ...actions];
  const { send, document } = await serveDocument(documentOf(lines.join('\n'), schemas));
  const call = async (...sent: Parameters<typeof send>) => (await send(...sent)).json;
  const { id: own } = await call('POST', '/orders', made);
  const { id: _, ...answered } = await call(method, `/orders/${own}/${word}`);
  const { id: __, ...read } = await call('GET', `/orders/${own}`);
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
    because: expect.stringContaining('the last word of its path sets status to cancelled'),
  });
});

it('makes null what is taken away, and the time of what is undone', async () => {
  const { send } = await serveDocument(`
    POST /tickets Ticket -> 201 Ticket
    GET /tickets/{id} -> Ticket
    DELETE /tickets/{id}/assignee -> 204
    POST /tickets/{id}/unlock -> Ticket
    Ticket: { readonly id: int, assignee_id: int | null, locked_at: date-time | null }
  `);
  const { json } = await send('POST', '/tickets', {
    assignee_id: 7,
    locked_at: '2030-01-01T00:00:00Z',
  });
  const path = `/tickets/${json.id}`;
  await send('DELETE', `${path}/assignee`);
  const free = { ...json, assignee_id: null };
  expect(await send('GET', path)).toMatchObject({ json: free });
  expect(await send('POST', `${path}/unlock`)).toMatchObject({
    json: { ...free, locked_at: null },
  });
});

it.each([
  ['email', { name: 'a', address: { city: 'c' } }],
  ['address', { name: 'a', email: 'b@c.d' }],
  ['name', { name: 'a', email: 'b@c.d', address: { city: 'c' } }],
])('removes by a DELETE of /%s what an item may lack', async (word, left) => {
  const { send } = await serveEmpty(`
    POST /users User -> 201 User
    GET /users/{id} -> User
    DELETE /users/{id}/email -> 204
    DELETE /users/{id}/address -> 204
    DELETE /users/{id}/name -> 204
    User: { readonly id!: int, name!, email: email, address: { city } }
  `);
  await send('POST', '/users', { name: 'a', email: 'b@c.d', address: { city: 'c' } });
  expect((await send('DELETE', `/users/1/${word}`)).status).toBe(204);
  expect((await send('GET', '/users/1')).json).toEqual({ id: 1, ...left });
});

it('deletes the object that a GET shows, though items have one called so', async () => {
  const { send } = await serveEmpty(`
    POST /users { name! } -> 201 User
    GET /users/{id} -> User
    GET /users/{id}/address -> Address, 404
    PUT /users/{id}/address Address -> Address
    DELETE /users/{id}/address -> 204
    User: { readonly id!: int, name!, address: { city } | null }
    Address: { city }
  `);
  await send('POST', '/users', { name: 'a' });
  await send('PUT', '/users/1/address', { city: 'c' });
  expect((await send('DELETE', '/users/1/address')).status).toBe(204);
  expect((await send('GET', '/users/1/address')).status).toBe(404);
});

it('sets the property that a path names to its body, or to the only member of that', async () => {
  const { send } = await serveDocument(`
    POST /carts { note } -> 201 Cart
    GET /carts/{id} -> Cart
    PUT /carts/{id}/shipping-address { city!, street } -> Cart
    PUT /carts/{id}/vote { direction!: "up" | "down" } -> Cart
    POST /carts/{id}/note { text } -> 204
    Cart: {
      readonly id!: int, vote: "up" | "down" | null, note,
      shipping_address: { city!, street } | null
    }
  `);
  const { json } = await send('POST', '/carts', { note: 'n' });
  const at = `/carts/${json.id}`;
  const address = { city: 'Bern' };
  const moved = { ...json, shipping_address: address };
  expect((await send('PUT', `${at}/shipping-address`, address)).json).toEqual(moved);
  expect((await send('PUT', `${at}/vote`, { direction: 'up' })).json).toEqual({
    ...moved,
    vote: 'up',
  });
  expect((await send('POST', `${at}/note`, { text: 'b' })).status).toBe(204);
  expect((await send('GET', at)).json).toEqual({ ...moved, vote: 'up', note: 'n' });
});

it.each([
  ['PATCH', 'settings', { theme: 'dark' }, { settings: { theme: 'dark', lang: 'en' } }],
  ['PATCH', 'limits', { limits: { max: 5 } }, { limits: { max: 5, min: 0 } }],
  ['PUT', 'limits', { limits: { max: 5 } }, { limits: { max: 5 } }],
  ['PUT', 'address', { street: 'a' }, { address: { street: 'a', zip: '1' } }],
])('keeps by a %s of /%s what that need not name of an object', async (method, word, body, own) => {
  const { send } = await serveEmpty(`
    POST /users User -> 201 User
    GET /users/{id} -> User
    PATCH /users/{id}/settings { theme, lang } -> User
    PATCH /users/{id}/limits { limits: { max: int, min: int } } -> User
    PUT /users/{id}/limits { limits: { max: int, min: int } } -> User
    PUT /users/{id}/address { street, city } -> User
    User: {
      readonly id!: int, settings: { theme!, lang! }, limits: { max: int, min: int },
      address: { street, city, zip }
    }
  `);
  const { json } = await send('POST', '/users', {
    settings: { theme: 'light', lang: 'en' },
    limits: { max: 1, min: 0 },
    address: { street: 's', city: 'c', zip: '1' },
  });
  const changed = { ...json, ...own };
  expect(await send(method, `/users/1/${word}`, body)).toEqual({ status: 200, json: changed });
});

it.each([
  ['restore', { trashed: false, deleted_at: null }],
  ['unassign', { assignee_id: null, assigned_to: null }],
  ['check-in', { state: 'checked_in' }],
  ['sign_off', { signed_off: true }],
  ['trash/', { trashed: true }],
])('sets by /%s what is undone by it, or is called as its two words', async (word, expected) => {
  const { send } = await serveDocument(`
    POST /tasks Task -> 201 Task
    GET /tasks/{id} -> Task
    POST /tasks/{id}/${word} -> Task
    Task: {
      readonly id: int, trashed: bool, deleted_at: date-time | null, assignee_id: int | null,
      assigned_to: text | null, state: "new" | "checked_in", signed_off: bool
    }
  `);
  const given = { deleted_at: '2030-01-01T00:00:00Z', assignee_id: 7, assigned_to: 'Al' };
  const made = { ...given, trashed: word === 'restore', state: 'new', signed_off: false };
  const { json } = await send('POST', '/tasks', made);
  await send('POST', `/tasks/${json.id}/${word}`);
  expect((await send('GET', `/tasks/${json.id}`)).json).toEqual({ ...json, ...expected });
});

it('unsets what an action of the same word sets', async () => {
  const { read } = await doTo({ ...made, favorited: true }, 'POST', 'unfavorite');
  expect(read).toEqual(made);
});

it('sets what the body of an action has of the item in its property for data', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      POST /orders { data: Order } -> 201 { data: Order }
      GET /orders/{id} -> { data: Order }
      POST /orders/{id}/inspect { data: Order } -> { data: Order }
      `,
      schemas,
    ),
  );
  const { data } = (await send('POST', '/orders', { data: made })).json;
  await send('POST', `/orders/${data.id}/inspect`, { data: { status: 'paid' } });
  const read = await send('GET', `/orders/${data.id}`);
  expect(read.json).toEqual({ data: { ...data, status: 'paid' } });
});

it.each([
  ['retire', 'Retires a user. The status is `DEPROVISIONED` after that.', 'DEPROVISIONED'],
  ['retire', 'Only users whose status is `LOCKED_OUT` can retire.', 'ACTIVE'],
  ['suspend', '', 'SUSPENDED'],
  ['deactivate', '', 'ACTIVE'],
])('reads from %s, "%s", the state that an extension lists', async (word, description, status) => {
  const listed = ['ACTIVE', 'DEPROVISIONED', 'LOCKED_OUT', 'SUSPENDED'];
  const User = {
    properties: {
      id: { type: 'integer' },
      status: { type: 'string', readOnly: true, 'x-extensible-enum': listed },
    },
  };
  const { send } = await serveDocument(
    documentOf(
      `
      POST /users User -> 201 User
      GET /users/{id} -> User
      POST /users/{id}/${word} -> 204
      `,
      { User },
      { operations: { [`POST /users/{id}/${word}`]: { description } } },
    ),
  );
  const { json: created } = await send('POST', '/users', {});
  expect(created.status).toBe('ACTIVE');
  await send('POST', `/users/${created.id}/${word}`);
  const read = await send('GET', `/users/${created.id}`);
  expect(read.json).toEqual({ ...created, status });
});
