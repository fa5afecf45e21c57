import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { kinds } from '../../openapi/model/kinds.ts';
import { ruleNames } from '../../openapi/rules.ts';
import { documentOf, hintsOf } from '../support/document-of.ts';

const lines = `
  all: GET /all-orders -> [Order]
  new: PUT /order/new Order -> 201 Order
  show: GET /order/{order}/show/{part:text} -> Order
  pets: GET /pets -> [{ id: int }]
  Order: { number: int, state }
`;
const operationOf: Record<string, string> = {
  all: 'GET /all-orders',
  new: 'PUT /order/new',
  show: 'GET /order/{order}/show/{part}',
  pets: 'GET /pets',
};

/** Indexes a document whose operations have these hints, by their ids. */
function index(hints: Record<string, unknown>) {
  const own = Object.entries(hints).map(([id, hint]) => [operationOf[id], { 'x-twin': hint }]);
  return compile(documentOf(lines, {}, { operations: Object.fromEntries(own) }));
}

it('makes a collection of operations at any paths', () => {
  const { resources, operations, written } = index({
    all: { kind: 'list', collection: '/orders', id: 'number' },
    new: { kind: 'create', collection: '/orders' },
    show: { kind: 'read', collection: '/orders', parameter: 'order' },
  });
  expect(written.warnings).toEqual([]);
  const [orders] = resources.filter(({ name }) => name === 'orders');
  expect(orders).toMatchObject({ path: '/orders', idProperty: 'number' });
  expect(Object.entries(orders?.operations ?? {}).map(([kind, { id }]) => [kind, id])).toEqual([
    ['list', 'all'],
    ['create', 'new'],
    ['read', 'show'],
  ]);
  expect(operations.map(({ id, kind, resource }) => [id, kind, resource])).toEqual([
    ['all', 'list', 'orders'],
    ['new', 'create', 'orders'],
    ['show', 'read', 'orders'],
    ['pets', 'list', 'pets'],
  ]);
});

it.each([
  [{ kind: 'read' }, '/order/{order}/show'],
  [{ kind: 'read', parameter: 'order' }, '/order'],
])('takes a hint of %j for one about the collection in front of the parameter', (show, path) => {
  const all = { kind: 'list', collection: path, id: 'number' };
  const [found] = index({ all, show }).resources;
  expect(found).toMatchObject({ path, operations: { read: { id: 'show' } } });
});

it('says what identifies the items of a list that is found as it is', () => {
  expect(index({}).resources.map(({ name }) => name)).toEqual(['pets']);
  const { resources } = index({ all: { id: 'number' } });
  expect(resources.map(({ name, idProperty }) => [name, idProperty])).toEqual([
    ['all-orders', 'number'],
    ['pets', 'id'],
  ]);
});

it('makes a collection of a create alone, whatever the status of its success', () => {
  const operations = hintsOf({ 'POST /tickets': { kind: 'create', id: 'number' } });
  const order = '{ number: int, state }';
  const { resources } = compile(
    documentOf(`POST /tickets ${order} -> 202 ${order}`, {}, { operations }),
  );
  expect(resources.map(({ name, idProperty }) => [name, idProperty])).toEqual([
    ['tickets', 'number'],
  ]);
});

it('keeps no state where that is said', () => {
  const { resources, operations } = index({ pets: { kind: 'none' } });
  expect(resources).toEqual([]);
  expect(operations.find(({ id }) => id === 'pets')?.kind).toBeUndefined();
});

const noHint = `must be an object with kind, collection, id, parameter as texts, and ${ruleNames.join(', ')}`;

it.each([
  [true, noHint],
  [{ kind: 'lists' }, `has the kind "lists", but may have ${kinds.join(', ')} or none`],
  [{ kind: 'list', collection: 'pets' }, 'has a collection that is no path such as /pets'],
  [{ collection: '/pets' }, 'names a collection, and so needs a kind'],
  [{ kind: 'list', name: 'x' }, noHint],
])('warns of %j, and goes on without it', (hint, problem) => {
  const { written, resources } = index({ pets: hint });
  expect(written.warnings).toEqual([
    { pointer: '#/paths/~1pets/get/x-twin', problem: `x-twin ${problem}; it is ignored` },
  ]);
  expect(resources.map(({ name }) => name)).toEqual(['pets']);
});
