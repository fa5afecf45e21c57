import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseText, parseWhole } from '../../common/parse-text.ts';
import { compile } from '../../openapi/index.ts';
import { makeFolder } from '../support/make-folder.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

const ok = { 200: { description: 'Fine.' } };
const text = { type: 'string' };
const whole = { type: 'integer' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Compiles a document of 3.1 with one GET, and these components. */
function compiled(operation: object, components: object, path = '/p/{id}') {
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const item = { parameters: path.includes('{id}') ? [id] : [], get: operation };
  return compile(toDocument({ [path]: item }, { components }));
}

it('reads what stands beside a reference after what it leads to was mended', () => {
  const { operations } = compiled(
    { parameters: [{ $ref: '#/components/parameters/Q', required: true }], responses: ok },
    { parameters: { Q: { name: 'q', in: 'Query', type: 'integer' } } },
  );
  expect(operations[0]?.parameters).toMatchObject([
    { name: 'q', in: 'query', required: true, schema: whole },
    { name: 'id' },
  ]);
  const items = { P: { parameters: 5, get: { responses: ok }, post: 'x' } };
  const item = { $ref: '#/components/pathItems/P', servers: [{ url: '/v2' }] };
  const { operations: ofItem } = compile(
    toDocument({ '/p': item }, { components: { pathItems: items } }),
  );
  expect(ofItem.map(({ method }) => method)).toEqual(['GET']);
});

it('reads parts of other files, and what stands beside the references to them', async () => {
  const folder = makeFolder();
  const write = (name: string, content: unknown) =>
    writeFile(join(folder, name), JSON.stringify(content));
  const id = { name: 'id', in: 'path', required: true, schema: text };
  await write('item.json', {
    get: { parameters: [{ name: 'a', in: 'query', type: 'integer' }, 5] },
  });
  await write('base.json', { type: 'object', properties: { a: { type: 'string', format: 5 } } });
  const beside = { properties: { b: { $ref: '#/components/schemas/S/$defs/base' } } };
  await write(
    'api.json',
    toDocument(
      { '/p/{id}': { $ref: './item.json', parameters: [id] }, '/q': { $ref: './item.json' } },
      {
        components: {
          schemas: { S: { $ref: './base.json', ...beside, $defs: { base: whole } } },
        },
      },
    ),
  );
  const { operations, schemas, written } = await compile(join(folder, 'api.json'));
  expect(operations.map(({ parameters }) => parameters.map(({ name }) => name))).toEqual([
    ['a', 'id'],
    ['a'],
  ]);
  const { properties } = schemas.flatten(ref('S'));
  expect(schemas.resolve(properties.b ?? {})).toEqual(whole);
  expect(properties).toMatchObject({ a: { type: 'string' } });
  expect(written.warnings.map(({ problem }) => problem)).toContain('it is no text and is ignored');
});

it('takes no part of OpenAPI 3.2 for unknown', () => {
  const encoding = { a: { encoding: { b: {} }, prefixEncoding: [{}], itemEncoding: {} } };
  const content = { 'multipart/form-data': { schema: {}, encoding } };
  const { warnings } = compile({
    ...(toDocument({ '/p': { post: { requestBody: { content }, responses: ok } } }) as object),
    openapi: '3.2.0',
  }).written;
  expect(warnings).toEqual([]);
});

it.each([
  ['/v1/{book}/pages/{book.page}', ['book', 'book.page'], '/v1/{book}/pages/{book.page}'],
  ['/v1/{id:[0-9]{4}}', ['id'], '/v1/{id}'],
  ['/v1/{id:[0-9]{2,4}}/x/:name', ['id', 'name'], '/v1/{id}/x/{name}'],
])('reads the path %s', (path, names, expected) => {
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: text }));
  const { operations } = compile(toDocument({ [path]: { get: { parameters, responses: ok } } }));
  expect(operations).toMatchObject([
    { path: expected, parameters: names.map((name) => ({ name, in: 'path' })) },
  ]);
});

