import { expect, it } from 'vitest';
import { createSchemaCompiler, toSentences } from '../../../mock/json/validator.ts';
import { compile as compileDocument } from '../../../openapi/index.ts';
import { schemaOf } from '../../support/document-of.ts';
import { projectFile } from '../../support/twin.ts';

const compile = createSchemaCompiler(await compileDocument(projectFile('contracts/openapi.yaml')));
const small = 100;
const validate = compile({
  type: 'object',
  required: ['name', 'a/b~c'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    'a/b~c': {},
    tags: { type: 'array', items: { type: 'string' } },
  },
});

it('tells where each problem is, as a JSON pointer', () => {
  expect(validate({ tags: ['x', 1], colour: 'red' }, small)).toEqual([
    { pointer: '/name', problem: '"name" is required.' },
    { pointer: '/a~1b~0c', problem: '"a/b~c" is required.' },
    { pointer: '/colour', problem: '"colour" is unknown. Known are name, a/b~c, tags.' },
    { pointer: '/tags/1', problem: '"tags/1" must be a string, but is 1.' },
  ]);
  const problem = 'It must be an object, but is an array.';
  expect(validate([])).toEqual([{ pointer: '', problem }]);
  expect(validate({ name: 'x', 'a/b~c': 1 })).toBeUndefined();
});

it('says the first five problems in sentences, and how many more there are', () => {
  const problems = validate({ name: 'x', 'a/b~c': 1, tags: [1, 2, 3, 4, 5, 6, 7] }, small);
  expect(problems).toHaveLength(7);
  const text = toSentences(problems ?? []);
  expect(text).toMatch(
    /^"tags\/0" must be a string, but is 1\. .*"tags\/4" .* There are 2 more problems\.$/,
  );
  expect(text).not.toContain('tags/5');
});

it('names the first problem alone of a value that is large, or may be', () => {
  const value = { name: 'x', tags: Array(2000).fill(0) };
  expect(validate(value, 4097)).toEqual([{ pointer: '/a~1b~0c', problem: '"a/b~c" is required.' }]);
  expect(validate(value)).toHaveLength(1);
});

it('finds equal items among very many', () => {
  const validate = compile({ type: 'array', uniqueItems: true });
  // Each compared with each, these would take minutes.
  const many: unknown[] = Array.from({ length: 90_000 }, (_, index) => ({ a: index, b: [index] }));
  expect(validate(many)).toBeUndefined();
  many.push({ b: [7], a: 7 });
  const problem = 'It must not have two equal items, but is an array.';
  expect(validate(many)).toEqual([{ pointer: '', problem }]);
  const infinity = Number.POSITIVE_INFINITY;
  const unequal = [1, '1', [1], ['1'], { 1: 1 }, null, 'null', true, infinity, { a: { b: 1 } }];
  expect(validate(unequal)).toBeUndefined();
  for (const equal of [
    [0, -0],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }],
    [null, null],
    [[], []],
  ])
    expect(validate(equal)).toHaveLength(1);
  expect(compile({ type: 'array', uniqueItems: false })([1, 1])).toBeUndefined();
});

it('tells of alternatives what the given type lacks, or which types would do', () => {
  const ban = schemaOf('{ seconds!: int(minimum=1) }');
  const validate = compile({
    type: 'object',
    properties: {
      ban: { oneOf: [{ const: false }, ban] },
      one: { anyOf: [{ type: 'null' }, { type: 'array' }, { enum: [1, 2] }] },
    },
  });
  const sentencesOf = (value: unknown) => validate(value, small)?.map(({ problem }) => problem);
  expect(sentencesOf({ ban: true })).toEqual(['"ban" must be false or an object, but is true.']);
  expect(sentencesOf({ ban: {} })).toEqual(['"ban/seconds" is required.']);
  expect(sentencesOf({ ban: { seconds: 0 }, one: 3 })).toEqual([
    '"ban/seconds" must be at least 1, but is 0.',
    '"one" must be null or an array or one of 1, 2, but is 3.',
  ]);
  expect(sentencesOf({ ban: false, one: null })).toBeUndefined();
});

