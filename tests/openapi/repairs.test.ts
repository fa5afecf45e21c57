import { expect, it } from 'vitest';
import { parseWhole } from '../../common/parse-text.ts';
import { compile } from '../../openapi/index.ts';
import { mediaTypesOf, textExampleOf } from '../../openapi/model/content.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

const ok = { responses: { 200: { description: 'Fine.' } } };

function read(paths: object, more: object = {}) {
  const { operations, written } = compile(toDocument(paths, more));
  return { operations, warnings: written.warnings };
}

it('reads fields in another case, and keeps the place of what is in them', () => {
  const { operations, warnings } = read({
    '/pets': { GET: { Responses: { 200: { $ref: '#/nowhere' } } } },
  });
  expect(operations).toMatchObject([
    { method: 'GET', path: '/pets', responses: [{ status: '200', contents: [] }] },
  ]);
  expect(warnings).toEqual([
    {
      pointer: '#/paths/~1pets/GET',
      problem: 'OpenAPI names this field "get"; it is read as that',
    },
    {
      pointer: '#/paths/~1pets/GET/Responses',
      problem: 'OpenAPI names this field "responses"; it is read as that',
    },
    {
      pointer: '#/paths/~1pets/GET/Responses/200/$ref',
      problem: '"#/nowhere" does not exist; the response is read as one without content',
    },
  ]);
});

it.each([
  { swagger: '2.0', produces: 'application/json', parameters: { Limit: { type: 'integer' } } },
  { openapi: '3.0.0', components: { Schemas: {}, parameters: { Limit: { schema: {} } } } },
])('leaves parameters by name where these are components, whatever is beside them: %o', (given) => {
  const {
    parameters: { Limit },
  } = given.components ?? given;
  Object.assign(Limit, { name: 'limit', in: 'query' });
  const place = given.components ? '#/components/parameters' : '#/parameters';
  const get = { parameters: [{ $ref: `${place}/Limit` }], ...ok };
  const info = { title: 'Pets', version: '1' };
  const { operations, written } = compile({ info, ...given, paths: { '/pets': { get } } });
  expect(operations[0]?.parameters).toMatchObject([{ name: 'limit' }]);
  expect(written.warnings).toHaveLength(1);
});

it('reads lists, maps and operations by reference', () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  const item = { type: 'object', properties: { $ref: '#/components/x-own' } };
  const content = { $ref: '#/components/x-contents/pets', 'text/plain': {} };
  const { operations, warnings } = read(
    {
      '/pets': {
        parameters: { $ref: '#/components/x-paging' },
        get: { $ref: '#/components/x-get' },
      },
    },
    {
      components: {
        'x-paging': [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        'x-get': { responses: { $ref: '#/components/x-responses' } },
        'x-responses': { 200: { description: 'Fine.', content } },
        'x-contents': { pets: { 'application/json': { schema: { type: 'array', items: item } } } },
        'x-own': properties,
      },
    },
  );
  expect(operations[0]).toMatchObject({
    parameters: [{ name: 'limit' }],
    responses: [{ contents: [{ mediaType: 'application/json' }, { mediaType: 'text/plain' }] }],
  });
  expect(operations[0]?.responses[0]?.schema).toMatchObject({ items: { properties } });
  expect(warnings).toHaveLength(5);
  expect(new Set(warnings.map(({ problem }) => problem))).toEqual(
    new Set(['OpenAPI has no reference here; it is read as what it refers to']),
  );
});

it('keeps a field that stands beside one in another case', () => {
  const { operations, warnings } = read({ '/pets': { get: ok, GET: {} } });
  expect(operations).toHaveLength(1);
  expect(warnings.map(({ problem }) => problem)).toEqual([
    'OpenAPI has no field "GET" in a path item; it is ignored',
  ]);
});