it('takes no text for a list of what is required, and no name for a flag', () => {
  const flag = { type: 'object', properties: { true: {} }, required: ['true'] };
  const { schemas } = compiled(
    { responses: ok },
    {
      schemas: {
        A: { type: 'object', required: 'true', properties: { a: text } },
        B: { type: 'object', properties: { f: flag, g: { ...text, required: true } } },
      },
    },
  );
  expect(schemas.flatten(ref('A')).required).toEqual([]);
  const { required, properties } = schemas.flatten(ref('B'));
  expect([required, properties.f]).toEqual([['g'], flag]);
});

it('repairs what Swagger 2.0 defines for all', () => {
  const { operations, schemas } = compile({
    swagger: '2.0',
    info: { title: 'A', version: '1' },
    paths: {
      '/p': {
        get: {
          produces: ['json'],
          parameters: [{ $ref: '#/parameters/L' }],
          responses: {
            200: { description: 'A', schema: { type: 'object' }, examples: { json: { a: 1 } } },
          },
        },
      },
    },
    parameters: { L: { name: 'l', In: 'query', type: 'integer' } },
    definitions: { Pet: { properties: { name: { type: 'string', required: true } } } },
  });
  expect(operations[0]?.parameters).toMatchObject([{ name: 'l', in: 'query' }]);
  expect(operations[0]?.responses[0]?.contents).toMatchObject([
    { mediaType: 'application/json', examples: { example: { a: 1 } } },
  ]);
  expect(schemas.flatten(ref('Pet')).required).toEqual(['name']);
});

it('loses nothing where two fields have the same meaning', () => {
  const content = { 'application/json': { schema: text }, json: { schema: { type: 'object' } } };
  const { operations } = compile(
    toDocument({
      '/p': {
        GET: { operationId: 'first', responses: { 200: { description: 'A', content } } },
        Get: { operationId: 'second', responses: ok },
      },
    }),
  );
  expect(operations).toMatchObject([
    { id: 'first', responses: [{ contents: [{ mediaType: 'application/json', schema: text }] }] },
  ]);
});

it('keeps oneOf of alternatives that differ beside their references', () => {
  const of = (name: string) => ({ ...ref('A'), required: [name] });
  const { schemas } = compiled(
    { responses: { 200: jsonOf(ref('B')) } },
    { schemas: { A: { type: 'object' }, B: { oneOf: [of('x'), of('y')] } } },
  );
  expect(schemas.resolve(ref('B'))).toHaveProperty('oneOf');
});

