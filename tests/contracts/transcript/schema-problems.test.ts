import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { parseJson, toJson } from '../../../common/json.ts';
import { compileAnswerOf } from '../../../contracts/transcript/schema/validator.ts';
import { type Api, compile } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf } from '../../support/serve-document.ts';
import { projectFile } from '../../support/twin.ts';

const petstore = await compile(builtInDocument);
const shelters = await compile(projectFile('tests/support/shelters.yaml'));

/** Returns what the validator of a response says of a body, given as a value or as JSON. */
function problemsOf(document: Api, operation: string, status: number, body: unknown) {
  const described = document.operations.find(({ id }) => id === operation);
  const value = parseJson(toJson(body));
  return (described && compileAnswerOf(document, described, { status })?.(value)) ?? [];
}

function sentences(...of: Parameters<typeof problemsOf>): string[] {
  return problemsOf(...of).map(({ problem }) => problem);
}

/** Returns what is said of an answer of a schema. */
function said(Said: object, value: unknown, schemas: Record<string, object> = {}): string[] {
  const document = documentOf('getThings: GET /things -> 200', schemas);
  Object.assign(document.paths['/things']?.get.responses[200], jsonOf(Said));
  return sentences(compile(document), 'getThings', 200, value);
}

const rex = { id: 1, name: 'Rex', categoryId: 1 };
const problemOf = (item: object) =>
  sentences(petstore, 'listPets', 200, [rex, rex, rex, { ...rex, ...item }]);

it('finds nothing where a body fits', () => {
  expect(problemOf({ id: 2, status: 'sold', colour: 'red' })).toEqual([]);
  expect(sentences(petstore, 'getPet', 200, { ...rex, categoryId: 9223372036854775807n })).toEqual(
    [],
  );
});

it('says what is at which place, what is stated, and in which section', () => {
  expect(problemOf({ id: '7' })).toEqual(['[3].id is the string "7"; an integer is stated (§2)']);
  expect(problemOf({ id: 7.5 })).toEqual(['[3].id is the number 7.5; an integer is stated (§2)']);
  expect(problemOf({ name: null })).toEqual(['[3].name is null; a string is stated (§2)']);
  expect(problemOf({ name: ['Rex'] })).toEqual(['[3].name is an array; a string is stated (§2)']);
  expect(problemOf({ status: 'gone' })).toEqual([
    '[3].status is the string "gone"; one of "available", "pending", "sold" is stated (§2)',
  ]);
  expect(
    sentences(petstore, 'getPet', 404, { code: 'not_found', message: 'None.', status: true }),
  ).toEqual(['status is true; an integer is stated (§2)']);
  expect(sentences(petstore, 'listPets', 200, { items: [] })).toEqual([
    'the body is an object; an array is stated (§2)',
  ]);
  expect(sentences(petstore, 'listPets', 200, undefined)).toEqual([
    'the body is empty or not JSON',
  ]);
});

it('names what is missing, and the schema that requires it', () => {
  const { name: _, ...nameless } = rex;
  expect(sentences(petstore, 'listPets', 200, [nameless])).toEqual([
    '[0].name is missing; Pet requires it (§2)',
  ]);
  expect(sentences(petstore, 'getPet', 200, {})).toEqual([
    'name is missing; Pet requires it (§2)',
    'categoryId is missing; Pet requires it (§2)',
    'id is missing; Pet requires it (§2)',
  ]);
  expect(sentences(petstore, 'getPet', 404, { code: 'not_found', message: 'None.' })).toEqual([
    'status is missing; Error requires it (§2, §7)',
  ]);
  expect(said({ type: 'object', required: ['a b'] }, {})).toEqual([
    '["a b"] is missing; it is required',
  ]);
});

it('tells one fault of many items once, and how many have it', () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    ...rex,
    id: String(index),
    ...(index > 17 && { status: 'gone' }),
  }));
  expect(sentences(petstore, 'listPets', 200, items)).toEqual([
    '[0].id is the string "0"; an integer is stated (§2); the same in 19 more items',
    '[18].status is the string "gone"; one of "available", "pending", "sold" is stated (§2); the same in 1 more item',
  ]);
});