it.each([
  ['{id}', 'ID'],
  ['{pet_id}', 'petId'],
])('reads %s of a path whose parameter is named %s', (inPath, name) => {
  const parameters = [{ name, in: 'path', required: true, schema: { type: 'integer' } }];
  const components = { parameters: { Shared: parameters[0] } };
  const own = inPath.slice(1, -1);
  for (const one of [
    { parameters, get: ok },
    { get: { ...ok, parameters: [{ $ref: '#/components/parameters/Shared' }] } },
  ]) {
    const { operations, warnings } = read({ [`/pets/${inPath}`]: one }, { components });
    expect(operations[0]?.parameters).toMatchObject([{ name: own, schema: { type: 'integer' } }]);
    expect(warnings.map(({ problem }) => problem)).toEqual([
      `the path has ${inPath}, and no "${name}"; it is read as "${own}"`,
    ]);
  }
});

it('reads media types by their last word', () => {
  const { operations, written } = compile({
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    consumes: ['xml'],
    produces: ['json'],
    paths: {
      '/pets': {
        post: {
          consumes: ['JSON'],
          parameters: [{ name: 'pet', in: 'body', schema: { type: 'object' } }],
          responses: { 200: { description: 'Fine.', schema: { type: 'object' } } },
        },
      },
    },
  });
  expect(operations[0]?.body?.schema).toEqual({ type: 'object' });
  expect(operations[0]?.responses.map(mediaTypesOf)).toEqual([['application/json']]);
  expect(written.warnings).toEqual([
    {
      pointer: '#/consumes/0',
      problem: '"xml" is no media type; it is read as application/xml',
    },
    {
      pointer: '#/produces/0',
      problem: '"json" is no media type; it is read as application/json',
    },
    {
      pointer: '#/paths/~1pets/post/consumes/0',
      problem: '"JSON" is no media type; it is read as application/json',
    },
  ]);
  const inContent = { description: 'Fine.', content: { json: { schema: {} } } };
  const { operations: others, warnings } = read({
    '/pets': { get: { responses: { 200: inContent } } },
  });
  expect(others[0]?.responses.map(mediaTypesOf)).toEqual([['application/json']]);
  expect(warnings).toHaveLength(1);
});

it('reads maps by reference to what holds them, and to parts of another kind', () => {
  const ofAncestor = {
    type: 'object',
    properties: { $ref: '#/components/schemas/Node/properties' },
  };
  const get = { responses: { 200: { description: 'Fine.' } } };
  const { operations, asOpenApi } = compile(
    toDocument(
      {
        '/nodes': { get, parameters: { $ref: '#/paths' } },
        '/pets': { get, put: { $ref: '#/paths' } },
      },
      {
        components: {
          schemas: {
            Node: { type: 'object', properties: { id: { type: 'integer' }, children: ofAncestor } },
            Other: { type: 'object', properties: { $ref: '#/paths' } },
          },
        },
      },
    ),
  );
  expect(operations.map(({ path }) => path)).toEqual(['/nodes', '/pets', '/pets']);
  expect(JSON.stringify(asOpenApi())).toContain(
    '"children":{"$ref":"#/components/schemas/Node/properties/children"}',
  );
});

it('reads media types by references of references and both forms of examples of OpenAPI 3.2', () => {
  const content = { 'application/json': { $ref: '#/components/mediaTypes/Pet' } };
  const xml = {
    'application/xml': { examples: { one: { dataValue: { a: 1 }, serializedValue: '<a/>' } } },
  };
  const { operations, warnings } = read(
    {
      '/pets': {
        post: {
          requestBody: { content },
          responses: {
            201: { description: 'Made.', content },
            202: { description: '', content: xml },
          },
        },
      },
    },
    {
      openapi: '3.2.0',
      components: {
        mediaTypes: {
          Pet: { $ref: '#/components/mediaTypes/Held' },
          Held: {
            schema: { type: 'object' },
            examples: {
              ...{ data: { dataValue: { a: 1 } }, sent: { serializedValue: '{"a":2}' } },
              ...{ none: { dataValue: null }, no: { dataValue: false }, zero: { dataValue: 0 } },
              ...{ empty: { dataValue: '' }, list: { dataValue: [] } },
            },
          },
        },
      },
    },
  );
  const examples = {
    ...{ data: { a: 1 }, sent: { a: 2 }, none: null, no: false, zero: 0, empty: '', list: [] },
  };
  expect(operations[0]?.body).toMatchObject({ schema: { type: 'object' }, examples });
  const [made, other] = operations[0]?.responses ?? [];
  expect(made).toMatchObject({ schema: { type: 'object' }, examples });
  expect(other && textExampleOf(other)).toEqual({ mediaType: 'application/xml', text: '<a/>' });
  expect(warnings).toEqual([]);
});

