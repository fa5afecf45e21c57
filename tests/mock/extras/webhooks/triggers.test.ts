import { expect, it } from 'vitest';
import { isSameEvent, triggeredCallsOf } from '../../../../mock/extras/webhooks/triggers.ts';
import { compile } from '../../../../openapi/index.ts';
import { makesCalls } from '../../../../openapi/webhooks.ts';
import { documentOf } from '../../../support/document-of.ts';
import { jsonOf } from '../../../support/serve-document.ts';

const animals = `
  listPets: GET /animals -> [Pet]
  registerPet: POST /animals Pet -> 201 Pet
  getPet: GET /animals/{id} -> Pet
  changePet: PATCH /animals/{id} Pet -> Pet
  deletePet: DELETE /animals/{id} -> 204`;
const orders = `
  listOrders: GET /orders -> [Order]
  createOrder: POST /orders { hook } -> 201 Order`;
const order = `
  getOrder: GET /orders/{id} -> Order
  cancelOrder: POST /orders/{id}/cancel -> Order
  payOrder: POST /orders/{id}/pay -> Order`;
const schemas = {
  Pet: '{ id!: int, name! }',
  Order: '{ id!: int, status!: "placed" | "cancelled" | "paid" }',
};
const callback = {
  '{$request.body#/hook}': { post: { responses: { 200: { description: 'Thanks.' } } } },
};
const callbacks = { orderPaid: callback, progress: callback };

const describe = (lines: string, webhooks: object = {}) =>
  compile(documentOf(lines, schemas, { webhooks, operations: { 'POST /orders': { callbacks } } }));

/** Returns what the calls of a document with these webhooks are sent after, by their names. */
function triggersOf(webhooks: object) {
  const document = describe(animals + orders + order, webhooks);
  return Object.fromEntries(
    triggeredCallsOf(document).map(({ name, triggers }) => [
      name,
      triggers.map(
        ({ event, operations }) => `${event}: ${operations.map(({ id }) => id).join(', ')}`,
      ),
    ]),
  );
}

const webhook = (schema: object = {}) => ({
  post: {
    requestBody: { required: true, ...jsonOf(schema) },
    responses: { 200: { description: 'Fine.' } },
  },
});

it.each([
  ['pet.created', 'registerPet'],
  ['newPet', 'registerPet'],
  ['pet_registered', 'registerPet'],
  ['onAnimalAdded', 'registerPet'],
  ['pet-updated', 'changePet'],
  ['PET_DELETED', 'deletePet'],
  ['orderCancelled', 'cancelOrder'],
  ['order.canceled', 'cancelOrder'],
  ['orderPaidEvent', 'payOrder'],
])('sends %s after %s', (name, operation) => {
  expect(triggersOf({ [name]: webhook() })[name]).toEqual([`${name}: ${operation}`]);
});

it.each(['pet.sold', 'order.item.created', 'created', 'pet', 'petListed', 'toString'])(
  'sends %s after nothing',
  (name) => {
    expect(triggersOf({ [name]: webhook() })[name]).toEqual([]);
  },
);

it('takes events from what a payload may be called, where the name of a webhook tells none', () => {
  const type = { type: 'string', enum: ['pet.created', 'pet.deleted', 'pet.sold'] };
  const schema = { type: 'object', properties: { type, kind: { const: 'order.created' } } };
  expect(triggersOf({ shopEvent: webhook(schema), newPet: webhook(schema) })).toMatchObject({
    shopEvent: ['pet.created: registerPet', 'pet.deleted: deletePet', 'order.created: createOrder'],
    newPet: ['newPet: registerPet'],
  });
});

it('leaves events that a payload names to the webhooks of their own', () => {
  const type = { type: 'string', enum: ['pet.created', 'pet.sold'] };
  const schema = { type: 'object', properties: { type } };
  const webhooks = { 'pet.created': webhook(schema), petSold: webhook(schema) };
  expect(triggersOf(webhooks)).toMatchObject({
    'pet.created': ['pet.created: registerPet'],
    petSold: [],
  });
});

it('sends a callback after its own operation, unless its name tells another one', () => {
  expect(triggersOf({})).toEqual({
    orderPaid: ['orderPaid: payOrder'],
    progress: ['progress: createOrder'],
  });
});

it('knows a document that describes calls of the service', () => {
  const has = (lines: string, webhooks = {}) => makesCalls(describe(lines, webhooks).asOpenApi());
  expect(has(orders)).toBe(true);
  expect(has(order)).toBe(false);
  expect(has('', { newPet: webhook() })).toBe(true);
});

it('takes names for the same that are written otherwise', () => {
  expect(isSameEvent('pet.created', 'petCreated')).toBe(true);
  expect(isSameEvent('pet.created', 'pet.deleted')).toBe(false);
});
