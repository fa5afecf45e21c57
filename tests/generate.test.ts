import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { describeSchema, indexDocument, type Schema, standalone } from '../contracts/document.ts';
import { generateItems, type Item } from '../fixtures/generate.ts';

/** Items of a collection `/things` whose items have these properties, and what is wrong with them. */
function generate(properties: Record<string, Schema>, { required = Object.keys(properties), count = 60, seed = 1 } = {}) {
  const items = { type: 'object', required, properties: { id: { type: 'integer' }, ...properties } };
  const content = { 'application/json': { schema: { type: 'array', items } } };
  const document = indexDocument({
    openapi: '3.1.0',
    paths: { '/things': { get: { responses: { 200: { description: '', content } } } } },
    components: { schemas: { Size: { type: 'string', enum: ['small', 'large'] }, Tree: tree } },
  });
  const resource = document.resources[0];
  if (!resource) throw new Error('There is no resource');
  const made: Item[] = generateItems(resource, { count, seed, describe: (schema) => describeSchema(document, schema) });
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(standalone(document, items));
  const problems = made.filter((item) => !validate(item)).map((item) => JSON.stringify(item));
  return { made, problems };
}

function valuesOf(schema: Schema, name = 'value'): unknown[] {
  const { made, problems } = generate({ [name]: schema });
  expect(problems).toEqual([]);
  return made.map((item) => item[name]);
}

const tree: Schema = {
  type: 'object',
  required: ['label', 'children'],
  properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
};

describe('makes values that fit', () => {
  it.each<[string, Schema]>([
    ['a number of bounds', { type: 'integer', minimum: 3, maximum: 5 }],
    ['a largest number alone', { type: 'integer', maximum: 0 }],
    ['a smallest number alone', { type: 'integer', minimum: -7 }],
    ['bounds that are excluded', { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 }],
    ['a multiple', { type: 'integer', minimum: 1, multipleOf: 25 }],
    ['the bounds of an int64', { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 }],
    ['a decimal number', { type: 'number' }],
    ['a narrow range', { type: 'number', minimum: 0.001, maximum: 0.002 }],
    ['a range whose ends are excluded', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['a largest decimal number alone', { type: 'number', maximum: -1 }],
    ['a multiple of a quarter', { type: 'number', minimum: 0, maximum: 2, multipleOf: 0.25 }],
    ['a boolean', { type: 'boolean' }],
    ['an enum', { enum: ['a', 2, null] }],
    ['an enum behind a $ref', { $ref: '#/components/schemas/Size' }],
    ['an enum inside an allOf', { description: 'How big.', allOf: [{ $ref: '#/components/schemas/Size' }] }],
    ['a const', { const: 'fixed' }],
    ['a nullable number', { type: ['null', 'integer'] }],
    ['an alternative', { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 50, maximum: 60 }] }],
    ['null', { type: 'null' }],
    ['anything', {}],
    ['a text that is long enough', { type: 'string', minLength: 30 }],
    ['a text that is short enough', { type: 'string', maxLength: 2 }],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' }],
    ['a pattern of shorthands', { type: 'string', pattern: '^\\d{3}\\.[\\d-]{2}\\w$' }],
    ['a pattern of alternatives', { type: 'string', pattern: '^(cat|dog)_\\d+$' }],
    ['a pattern that only its example fits', { type: 'string', pattern: '^(?=.*z)[a-y]+z$', examples: ['abcz'] }],
    ['a list of at least so many', { type: 'array', minItems: 3, items: { type: 'boolean' } }],
    ['a list of at most none', { type: 'array', maxItems: 0, items: { type: 'boolean' } }],
    [
      'a list without repeats',
      { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'integer', minimum: 1, maximum: 9 } },
    ],
    ['a list of anything', { type: 'array' }],
    [
      'an object in an object',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'object', required: ['b'], properties: { b: { const: 1 } } } },
      },
    ],
    ['a schema that holds itself', { $ref: '#/components/schemas/Tree' }],
  ])('%s', (_, schema) => {
    expect(valuesOf(schema)).toHaveLength(60);
  });

  it('a property that may be anything', () => {
    expect(generate({ value: true as unknown as Schema }).problems).toEqual([]);
  });
});

it.each([
  ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['email', /^\S+@\S+\.\w+$/],
  ['uri', /^https?:\/\/\S+$/],
  ['hostname', /^[a-z0-9-]+(\.[a-z0-9-]+)+$/],
  ['ipv4', /^\d+\.\d+\.\d+\.\d+$/],
  ['ipv6', /^[0-9a-f]+(:[0-9a-f]+){7}$/],
  ['date', /^202[0-4]-\d\d-\d\d$/],
  ['time', /^\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['date-time', /^202[0-4]-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
])('writes a %s as its format asks', (format, expected) => {
  for (const value of valuesOf({ type: 'string', format })) expect(value).toMatch(expected);
});

it('reaches both ends of a range and every value of an enum', () => {
  expect(new Set(valuesOf({ type: 'integer', minimum: 3, maximum: 5 }))).toEqual(new Set([3, 4, 5]));
  expect(new Set(valuesOf({ $ref: '#/components/schemas/Size' }))).toEqual(new Set(['small', 'large']));
});

it('words a text by its name', () => {
  for (const value of valuesOf({ type: 'string' }, 'email')) expect(value).toContain('@');
});

it('leaves an optional property out now and then, and a required one never', () => {
  const { made } = generate({ must: { type: 'boolean' }, may: { type: 'boolean' } }, { required: ['must'], count: 500 });
  const without = made.filter((item) => !('may' in item)).length;
  expect(without).toBeGreaterThan(20);
  expect(without).toBeLessThan(90);
  expect(made.every((item) => 'must' in item)).toBe(true);
});

it('makes the same items for the same seed', () => {
  const properties = { name: { type: 'string' }, when: { type: 'string', format: 'date-time' }, size: { type: 'number' } };
  const one = generate(properties, { seed: 7 }).made;
  expect(generate(properties, { seed: 7 }).made).toEqual(one);
  expect(generate(properties, { seed: 8 }).made).not.toEqual(one);
});
