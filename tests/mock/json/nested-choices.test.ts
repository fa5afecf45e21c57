import { expect, it } from 'vitest';
import type { JsonObject } from '../../../common/json.ts';
import { compileAnswer } from '../../../contracts/transcript/schema/validator.ts';
import { makerOf } from '../../../mock/json/make-fitting.ts';
import { compilerOf } from '../../../mock/json/validator.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const to = (level: number) => ({ $ref: `#/components/schemas/A${level}` });
const needsNext = (level: number, more: JsonObject = {}, required = ['next']) => ({
  type: 'object',
  required,
  properties: { next: to(level), ...more },
});
const twoObjects = (level: number) => [
  needsNext(level),
  needsNext(level, { more: { type: 'string' } }, ['next', 'more']),
];
const twoLists = (level: number) => [
  { type: 'array', minItems: 1, items: to(level) },
  { type: 'array', minItems: 2, items: to(level) },
];
const twoMaps = (level: number) => [
  { type: 'object', minProperties: 1, additionalProperties: to(level) },
  { type: 'object', minProperties: 2, additionalProperties: to(level) },
];

const kinds: Record<string, (next: number) => JsonObject> = {
  'anyOf through properties': (next) => ({ anyOf: twoObjects(next) }),
  'oneOf through properties': (next) => ({ oneOf: twoObjects(next) }),
  'allOf through properties': (next) => ({ allOf: twoObjects(next) }),
  'if, then and else': (next) => ({
    type: 'object',
    required: ['next'],
    if: { properties: { next: to(next) } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so.
    then: needsNext(next),
    else: needsNext(next),
  }),
  'anyOf through items': (next) => ({ anyOf: twoLists(next) }),
  'anyOf through additionalProperties': (next) => ({ anyOf: twoMaps(next) }),
  'two properties, each with two': (next) => ({
    anyOf: [1, 2].map(() => needsNext(next, { other: to(next) }, ['next', 'other'])),
  }),
};

const levels = 24;

function compileLevels(toLevel: (next: number) => JsonObject) {
  const schemas: Record<string, JsonObject> = {
    [`A${levels}`]: { type: 'object', required: ['id'] },
  };
  for (let level = 0; level < levels; level++) schemas[`A${level}`] = toLevel(level + 1);
  return compile(documentOf('', schemas));
}

const wrong = Array.from({ length: levels }).reduce<unknown>(
  (inner) => ({ next: inner, more: 'x' }),
  { name: 'has no id' },
);

it.each(Object.entries(kinds))('makes and judges values of levels of %s in time', (_, toLevel) => {
  const document = compileLevels(toLevel);
  const { user: start } = process.cpuUsage();
  expect(makerOf(document)(to(0), { seed: 1 })?.text).toMatch(/^[[{]/);
  expect(compilerOf(document)(to(0))(wrong)?.length).toBeGreaterThan(0);
  compileAnswer(document, to(0))(wrong);
  expect((process.cpuUsage().user - start) / 1_000_000).toBeLessThan(8);
});

it('finds what is wrong with one of two names that share a place', () => {
  const names = { propertyNames: { $ref: '#/components/schemas/Short' }, anyOf: [{}] };
  const document = compile(documentOf('', { Short: { maxLength: 2 }, Names: names }));
  const validate = compilerOf(document)({ $ref: '#/components/schemas/Names' });
  expect(validate({ ab: 1 })).toBeUndefined();
  expect(validate({ ab: 1, abc: 1 })).toContainEqual({
    pointer: '',
    problem: 'It must have at most 2 characters, but is an object.',
  });
});