it('merges what stands beside a reference without losing a keyword of either', () => {
  const needs = (name: string) => ({ properties: { [name]: text } });
  const { schemas } = compiled(
    { responses: ok },
    {
      schemas: {
        A: { dependentSchemas: { a: needs('x') } },
        B: { ...ref('A'), dependentSchemas: { b: needs('y') } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        C: { if: needs('a'), then: needs('c') },
        D: { ...ref('C'), if: needs('b'), else: needs('d') },
      },
    },
  );
  expect(Object.keys(schemas.flatten(ref('B')).properties).toSorted()).toEqual(['x', 'y']);
  const { if: condition, then } = schemas.resolve(ref('D'));
  expect([condition, then]).toEqual([needs('b'), undefined]);
});

it('reads examples that are the value itself', () => {
  const examples = {
    a: { id: 1 },
    b: [1, 2],
    c: 'text',
    d: { id: 1, description: 'x' },
    e: { summary: 'told', value: { id: 3 } },
  };
  const { operations } = compile(
    toDocument({ '/p': { get: { responses: { 200: jsonOf({}, { examples }) } } } }),
  );
  expect(operations[0]?.responses[0]?.contents[0]?.examples).toEqual({
    ...examples,
    e: { id: 3 },
  });
});

it.each([
  [
    { ...text, example: 12345, default: true },
    { example: '12345', default: 'true' },
  ],
  [{ type: ['string', 'null'], enum: [1.5, 'b', null] }, { enum: ['1.5', 'b', null] }],
  [
    { ...whole, examples: ['5'], default: '5.0' },
    { examples: [5], default: '5.0' },
  ],
  [
    { type: 'boolean', default: 'false', example: 'no' },
    { default: false, example: 'no' },
  ],
  [{ type: ['string', 'integer'], example: 5 }, { example: 5 }],
  [{ type: 'array', example: [5] }, { example: [5] }],
])('reads values of another type as what the type of %j means', (schema, read) => {
  const document = compile(toDocument({ '/p': { get: { responses: { 200: jsonOf(schema) } } } }));
  expect(document.operations[0]?.responses[0]?.schema).toMatchObject(read);
});

it.each([
  [{ schemas: { A: { $id: 'x', ...ref('B'), $defs: { a: null } }, B: text } }, {}],
  [{ schemas: { A: { $ref: 'a#/b' } } }, { $self: 'http://[' }],
])('warns of %j, and does not refuse it', (components, more) => {
  const document = toDocument({ '/p': { get: { responses: ok } } }, { components, ...more });
  expect(compile(document).operations).toHaveLength(1);
});

it('reads tabs that indent, and no others, as spaces', () => {
  expect(parseText('a:\n\tb: "x\ty"\n')).toEqual({ a: { b: 'x\ty' } });
});

it('refuses aliases without end before it looks for keys given twice', () => {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`,
  );
  const source = ['l0: &l0 [1]', ...levels, 'x: 1', 'x: 2'].join('\n');
  expect(() => parseWhole(source, () => {})).toThrow('its aliases repeat more than');
  expect(() => parseWhole('a: &a [*a]\nx: 1\nx: 2', () => {})).toThrow('an alias contains itself');
});

it.each([
  ['/j/:id', '/j/{id}', ['id']],
  ['/j/:id/k/:own_id', '/j/{id}/k/{own_id}', ['id', 'own_id']],
  ['/j/<id>', '/j/{id}', ['id']],
  ['/j/<int:id>.json', '/j/{id}.json', ['id']],
  ['/j/{id:[0-9]+}', '/j/{id}', ['id']],
  ['/j/{id}/:own', '/j/{id}/{own}', ['id', 'own']],
])('reads %s, whose parameters nothing describes, as %s with warnings', (path, read, names) => {
  const { operations, written } = compile(toDocument({ [path]: { get: { responses: ok } } }));
  const [operation] = operations;
  expect(operation?.path).toBe(read);
  expect(operation?.parameters.map(({ name }) => name).toSorted()).toEqual(names);
  expect(written.warnings.map(({ problem }) => problem)).toEqual([
    `it is read as "${read}"`,
    ...names.map((name) => `no parameter describes {${name}}; it may be any text`),
  ]);
});

it.each(['/j/{id}:cancel', '/j:batch', '/j/a:b', '/j/:batch.get', '/j/12:30'])(
  'leaves %s as it is',
  (path) => {
    const id = { name: 'id', in: 'path', required: true, schema: text };
    const parameters = path.includes('{') ? [id] : [];
    const { operations, written } = compile(
      toDocument({ [path]: { get: { parameters, responses: ok } } }),
    );
    expect([operations[0]?.path, written.warnings]).toEqual([path, []]);
  },
);

it('reads an object in the place of a list as the only item of it, where it is an example', () => {
  const rex = { name: 'Rex' };
  const pets = { type: 'array', items: { properties: { name: text } } };
  const shown = (schema: object, more = {}) =>
    compiled({ responses: { 200: { description: '', ...jsonOf(schema, more) } } }, {}).operations[0]
      ?.responses[0];
  expect(shown(pets, { example: rex })?.examples).toEqual({ example: [rex] });
  expect(shown(pets, { examples: { a: { value: JSON.stringify(rex) } } })?.examples).toEqual({
    a: [rex],
  });
  expect(shown({ ...pets, example: rex })?.schema).toMatchObject({ example: [rex] });
  expect(shown({ ...pets, default: [rex] })?.schema).toMatchObject({ default: [rex] });
  expect(shown({ ...pets, examples: [[rex]] })?.schema).toMatchObject({ examples: [[rex]] });
  expect(shown({ type: ['array', 'object'] }, { example: rex })?.examples).toEqual({
    example: rex,
  });
});