it('holds an int64 to its range, and nothing that is not described', () => {
  expect(problemOf({ id: 9223372036854775808n })).toEqual([
    '[3].id is the number 9223372036854775808; a 64-bit integer is stated (§2)',
  ]);
  expect(problemOf({ id: -9223372036854775809n })).toHaveLength(1);
  expect(problemOf({ weight: 99999999999999999999n })).toEqual([]);
  expect(
    said(
      { type: 'object', properties: { size: { type: 'integer' } } },
      { size: 99999999999999999999n },
    ),
  ).toEqual([]);
});

it('shortens long texts and shows invisible characters', () => {
  expect(problemOf({ id: `a\u001b[31m\u202e\u0085"${'x'.repeat(100)}` })).toEqual([
    `[3].id is the string "a\\u001b[31m\\u202e\\u0085\\"${'x'.repeat(48)}..."; an integer is stated (§2)`,
  ]);
  expect(problemOf({ id: '\ud800' })).toEqual([
    '[3].id is the string "\\ud800"; an integer is stated (§2)',
  ]);
  expect(said({ additionalProperties: { type: 'string' } }, { 'a/b~c%\u0007': 1 })).toEqual([
    '["a/b~c%\\u0007"] is the number 1; a string is stated',
  ]);
});

it('says nothing of the length of a list of which it looked at the first items alone, but that it is too long', () => {
  const long = Array.from({ length: 1000 }, (_, index) => index);
  expect(said({ minItems: 300, contains: { const: 900 } }, long)).toEqual([]);
  expect(said({ maxItems: 100 }, long)).toEqual([
    'the body has 1000 items; at most 100 are stated',
  ]);
});

it('says nothing of sections where a document names none', () => {
  const shelter = {
    ...{ id: 'a', name: 'X', kind: 'birds', open: 'yes', registration: 999, rating: 5.5 },
    ...{ address: { street: 'Main', postcode: 'none' }, tags: [], email: 'nobody', founded: 'May' },
  };
  expect(sentences(shelters, 'getShelter', 200, shelter)).toEqual([
    'name has 1 character; at least 3 are stated',
    'kind is the string "birds"; one of "dogs", "cats", "mixed" is stated',
    'open is the string "yes"; a boolean is stated',
    'registration is the number 999; at least 1000 is stated',
    'rating is the number 5.5; at most 5 is stated',
    'address.postcode is the string "none"; a string that matches "^[0-9]{5}$" is stated',
    'tags has 0 items; at least 1 is stated',
    'email is the string "nobody"; an email address is stated',
    'founded is the string "May"; a date such as 2030-12-05 is stated',
  ]);
});

