import { expect, it } from 'vitest';
import { planBodies, toBodyText, validFields } from '../../../contracts/cases/bodies.ts';
import { exampleValue } from '../../../contracts/cases/example-value.ts';
import { withOwnItems } from '../../../contracts/cases/references.ts';
import { createValues } from '../../../contracts/run/values.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

const unique = (more: object) => ({ type: 'string', 'x-unique': true, ...more });
const account = {
  type: 'object',
  required: ['name', 'email', 'tag', 'code', 'short'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    email: unique({ format: 'email' }),
    tag: unique({ format: 'uuid' }),
    code: unique({ minLength: 4 }),
    short: unique({ maxLength: 5 }),
  },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const document = compile(
  toDocument({
    '/accounts': { post: { requestBody: jsonOf(account), responses: { 201: jsonOf(account) } } },
    '/accounts/{id}': { get: { parameters: [id], responses: { 200: jsonOf(account) } } },
  }) as object,
);

it('sends another value in each request for what no two items have alike', () => {
  const values = createValues('12ab34');
  const plan = planBodies(document, document.resources[0] as Resource);
  const template = toBodyText(plan, validFields(plan, 'a name'));
  const [first, second] = [0, 1].map(() => JSON.parse(values.fill(template).text ?? ''));
  expect(first).toMatchObject({
    name: 'a name',
    email: 'x@12ab34000001.example.com',
    tag: '00000000-0000-4000-8000-12ab34000002',
    code: '12ab34000003',
  });
  const differing = Object.keys(first).filter((name) => first[name] !== second[name]);
  expect(differing).toEqual(['email', 'tag', 'code']);
});

const create = (schema: object) => {
  const book = {
    type: 'object',
    required: ['isbn', 'title'],
    properties: { isbn: schema, title: { type: 'string' } },
  };
  const isbn = { ...id, name: 'isbn', schema: { type: 'string' } };
  const books = compile(
    toDocument({
      '/books': { post: { requestBody: jsonOf(book), responses: { 201: jsonOf(book) } } },
      '/books/{isbn}': { get: { parameters: [isbn], responses: { 200: jsonOf(book) } } },
    }) as object,
  );
  const plan = planBodies(books, books.resources[0] as Resource);
  const values = createValues('12ab34');
  const template = toBodyText(plan, validFields(plan, 'a title'));
  const sent = [0, 1].map(() => JSON.parse(values.fill(template).text ?? '').isbn);
  return { plan, sent };
};

it.each([
  [{ type: 'string' }, ['12ab34000001', '12ab34000002']],
  [{ type: 'string', pattern: '^[a-z][a-z0-9-]*$' }, ['a12ab34000001', 'a12ab34000002']],
  [{ type: 'integer', minimum: 1 }, [940_040_017, 940_040_027]],
])('gives an item that needs an id from the caller another one each time: %j', (schema, ids) => {
  const { plan, sent } = create(schema);
  expect(sent).toEqual(ids);
  expect(plan).toMatchObject({ markerProperty: 'title', parts: { isOpen: false } });
});

it.each([
  { type: 'string', pattern: '^\\d{10}$' },
  { type: 'integer', maximum: 1_000_000 },
])('does not take a create for valid whose id another item may have: %j', (schema) => {
  expect(create(schema).plan.parts.isOpen).toBe(true);
});

it.each([{ format: 'date' }, { pattern: '^[A-C]$' }, { maxLength: 1 }, { example: 'a' }])(
  'makes no list of texts that must differ of %j',
  (item) => {
    const document = compile(toDocument({ '/a': { get: { responses: { 200: jsonOf({}) } } } }));
    const items = { type: 'string', ...item };
    const list = { type: 'array', minItems: 2, uniqueItems: true, items };
    expect(exampleValue(document, list)).toBeUndefined();
    expect(exampleValue(document, { ...list, items: { type: 'string' } })).toHaveLength(2);
  },
);

it.each([
  [{ pattern: '^[A-Z0-9]{2,12}$' }, true],
  [{ pattern: '^[0-9]{1,3}$' }, true],
  [{ pattern: '^[A-Z]{3}$' }, true],
  [{ pattern: '^[A-Z]{3}$', example: 'EUR' }, false],
  [{ pattern: '^[a-z]{2}$' }, false],
])('sends another text in each request, unless one means something: %j', (schema, isVaried) => {
  const values = createValues('12ab34');
  const typed = { type: 'string', ...schema };
  const field = { schema: typed, value: exampleValue(document, typed) };
  const text = withOwnItems(document, undefined, field);
  const sent = Array.from({ length: 9 }, () => values.fill(String(text)).text ?? '');
  expect(sent.filter((one) => !new RegExp(schema.pattern).test(one))).toEqual([]);
  expect(new Set(sent).size).toBe(isVaried ? 9 : 1);
});

it('marks a create by a list of names if nothing else would', () => {
  const names = { type: 'array', items: { type: 'string' } };
  const person = { type: 'object', properties: { name: { type: 'string' } } };
  const body = { type: 'object', properties: { names, admin: { type: 'boolean' } } };
  const named = { ...id, name: 'name', schema: { type: 'string' } };
  const people = compile(
    toDocument({
      '/people': { post: { requestBody: jsonOf(body), responses: { 201: jsonOf(person) } } },
      '/people/{name}': { get: { parameters: [named], responses: { 200: jsonOf(person) } } },
    }) as object,
  );
  const plan = planBodies(people, people.resources[0] as Resource);
  const { text = '' } = createValues('12ab34').fill(toBodyText(plan, validFields(plan, 'a name')));
  expect(JSON.parse(text)).toEqual({ names: ['12ab34000001'] });
});