it.each([
  ['email', 'x', 'an email address'],
  ['date', '2030-02-30', 'a date such as 2030-12-31'],
  ['date-time', '2030-01-01T10:00:00', 'a time such as 2030-12-31T23:59:59Z'],
  ['date-time', '2030-01-01T10:00:00+0000', 'a time such as 2030-12-31T23:59:59Z'],
  ['time', '10:00:00+00', 'a time of day such as 23:59:59Z'],
  ['uuid', 'urn:uuid:00000000-0000-4000-8000-000000000001', 'a UUID'],
  ['url', 'example.com/a', 'a URL such as https://example.com/'],
  ['json-pointer', 'a', 'in the format json-pointer'],
])('refuses a text that is not in the format %s', (format, text, expected) => {
  const [problem] = compile({ type: 'string', format })(text) ?? [];
  expect(problem?.problem).toContain(`It must be ${expected}, but is "`);
});

it.each([
  ['date-time', '2030-01-01T10:00:00.5+01:00'],
  ['uuid', '00000000-0000-4000-8000-000000000001'],
  ['url', 'https://example.com/a'],
  ['url', 'http://localhost:3000/hook'],
  ['url', 'http://127.0.0.1:3000'],
  ['url', 'wss://example.com'],
  ['isbn', 'anything'],
  ['password', 'anything'],
])('accepts a text that is in the format %s, or a format that is unknown', (format, text) => {
  expect(compile({ type: 'string', format })(text)).toBeUndefined();
});

it.each<[object, unknown, string]>([
  [{ minLength: 1 }, '', 'must have at least 1 character, but is "".'],
  [{ maxLength: 2 }, 'abc', 'must have at most 2 characters, but is "abc".'],
  [{ pattern: '^[0-9]{13}$' }, 'x', 'must match the pattern ^[0-9]{13}$, but is "x".'],
  [{ maximum: 1 }, 2, 'must be at most 1, but is 2.'],
  [{ exclusiveMinimum: 1 }, 1, 'must be more than 1, but is 1.'],
  [{ minItems: 2 }, [], 'must have at least 2 items, but is an array.'],
  [{ not: { const: 1 } }, 1, 'must NOT be valid, but is 1.'],
  [{ unevaluatedProperties: false }, { a: 1 }, 'must not have the property "a", but is an object.'],
])('says in plain words what %j asks', (schema, value, expected) => {
  expect(toSentences(compile({ ...schema })(value, small) ?? [])).toContain(`It ${expected}`);
});

it('knows what was evaluated of objects to which no dependent schema applies', () => {
  const dependentSchemas = { card: { required: ['zip'], properties: { zip: {} } } };
  const properties = { name: {}, card: {} };
  const validate = compile({ properties, dependentSchemas, unevaluatedProperties: false });
  for (const value of [{ name: 'a' }, { card: 1, zip: 2 }, 'a'])
    expect(validate(value)).toBeUndefined();
  for (const value of [{ name: 'a', zip: 2 }, { card: 1 }, { card: 1, zip: 2, more: 3 }])
    expect(validate(value)).toHaveLength(1);
});

it('tells what is wrong with the alternative that a discriminator names', async () => {
  const base = { required: ['kind'], properties: { kind: { type: 'string' } } };
  const carOf = (name: string) => ({ allOf: [base, { required: [name] }] });
  const refs = ['Car', 'Bike', 'Boat'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const document = await compileDocument({
    openapi: '3.1.0',
    info: { title: 'Cars', version: '1' },
    paths: {},
    components: { schemas: { Car: carOf('engine'), Bike: carOf('chain'), Boat: carOf('sail') } },
  });
  for (const mapping of [undefined, { Bike: '#/components/schemas/Bike' }, { Bike: 'Bike' }]) {
    const discriminator = { propertyName: 'kind', ...(mapping && { mapping }) };
    const oneOf = [...refs, carOf('wheels')];
    const validateOne = createSchemaCompiler(document)({ oneOf, discriminator });
    const problem = '"chain" is required.';
    expect(validateOne({ kind: 'Bike' }, small)).toEqual([{ pointer: '/chain', problem }]);
    const validateAny = createSchemaCompiler(document)({ anyOf: refs, discriminator });
    const missing = { pointer: '/chain', problem };
    for (const more of [{}, { engine: 1 }])
      expect(validateAny({ kind: 'Bike', ...more }, small)).toEqual([missing]);
    expect(validateAny({ kind: 'Bike', chain: 1, engine: 1 }, small)).toBeUndefined();
    expect(validateAny({ kind: 'Plane', chain: 1, engine: 1 }, small)).toBeUndefined();
  }
});
