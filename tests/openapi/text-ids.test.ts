import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';

const ok = (schema: object) => ({
  responses: { 200: { description: 'Fine.', content: { 'application/json': { schema } } } },
});

/** Returns where the items of `/things/{id}` have the number that the path takes. */
function findIdProperty(parameter: string, item: object): string | undefined {
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/things': { get: ok({ type: 'array', items: item }) },
      [`/things/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'integer' } }],
        get: ok(item),
      },
    },
  });
  return resources[0]?.idProperty;
}

it.each([
  ['id', { id: { type: 'string' } }, 'id'],
  ['thing_id', { id: { type: 'string' } }, 'id'],
  ['userid', { userid: { type: 'string' }, name: { type: 'string' } }, 'userid'],
  ['userid', { userid: { type: 'string', format: 'uuid' } }, undefined],
  ['id', { id: { type: 'string', format: 'uuid' } }, undefined],
  ['id', { id: { type: 'string', pattern: '^[a-z]+$' } }, undefined],
  ['number', { number: { type: 'string' } }, undefined],
])('finds the number of {%s} in %o', (parameter, properties, expected) => {
  expect(findIdProperty(parameter, { type: 'object', properties })).toBe(expected);
});

it('counts ids in the form that the path takes, where items show any text', () => {
  const item = { type: 'object', properties: { source: { type: 'string' } } };
  const schema = { type: 'string', pattern: '^([A-Z0-9\\_]+)$' };
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/things': { get: ok({ type: 'array', items: item }) },
      '/things/{source}': {
        parameters: [{ name: 'source', in: 'path', required: true, schema }],
        get: ok(item),
      },
    },
  });
  expect(resources[0]?.idSchema).toEqual(schema);
});

it('finds the id in items that are one of several kinds', () => {
  const kind = { type: 'object', properties: { id: { type: 'integer' } } };
  const discriminator = { propertyName: 'kind' };
  expect(findIdProperty('id', { allOf: [{ oneOf: [kind, kind], discriminator }] })).toBe('id');
});

it('takes no id for what a path begins with', () => {
  const item = { type: 'object', properties: { key: { type: 'string' }, id: { type: 'number' } } };
  const named = (...names: string[]) => ({
    parameters: names.map((name) => ({
      ...{ name, in: 'path', required: true },
      schema: { type: 'string' },
    })),
  });
  const { resources } = compile({
    openapi: '3.1.0',
    paths: {
      '/{username}/feeds': { ...named('username'), get: ok({ type: 'array', items: item }) },
      '/{username}/feeds/{feed_key}': { ...named('username', 'feed_key'), get: ok(item) },
    },
  });
  expect(resources[0]?.scope).toEqual([{ parameter: 'username', example: 'demo' }]);
});

it('gives ids the form that the paths of items take, which may have another word than their list', () => {
  const item = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const content = { 'application/json': { schema: item } };
  const id = { name: 'silenceID', in: 'path', required: true };
  const { resources } = compile({
    openapi: '3.1.0',
    components: { schemas: { Silence: item } },
    paths: {
      '/silences': {
        get: ok({ type: 'array', items: { $ref: '#/components/schemas/Silence' } }),
        post: { requestBody: { content }, ...ok({ $ref: '#/components/schemas/Silence' }) },
      },
      '/silence/{silenceID}': {
        parameters: [{ ...id, schema: { type: 'string', format: 'uuid' } }],
        get: ok({ $ref: '#/components/schemas/Silence' }),
      },
    },
  });
  expect(resources.map(({ name, idSchema }) => [name, idSchema])).toEqual([
    ['silences', { type: 'string', format: 'uuid' }],
  ]);
});
