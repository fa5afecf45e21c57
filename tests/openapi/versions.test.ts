import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { mediaTypesOf } from '../../openapi/model/content.ts';
import { jsonOf } from '../support/serve-document.ts';

/** A document of OpenAPI 3.0 whose `POST /things` takes a schema. */
function taking(schema: object, others: object = {}) {
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        post: {
          requestBody: jsonOf(schema),
          responses: { 201: { description: 'Made.' } },
        },
      },
    },
    ...others,
  };
}

it.each([
  [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    { nullable: true, allOf: [{ type: 'string' }] },
    { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
  ],
  [
    { nullable: true, oneOf: [{ type: 'object' }], discriminator: { propertyName: 'a' } },
    {
      anyOf: [
        { oneOf: [{ type: 'object' }], discriminator: { propertyName: 'a' } },
        { type: 'null' },
      ],
    },
  ],
  [
    { type: 'object', nullable: true, allOf: [{ required: ['a'] }] },
    { type: ['object', 'null'], anyOf: [{ allOf: [{ required: ['a'] }] }, { type: 'null' }] },
  ],
  [
    { $ref: '#/components/schemas/A', nullable: true, description: 'May be none.' },
    {
      description: 'May be none.',
      anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }],
    },
  ],
  [{ $ref: '#/components/schemas/A', maxLength: 3 }, { $ref: '#/components/schemas/A' }],
  [
    { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { exclusiveMinimum: 1, maximum: 9 },
  ],
  [
    { properties: { nullable: { type: 'string', nullable: true } } },
    { properties: { nullable: { type: ['string', 'null'] } } },
  ],
  [{ example: { nullable: true } }, { example: { nullable: true } }],
])('reads the schema %j of 3.0 as %j', (schema, expected) => {
  const given = taking(schema, { components: { schemas: { A: { type: 'string' } } } });
  const before = structuredClone(given);
  const { operations, written } = compile(given);
  expect(operations[0]?.body?.schema).toEqual(expected);
  expect(written).toMatchObject({ version: '3.0.3', warnings: [] });
  expect(given).toEqual(before);
});

it('reads a version without quotes, which is a number of YAML', () => {
  const given = { ...taking({ type: 'string', nullable: true }), openapi: 3 };
  const { operations, written } = compile(given);
  expect(operations[0]?.body?.schema).toEqual({ type: ['string', 'null'] });
  expect(written).toMatchObject({ version: '3.0', warnings: [] });
});

it('gives places of a document of 3.0 as they were written', () => {
  const inner = { nullable: true, allOf: [{ pattern: '[' }] };
  const { written } = compile(taking({ nullable: true, anyOf: [{ properties: { inner } }] }));
  const schema = '#/paths/~1things/post/requestBody/content/application~1json/schema';
  expect(written.warnings.map(({ pointer }) => pointer)).toEqual([
    `${schema}/anyOf/0/properties/inner/allOf/0/pattern`,
  ]);
});

const swagger = {
  swagger: '2.0',
  info: { title: 'Things', version: '1' },
  host: 'api.example.com',
  basePath: '/v2',
  schemes: ['http'],
  consumes: ['application/json', 'application/xml'],
  produces: ['application/json'],
  securityDefinitions: {
    Basic: { type: 'basic' },
    Login: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://example.com/a',
      tokenUrl: 'https://example.com/t',
      scopes: { read: 'Read.' },
    },
  },
  definitions: {
    Thing: {
      type: 'object',
      required: ['name'],
      properties: { id: { type: 'integer' }, name: { type: 'string', 'x-nullable': true } },
    },
  },
  parameters: {
    Body: { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
    Size: { name: 'limit', in: 'query', type: 'integer', minimum: 1, maximum: 9 },
  },
  responses: { Wrong: { description: 'Wrong.', schema: { type: 'string' } } },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { $ref: '#/parameters/Size' },
          {
            name: 'tags',
            in: 'query',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'pipes',
          },
        ],
        responses: {
          200: {
            description: 'All.',
            schema: { type: 'array', items: { $ref: '#/definitions/Thing' } },
            examples: { 'application/json': [{ id: 1, name: 'Lamp' }] },
            headers: { 'X-Count': { type: 'integer' } },
          },
          default: { $ref: '#/responses/Wrong' },
        },
      },
      post: {
        operationId: 'createThing',
        parameters: [{ $ref: '#/parameters/Body' }],
        responses: { 201: { description: 'Made.', schema: { $ref: '#/definitions/Thing' } } },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'integer' }],
      get: {
        operationId: 'getThing',
        responses: { 200: { description: 'One.', schema: { $ref: '#/definitions/Thing' } } },
      },
    },
    '/files': {
      post: {
        operationId: 'sendFile',
        parameters: [
          { name: 'file', in: 'formData', type: 'file', required: true },
          { name: 'note', in: 'formData', type: 'string' },
        ],
        responses: { 204: { description: 'Taken.' } },
      },
    },
  },
};