it('names what it mends of Swagger 2.0 where it was written', () => {
  const schema = { Type: 'object', properties: { name: { type: 'string', required: true } } };
  const items = { type: 'array', items: { type: 'Integer', minimum: 'none' } };
  const parameters = [{ name: 'ids', in: 'query', type: 'array', items }];
  const get = { parameters, responses: { 200: { description: 'Fine.', schema } } };
  const { written } = compile({ swagger: '2.0', info: {}, paths: { '/pets': { get } } });
  expect(written.warnings.map(({ pointer }) => pointer).toSorted()).toEqual([
    '#/paths/~1pets/get/parameters/0/items/items/minimum',
    '#/paths/~1pets/get/parameters/0/items/items/type',
    '#/paths/~1pets/get/responses/200/schema/Type',
    '#/paths/~1pets/get/responses/200/schema/properties/name/required',
  ]);
});

it.each([{ pets: { $ref: null } }, { pets: { schema: { $ref: null } } }])(
  'warns of a $ref that is null, and leaves nothing of it: %j',
  ({ pets }) => {
    const described = 'schema' in pets ? jsonOf(pets.schema) : pets;
    const { warnings } = read({ '/pets': { get: { responses: { 200: described } } } });
    expect(warnings.map(({ problem }) => problem)).toEqual(['$ref is no text and is ignored']);
  },
);

it.each([
  ['JSON', '{"a": {"x/y": 1, "b\\\\": "\\": ", "x/y": [2]}}', { a: { 'x/y': [2], 'b\\': '": ' } }],
  ['YAML', 'a:\n  x/y: 1\n  b: 2\n  x/y: [2]\n', { a: { 'x/y': [2], b: 2 } }],
])('names a key that an object of %s has twice, and reads the last one', (_, text, value) => {
  const repeats: string[] = [];
  expect(parseWhole(text, (pointer) => repeats.push(pointer)).value).toEqual(value);
  expect(repeats).toEqual(['/a/x~1y']);
});

it('takes no key for a repeated one that merges bring in', () => {
  const text = 'base: &b {a: 1}\none: {<<: *b, a: 3}\ntwo: {a: 4, <<: *b}\n';
  const repeats: string[] = [];
  expect(parseWhole(text, (pointer) => repeats.push(pointer)).value).toEqual({
    base: { a: 1 },
    one: { a: 3 },
    two: { a: 4 },
  });
  expect(repeats).toEqual([]);
});

it('finds callbacks by reference', () => {
  const callbacks = { done: { $ref: '#/components/callbacks/Done' } };
  const Done = { '{$request.body#/to}': { post: { requestBody: jsonOf({}), ...ok } } };
  const paths = { '/jobs': { post: { callbacks, ...ok } } };
  const document = compile(toDocument(paths, { components: { callbacks: { Done } } }));
  const [call, ...more] = document.schemas.serviceCallsOf(document.operations);
  expect([call?.callback?.url, more]).toEqual(['{$request.body#/to}', []]);
  expect(document.written.warnings).toEqual([]);
});

it('says nothing of parameters side by side between which their styles put a text', () => {
  const inPath = (name: string, style: string) =>
    ({ name, style, in: 'path', required: true, schema: { type: 'string' } }) as const;
  const parameters = [inPath('a', 'simple'), inPath('b', 'label')];
  const { operations, warnings } = read({ '/x/{a}{b}': { get: { parameters, ...ok } } });
  expect([operations[0]?.path, warnings]).toEqual(['/x/{a}.{b}', []]);
});
