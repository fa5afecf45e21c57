import { expect, it } from 'vitest';
import { isSameEvent, triggeredCallsOf } from '../../../../mock/extras/webhooks/triggers.ts';
import { compile } from '../../../../openapi/index.ts';
import { makesCalls } from '../../../../openapi/webhooks.ts';
import { jsonOf, pathParameter, toDocument } from '../../../support/serve-document.ts';

const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const order = {
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: { type: 'integer' },
    status: { type: 'string', enum: ['placed', 'cancelled', 'paid'] },
  },
};
const body = (schema: object) => ({ requestBody: { required: true, ...jsonOf(schema) } });
const parameters = [pathParameter('id')];
const named = (schema: object) => ({
  $ref: `#/components/schemas/${schema === pet ? 'Pet' : 'Order'}`,
});

const paths = {
  '/animals': {
    get: {
      operationId: 'listPets',
      responses: { 200: jsonOf({ type: 'array', items: named(pet) }) },
    },
    post: {
      operationId: 'registerPet',
      ...body(named(pet)),
      responses: { 201: jsonOf(named(pet)) },
    },
  },
  '/animals/{id}': {
    parameters,
    get: { operationId: 'getPet', responses: { 200: jsonOf(named(pet)) } },
    patch: {
      operationId: 'changePet',
      ...body(named(pet)),
      responses: { 200: jsonOf(named(pet)) },
    },
    delete: { operationId: 'deletePet', responses: { 204: { description: 'Gone.' } } },
  },
  '/orders': {
    get: {
      operationId: 'listOrders',
      responses: { 200: jsonOf({ type: 'array', items: named(order) }) },
    },
    post: {
      operationId: 'createOrder',
      ...body({ type: 'object', properties: { hook: { type: 'string' } } }),
      responses: { 201: jsonOf(named(order)) },
      callbacks: {
        orderPaid: {
          '{$request.body#/hook}': { post: { responses: { 200: { description: 'Thanks.' } } } },
        },
        progress: {
          '{$request.body#/hook}': { post: { responses: { 200: { description: 'Thanks.' } } } },
        },
      },
    },
  },
  '/orders/{id}': {
    parameters,
    get: { operationId: 'getOrder', responses: { 200: jsonOf(named(order)) } },
  },
  '/orders/{id}/cancel': {
    parameters,
    post: { operationId: 'cancelOrder', responses: { 200: jsonOf(named(order)) } },
  },
  '/orders/{id}/pay': {
    parameters,
    post: { operationId: 'payOrder', responses: { 200: jsonOf(named(order)) } },
  },
};
const components = { schemas: { Pet: pet, Order: order } };

/** What the calls of a document with these webhooks are sent after, by their names. */
function triggersOf(webhooks: object) {
  const document = compile(toDocument(paths, { webhooks, components }));
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
  post: { ...body(schema), responses: { 200: { description: 'Fine.' } } },
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
  const has = (given: object, more: object = {}) =>
    makesCalls(compile(toDocument(given, more)).asOpenApi());
  const { '/orders': withCallbacks, '/orders/{id}': without } = paths;
  expect(has({ '/orders': withCallbacks }, { components })).toBe(true);
  expect(has({ '/orders/{id}': without }, { components })).toBe(false);
  expect(has({}, { webhooks: { newPet: webhook() } })).toBe(true);
});

it('takes names for the same that are written otherwise', () => {
  expect(isSameEvent('pet.created', 'petCreated')).toBe(true);
  expect(isSameEvent('pet.created', 'pet.deleted')).toBe(false);
});