it('reads Swagger 2.0', () => {
  const { operations, resources, basePath, asOpenApi, written } = compile(swagger);
  expect(written).toMatchObject({ version: '2.0', warnings: [] });
  expect([basePath, asOpenApi().servers]).toEqual(['/v2', [{ url: 'http://api.example.com/v2' }]]);
  expect(resources).toMatchObject([
    {
      name: 'things',
      idProperty: 'id',
      operations: { list: { listRules: { pageSize: { name: 'limit', min: 1, max: 9 } } } },
    },
  ]);
  const [list, create, read, send] = ['listThings', 'createThing', 'getThing', 'sendFile'].map(
    (id) => operations.find((operation) => operation.id === id),
  );
  expect(list).toMatchObject({ kind: 'list', parameters: [{ name: 'limit' }, { name: 'tags' }] });
  expect(list?.responses.map(({ status }) => status)).toEqual(['200', 'default']);
  expect(list?.responses[0]).toMatchObject({
    examples: { example: [{ id: 1, name: 'Lamp' }] },
    headers: { 'X-Count': { schema: { type: 'integer' } } },
  });
  expect(create).toMatchObject({
    kind: 'create',
    body: { required: true, schemaName: 'Thing' },
    parameters: [],
  });
  expect(read).toMatchObject({
    kind: 'read',
    parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }],
  });
  expect(asOpenApi().components.schemas.Thing.properties.name.type).toEqual(['string', 'null']);
  expect(asOpenApi().components.securitySchemes).toMatchObject({
    Basic: { type: 'http', scheme: 'basic' },
    Login: { flows: { authorizationCode: { scopes: { read: 'Read.' } } } },
  });
  expect(send?.id).toBe('sendFile');
  expect(
    asOpenApi().paths['/files'].post.requestBody.content['multipart/form-data'].schema,
  ).toEqual({
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' }, note: { type: 'string' } },
    required: ['file'],
  });
});

it('gives a shared response of Swagger the media types of each operation', () => {
  // As an alias of YAML, one object stands in several operations.
  const responses = { default: { $ref: '#/responses/Failed' } };
  const inline = { default: { description: 'Wrong.', schema: { type: 'string' } } };
  const { operations, written } = compile({
    ...swagger,
    responses: {
      Failed: { $ref: '#/responses/Wrong' },
      Wrong: { description: 'Wrong.', schema: { type: 'string', pattern: '[' } },
    },
    paths: {
      '/plain': { get: { responses } },
      '/text': { get: { produces: ['text/plain'], responses } },
      '/both': { get: { produces: ['text/csv', 'text/html'], responses } },
      '/inline': { get: { responses: inline } },
      '/inline/text': { get: { produces: ['text/plain'], responses: inline } },
      '/again': { get: { responses: { 400: { $ref: '#/paths/~1text/get/responses/default' } } } },
    },
  });
  const types = operations.map(({ responses: [one] }) => one && mediaTypesOf(one));
  expect(types).toEqual([
    ['application/json'],
    ['text/plain'],
    ['text/csv', 'text/html'],
    ['application/json'],
    ['text/plain'],
    ['application/json'],
  ]);
  const pointers = written.warnings.map(({ pointer }) => pointer);
  expect(new Set(pointers)).toEqual(new Set(['#/responses/Wrong/schema/pattern']));
});

it.each([
  ['2.0', { swagger: '2.0' }, { type: 'string' }],
  ['3.1', { openapi: '3.1.0' }, { schema: { type: 'string' } }],
])(
  'reads equal parameters and responses of %s once, and tells their places apart',
  (...[, version, type]) => {
    const query = () => ({ name: 'q', in: 'query', ...type });
    const responses = () => ({ 200: { description: 'Fine.' } });
    const body = { name: 'body', in: 'body', schema: {} };
    const first = 'swagger' in version ? [body] : [query()];
    const { written, asOpenApi } = compile({
      ...version,
      info: { title: 'Things', version: '1' },
      paths: {
        '/a': { get: { parameters: [query()], responses: responses() } },
        '/b': { post: { parameters: [...first, query(), query()], responses: responses() } },
      },
    });
    const { '/a': a, '/b': b } = asOpenApi().paths;
    expect(b.post.parameters[0]).toBe(a.get.parameters[0]);
    expect(b.post.responses[200]).toBe(a.get.responses[200]);
    const pointers = written.warnings.map(({ pointer }) => pointer);
    expect(pointers).toContain('#/paths/~1b/post/parameters/2');
    expect(written.toPointer('/paths/~1b/post/parameters/0')).toBe(
      `#/paths/~1b/post/parameters/${first[0] === body ? 1 : 0}`,
    );
  },
);

