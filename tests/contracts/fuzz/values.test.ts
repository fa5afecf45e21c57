import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createValid } from '../../../contracts/fuzz/arbitraries.ts';
import { isHarmless, triedValues } from '../../../contracts/fuzz/values.ts';
import type { Schema } from '../../../openapi/index.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const ajv = new Ajv2020({ strict: false, logger: false, formats: fullFormats });

const text = { type: 'string' };
const schemas: Record<string, Schema> = {
  'a bounded text': { ...text, minLength: 3, maxLength: 8 },
  'a text of a pattern': { ...text, pattern: '^[A-Z]{2}-\\d{3,5}$' },
  'a UUID': { ...text, format: 'uuid' },
  'a time': { ...text, format: 'date-time' },
  'an address': { ...text, format: 'email' },
  'listed values': { ...text, enum: ['new', 'used'] },
  'a whole number': { type: 'integer', minimum: -3, maximum: 40 },
  'a number above another': { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  'a multiple': { type: 'integer', multipleOf: 5, minimum: 3 },
  'a number or null': { type: ['integer', 'null'] },
  'a list': { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 },
  'a set': { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 1 },
  'an object': {
    type: 'object',
    required: ['name'],
    properties: { name: { ...text, minLength: 1 }, age: { type: 'integer', minimum: 0 } },
    additionalProperties: false,
  },
  alternatives: {
    oneOf: [
      { ...text, minLength: 2 },
      { type: 'integer', minimum: 1 },
    ],
  },
  'parts of one': {
    allOf: [
      { type: 'object', required: ['id'], properties: { id: text } },
      { type: 'object', properties: { tags: { type: 'array', items: text } } },
    ],
  },
};

async function documentOf(schema: Schema) {
  const post = { requestBody: jsonOf(schema), responses: { 201: { description: 'Made.' } } };
  return compile(await writeJson(toDocument({ '/things': { post } })));
}

describe.each(Object.entries(schemas))('%s', (_, schema) => {
  it('is made so that it is valid', async () => {
    const validate = ajv.compile(schema);
    const values = createValid(fc, await documentOf(schema))(schema);
    fc.assert(
      fc.property(values, (value) => validate(value)),
      { numRuns: 200, seed: 1 },
    );
  });

  it('is tried with valid values, and with some that each break it', async () => {
    const validate = ajv.compile(schema);
    const tried = triedValues(await documentOf(schema), schema);
    for (const { value, isValid } of tried)
      expect([value, validate(value)]).toEqual([value, isValid]);
    expect(tried.some(({ isValid }) => !isValid)).toBe(true);
  });
});

it('makes addresses and hosts of nobody', async () => {
  const formats = ['email', 'uri', 'url', 'hostname'];
  for (const format of formats) {
    const schema = { ...text, format };
    const values = fc.sample(createValid(fc, await documentOf(schema))(schema), 50);
    expect(values.every((one) => /\.example\.com(?:\/|$)/.test(String(one)))).toBe(true);
  }
});

const [integer, flag] = [{ type: 'integer' }, { type: 'boolean' }];

it.each<[unknown, Schema, boolean]>([
  [7, integer, false],
  [true, integer, false],
  [0, integer, true],
  [2 ** 31, integer, true],
  [7, { ...integer, maximum: 9 }, true],
  [7, { enum: [7] }, true],
  [7, { const: 7 }, true],
  ['bob@corp.test', text, false],
  ['bob@example.com', text, true],
  [true, flag, false],
  [false, flag, true],
  [[0, 7], { type: 'array', items: integer }, false],
  [[0], { type: 'array', items: integer }, true],
  [{ of: { id: 7 } }, { properties: { of: { properties: { id: integer } } } }, false],
])('tells whether %j as %j can affect others', async (value, schema, expected) => {
  expect(isHarmless(await documentOf(schema), schema, value)).toBe(expected);
});
