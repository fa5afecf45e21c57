import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMakeFitting } from '../../../mock/json/make-fitting.ts';
import { compile, type Schema } from '../../../openapi/index.ts';

const document = compile({ openapi: '3.1.0', paths: {} });
const makeFitting = createMakeFitting(document, 'writeOnly');

function make(schema: Schema, seed: number) {
  const made = makeFitting(schema, { seed, own: false });
  return { problems: made ? made.problems : 'none made', value: JSON.parse(made?.text ?? 'null') };
}

const text = { type: 'string' };
const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));

describe('makes a value of', () => {
  it.each<[string, Schema]>([
    ['a pattern of one length', { ...text, pattern: '^[0-9a-f]+$', minLength: 64, maxLength: 64 }],
    ['a pattern of parts', { ...text, pattern: '^[A-Z]{1,3}-(\\d+|x)$', minLength: 40 }],
    ['a pattern of groups', { ...text, pattern: '^([a-z]+-)*[a-z]+$', minLength: 90 }],
    ['a pattern and few characters', { ...text, pattern: '^(abcdef|[a-z]+)\\d*$', maxLength: 2 }],
    ['a pattern that a text may go on after', { ...text, pattern: '^sk_', minLength: 30 }],
    ['a pattern that is somewhere', { ...text, pattern: '\\d\\.$', minLength: 30 }],
    ['a password', { ...text, pattern: '^(?=.*[a-z])(?=.*\\d)(?=.*[@$!])[A-Za-z\\d@$!]{8,}$' }],
    ['needless escapes', { ...text, pattern: '^\\-?[0-9]+\\@[\\w-.]+$' }],
    ['a pattern of a format', { ...text, format: 'date-time', pattern: '^\\S{19}Z$' }],
    ['a pattern of the beginning', { ...text, format: 'ipv4', pattern: '^10\\.' }],
    ['a pattern of the end', { ...text, format: 'hostname', pattern: '\\.example\\.com$' }],
    ['a short time', { ...text, format: 'date-time', maxLength: 20 }],
    ['a short pattern', { ...text, format: 'uri', pattern: '^https', maxLength: 14 }],
    ['a pattern of a year', { ...text, format: 'date', pattern: '^1999-' }],
    ['names', { minProperties: 2, propertyNames: { pattern: '^[a-z]{3}$' } }],
    ['few names', { minProperties: 3, propertyNames: { enum: ['a', 'b', 'c'] } }],
    [
      'patterns of names',
      {
        patternProperties: { '^x-[a-z]{2}$': { type: 'integer' }, '^y': text },
        additionalProperties: false,
        minProperties: 4,
      },
    ],
    [
      'a name of a pattern',
      { required: ['x-a'], patternProperties: { '^x-': { type: 'boolean' } } },
    ],
    ['what a list contains', { type: 'array', contains: { const: 7 }, items: { minimum: 3 } }],
    [
      'how often a list contains it',
      { type: 'array', contains: { type: 'integer', minimum: 5 }, minContains: 3 },
    ],
    [
      'what comes with a property',
      {
        required: ['a'],
        properties: named('a', 'b', 'c'),
        dependentRequired: { a: ['b'], b: ['c'] },
      },
    ],
    [
      'what comes with a property below',
      {
        properties: {
          x: { required: ['a'], dependentRequired: { a: ['b'] }, properties: named('a') },
        },
        required: ['x'],
      },
    ],
    ['no property of a name', { properties: named('a', 'b'), not: { required: ['b'] } }],
    ['no two together', { properties: named('a', 'b', 'c'), not: { required: ['a', 'b'] } }],
    [
      'one of the properties',
      {
        properties: named('a', 'b', 'c'),
        oneOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }],
      },
    ],
    [
      'a condition',
      {
        required: ['type'],
        properties: { type: { enum: ['card'] }, ...named('number') },
        if: { properties: { type: { const: 'card' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['number'] },
      },
    ],
    [
      'what depends on a property',
      {
        required: ['a'],
        properties: named('a'),
        dependentSchemas: { a: { required: ['n'], properties: { n: { type: 'integer' } } } },
      },
    ],
    ['two patterns', { allOf: [{ ...text, pattern: '^[a-z0-9]+$' }, { pattern: '^.{12}$' }] }],
    [
      'elements of several parts',
      {
        type: 'array',
        minItems: 3,
        allOf: [
          { prefixItems: [{ type: 'integer' }, true, { type: 'boolean' }] },
          { prefixItems: [{ minimum: 50, multipleOf: 3 }, text] },
          { prefixItems: [{ multipleOf: 5 }] },
        ],
      },
    ],
    [
      'a multiple of several parts',
      { minimum: 1, maximum: 20, allOf: [{ type: 'integer', multipleOf: 4 }, { multipleOf: 6 }] },
    ],
    [
      'a multiple of fractions',
      { minimum: 1, maximum: 2, allOf: [{ type: 'number', multipleOf: 0.5 }, { multipleOf: 0.3 }] },
    ],
    ['what it is not', { enum: ['a', 'b', 'c'], not: { enum: ['a', 'b'] } }],
    [
      'what the parts are not',
      {
        required: ['odd', 'user', 'one', 'long', 'great', 'late'],
        properties: {
          odd: { type: 'integer', minimum: 10, maximum: 13, not: { multipleOf: 2 } },
          user: { enum: ['admin', 'root', 'user'], not: { enum: ['admin', 'root'] } },
          one: { type: 'integer', minimum: 0, maximum: 1, not: { const: 0 } },
          long: { ...text, not: { maxLength: 30 } },
          great: { type: 'integer', not: { maximum: 100 } },
          late: {
            ...text,
            allOf: [{ not: { pattern: '^[a-h]' } }, { not: { pattern: '^[i-m]' } }],
          },
        },
      },
    ],
    ['null alone', { required: ['none'], properties: { none: { type: ['null'] } } }],
    ['large integers', { type: 'integer', minimum: 2 ** 60 }],
    ['integers of 64 bits', { type: 'integer', format: 'int64', minimum: 9.223e18 }],
    ['large negative integers', { type: 'integer', maximum: -(2 ** 53) - 2 }],
  ])('%s', (_, schema) => {
    for (const seed of [1, 2, 5]) {
      const { value, problems } = make(schema, seed);
      expect(problems, JSON.stringify(value)).toBeUndefined();
      expect(make(schema, seed).value).toEqual(value);
    }
  });
});

it('makes texts of patterns as long as they are asked for', () => {
  const atom = fc.constantFrom('[a-f]', '\\d', '[A-Z_]', '\\w', '(?:[a-z]|\\d\\d)', '[^x]');
  const times = fc.constantFrom('+', '*', '{2,}');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(atom, times), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 8, max: 300 }),
      fc.nat(),
      (parts, length, seed) => {
        const pattern = `^${parts.map((part) => part.join('')).join('-')}$`;
        const schema = { ...text, pattern, minLength: length + 4, maxLength: length + 4 };
        expect(make(schema, seed).problems).toBeUndefined();
      },
    ),
    { numRuns: 60 },
  );
});

it('writes JSON in texts whose content is JSON', () => {
  const contentSchema = { type: 'object', required: ['é'], properties: { é: { const: 7 } } };
  const json: Schema = { ...text, contentMediaType: 'application/json', contentSchema };
  expect(make(json, 1).value).toBe('{"é":7}');
  expect(make({ ...json, contentEncoding: 'base64' }, 1).value).toBe('eyLDqSI6N30=');
});