it('gives places of a Swagger document as they were written', () => {
  const bad = () => ({ type: 'string', pattern: '[' });
  const { paths } = swagger;
  const { written } = compile({
    ...swagger,
    definitions: { Thing: { properties: { name: bad() } } },
    paths: {
      '/a': {
        post: {
          parameters: [
            { name: 'body', in: 'body', schema: { properties: { size: bad() } } },
            { name: 'q', in: 'query', ...bad() },
          ],
          responses: { 200: { description: 'Fine.', schema: bad() } },
        },
      },
      '/b': { get: { responses: { 200: { description: 'Fine.', headers: { 'X-A': bad() } } } } },
      '/files': {
        post: { ...paths['/files'].post, parameters: [{ name: 'a', in: 'formData', ...bad() }] },
      },
    },
  });
  expect(written.warnings.map(({ pointer }) => pointer).toSorted()).toEqual([
    '#/definitions/Thing/properties/name/pattern',
    '#/paths/~1a/post/parameters/0/schema/properties/size/pattern',
    '#/paths/~1a/post/parameters/1/pattern',
    '#/paths/~1a/post/responses/200/schema/pattern',
    '#/paths/~1b/get/responses/200/headers/X-A/pattern',
    '#/paths/~1files/post/parameters/0/pattern',
  ]);
});

it('reads what is new in 3.2', () => {
  const responses = { 200: { description: 'Fine.' } };
  const { operations, written } = compile({
    openapi: '3.2.0',
    paths: {
      '/a': {
        query: { operationId: 'queryA', responses },
        additionalOperations: {
          COPY: { operationId: 'copyA', responses },
          GLANCE: { operationId: 'glanceA', responses },
        },
        get: {
          operationId: 'getA',
          parameters: [
            { name: 'all', in: 'querystring', content: { 'application/json': { schema: {} } } },
          ],
          responses: {
            200: {
              description: 'Lines.',
              content: { 'application/jsonl': { itemSchema: { type: 'object' } } },
            },
          },
        },
      },
    },
  });
  expect(operations.map(({ id, method }) => `${method} ${id}`)).toEqual([
    'GET getA',
    'QUERY queryA',
    'COPY copyA',
  ]);
  expect(written.warnings).toEqual([
    {
      pointer: '#/paths/~1a/additionalOperations/GLANCE',
      problem: 'Node serves no such method; it is left out',
    },
  ]);
});

it('follows names of schemas, and takes none out of an example', () => {
  const { asOpenApi, written } = compile({
    openapi: '3.1.0',
    paths: {
      '/a': {
        get: {
          responses: {
            200: jsonOf({
              anyOf: [{ $ref: 'https://example.com/thing' }, { $ref: '#small' }],
              examples: [{ $id: 'https://example.com/thing', $ref: '#/gone' }],
            }),
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: { $id: 'https://example.com/thing', properties: { a: { $anchor: 'small' } } },
      },
    },
  });
  expect(written.warnings).toEqual([]);
  const { schema } = asOpenApi().paths['/a'].get.responses[200].content['application/json'];
  expect(schema).toEqual({
    anyOf: [
      { $ref: '#/components/schemas/Thing' },
      { $ref: '#/components/schemas/Thing/properties/a' },
    ],
    examples: [{ $id: 'https://example.com/thing', $ref: '#/gone' }],
  });
  expect(asOpenApi().components.schemas.Thing).toEqual({ properties: { a: {} } });
});

it('follows names relative to the schema that they stand in, and dynamic ones to what extends it', () => {
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const to = (name: string, keyword = '$ref') => ({ properties: { a: { [keyword]: name } } });
  const { asOpenApi, written } = compile({
    openapi: '3.1.0',
    paths: { '/a': { get: { responses: { 200: jsonOf(at('One')) } } } },
    components: {
      schemas: {
        One: {
          $id: 'https://a.example/s/one',
          ...to('#small'),
          $defs: { b: { $anchor: 'small' } },
        },
        Two: {
          $id: 'https://a.example/s/two',
          ...to('#small'),
          $defs: { c: { $anchor: 'small' } },
        },
        Three: { $id: 'https://a.example/s/three', ...to('one#small') },
        Tree: { $id: 'https://a.example/tree', $dynamicAnchor: 'n', ...to('#n', '$dynamicRef') },
        Named: {
          $id: 'https://a.example/named',
          $dynamicAnchor: 'n',
          $ref: 'tree',
          required: ['b'],
        },
      },
    },
  });
  expect(written.warnings).toEqual([]);
  const { schemas } = asOpenApi().components;
  expect([schemas.One, schemas.Two, schemas.Three].map(({ properties }) => properties.a)).toEqual([
    at('One/$defs/b'),
    at('Two/$defs/c'),
    at('One/$defs/b'),
  ]);
  expect(schemas.Tree.properties.a).toEqual(at('Tree'));
  expect(schemas.Named.allOf).toEqual([{ properties: { a: at('Named') } }]);
});
