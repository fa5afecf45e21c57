import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { clusters as document } from '../support/documents.ts';

const clusters = compile(document);

const text = { type: 'string' };
const held = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/**
 * Returns where the items of `/things/{parameter}` have their ids; undefined where it is no
 * collection.
 */
function findIdProperty(
  parameter: string,
  properties: object,
  hint: object = {},
): string | undefined {
  const schema = { type: 'object', properties };
  const ok = (schema: object) => ({
    200: { description: 'Fine.', content: { 'application/json': { schema } } },
  });
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/things': { get: { responses: ok({ type: 'array', items: schema }), ...hint } },
      [`/things/{${parameter}}`]: { get: { responses: ok(schema) } },
    },
  });
  return resources[0]?.idProperty;
}

it('finds ids in the metadata of items, and what they are below', () => {
  const idProperty = 'metadata.name';
  expect(clusters.resources).toMatchObject([
    { name: 'nodes', idProperty, givenId: 'sometimes' },
    { name: 'namespaces', idProperty },
    {
      name: 'namespaces/{namespace}/jobs',
      idProperty,
      givenId: 'always',
      scope: [{ parameter: 'namespace', parent: 'namespaces', property: 'metadata.namespace' }],
      views: [{ path: '/jobs', scope: [] }],
    },
  ]);
});

it.each([
  ['name', { metadata: held('name', 'uid') }, 'metadata.name'],
  ['entry_id', { sys: held('id', 'type'), fields: held('id') }, 'sys.id'],
  ['slug', { meta: held('slug') }, 'meta.slug'],
])('finds the id that {%s} names in %j', (parameter, properties, found) => {
  expect(findIdProperty(parameter, properties)).toBe(found);
});

it.each([
  ['name', 'the item has the property itself', { name: text, metadata: held('name') }, 'name'],
  ['name', 'the item has an id', { uuid: text, metadata: held('name') }, 'uuid'],
  ['thing', 'the parameter says nothing', { metadata: held('name', 'uid') }, undefined],
  ['name', 'two objects have it', { metadata: held('name'), meta: held('name') }, undefined],
  ['name', 'another object has it', { spec: held('name') }, undefined],
  ['date', 'it is called otherwise', { metadata: held('id') }, undefined],
  ['name', 'a list has it', { metadata: { type: 'array', items: held('name') } }, undefined],
])('finds no id of {%s} in an object where %s', (parameter, _, properties, found) => {
  expect(findIdProperty(parameter, properties)).toBe(found);
});

it('takes the place of an id from x-twin', () => {
  const properties = { spec: held('ref'), metadata: held('name') };
  const hint = { 'x-twin': { kind: 'list', id: 'spec.ref' } };
  expect(findIdProperty('name', properties, hint)).toBe('spec.ref');
  expect(findIdProperty('name', properties, { 'x-twin': { id: 'spec.no' } })).toBeUndefined();
});