it.each<[schema: object, value: unknown, sentence: string]>([
  [{ type: ['string', 'null'] }, true, 'the body is true; a string or null is stated'],
  [{ const: 'cat' }, 'dog', 'the body is the string "dog"; "cat" is stated'],
  [{ type: 'string', enum: ['a', 'b'] }, 5, 'the body is the number 5; one of "a", "b" is stated'],
  [
    { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
    11,
    'the body is the number 11; one of 1, 2, 3, 4, 5, 6, 7, 8 and 2 more is stated',
  ],
  [{ exclusiveMinimum: 1 }, 1, 'the body is the number 1; more than 1 is stated'],
  [{ multipleOf: 5 }, 7, 'the body is the number 7; a multiple of 5 is stated'],
  [{ maxLength: 2 }, 'abc', 'the body has 3 characters; at most 2 are stated'],
  [{ maxProperties: 0 }, { a: 1, b: 2 }, 'the body has 2 properties; at most 0 are stated'],
  [{ format: 'ipv4' }, 'x', 'the body is the string "x"; an IPv4 address is stated'],
  [{ not: { type: 'string' } }, 'x', 'the body is the string "x"; what is stated excludes it'],
  [
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    'b is there; nothing is stated there',
  ],
  [{ uniqueItems: true }, [1, 2, 1], 'the body has an item twice; items that differ are stated'],
  [
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema has a keyword of that name.
    { if: { required: ['a'] }, then: { required: ['b'] } },
    { a: 1 },
    'b is missing; it is required',
  ],
  [
    { patternProperties: { '^x-': { type: 'string' } } },
    { 'x-a': 1 },
    '["x-a"] is the number 1; a string is stated',
  ],
  [
    { items: { items: { type: 'string' } } },
    [['a'], ['b', 2]],
    '[1][1] is the number 2; a string is stated',
  ],
])('puts %j of %j into words', (schema, value, sentence) => {
  expect(said(schema, value)).toEqual([sentence]);
});

it('tells of alternatives what the one lacks that was meant', () => {
  const schemas = {
    Card: schemaOf('{ by!: "card", number! }'),
    Bank: schemaOf('{ by!: "bank", iban! }'),
  };
  const refs = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  for (const keyword of ['oneOf', 'anyOf']) {
    const pay = { type: 'object', properties: { pay: { [keyword]: [...refs, { type: 'null' }] } } };
    expect(said(pay, { pay: { by: 'bank', iban: 'x' } }, schemas)).toEqual([]);
    expect(said(pay, { pay: { by: 'bank' } }, schemas)).toEqual([
      'pay.iban is missing; Bank requires it',
    ]);
    expect(said(pay, { pay: { by: 'bank', iban: 1 } }, schemas)).toEqual([
      'pay.iban is the number 1; a string is stated',
    ]);
    expect(said(pay, { pay: true }, schemas)).toEqual([
      'pay is true; it matches none of the 3 stated alternatives',
    ]);
    expect(said(pay, { pay: { by: 'cash' } }, schemas)).toEqual([
      'pay is an object; it matches none of the 3 stated alternatives',
    ]);
  }
  expect(said({ oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string' }] }, 1)).toEqual(
    ['the body is the number 1; it matches 2 of the 3 alternatives, where exactly one is stated'],
  );
  expect(said({ items: { anyOf: [{ type: 'string' }, { enum: [1, 2] }] } }, [3, 'a', 4])).toEqual([
    '[0] is the number 3; it matches none of the 2 stated alternatives; the same in 1 more item',
  ]);
});

it('takes what fits several alternatives for the one that its discriminator names', () => {
  const text = { type: 'string' };
  const kindWith = (name: string, ...required: string[]) => ({
    required: ['kind', ...required],
    properties: { kind: text, [name]: text },
  });
  const schemas = { A: kindWith('a'), B: kindWith('b'), C: kindWith('c', 'c') };
  const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const discriminator = { propertyName: 'kind', mapping: { first: '#/components/schemas/A' } };
  const list = { items: { oneOf, discriminator } };
  expect(said(list, [{ kind: 'first' }, { kind: 'B' }], schemas)).toEqual([]);
  for (const of of ['C', 'none'])
    expect(said(list, [{ kind: of }], schemas)).toEqual([
      '[0] is an object; it matches 2 of the 3 alternatives, where exactly one is stated',
    ]);
});

it('cites the section that is nearest, and none for what the document assumes', () => {
  const schema = {
    type: 'object',
    'x-source': '§1',
    properties: {
      a: { type: 'string' },
      b: { type: 'string', 'x-source': '§2' },
      c: { type: 'string', 'x-assumed': 'nobody says' },
      $ref: { type: 'string' },
      type: { $ref: '#/components/schemas/Node' },
    },
  };
  const Node = {
    type: 'object',
    'x-source': '§9',
    properties: { next: { $ref: '#/components/schemas/Node' } },
    required: ['id'],
  };
  expect(
    said(
      schema,
      { a: 1, b: 1, c: 1, $ref: 1, type: { id: 1, next: { id: 2, next: {} } } },
      { Node },
    ),
  ).toEqual([
    'a is the number 1; a string is stated (§1)',
    'b is the number 1; a string is stated (§2)',
    'c is the number 1; a string is stated',
    '$ref is the number 1; a string is stated (§1)',
    'type.next.next.id is missing; Node requires it (§9)',
  ]);
});

it('takes no more time for a long URL than for another text', { timeout: 10_000 }, () => {
  const schema = { type: 'string', format: 'url' };
  // Each further letter doubled the time of the library's own pattern.
  expect(said(schema, `http://${'a'.repeat(33)}!`)).toHaveLength(0);
  expect(said(schema, 'http://example.com/a?b=c')).toEqual([]);
  expect(said(schema, 'no address')).toHaveLength(1);
});
