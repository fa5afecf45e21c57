import { expect, it } from 'vitest';
import { planBodies, toBodyText, validFields } from '../../../contracts/cases/bodies.ts';
import { exampleValue } from '../../../contracts/cases/example-value.ts';
import { withOwnItems } from '../../../contracts/cases/references.ts';
import { createValues } from '../../../contracts/run/values.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const document = compile(
  documentOf(`
    POST /accounts Account -> 201 Account
    GET /accounts/{id} -> Account
    Account: {
      readonly id: int, name!, email!: email(x-unique=true), tag!: uuid(x-unique=true),
      code!: text(x-unique=true, minLength=4), short!: text(x-unique=true, maxLength=5)
    }
  `),
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

const create = (Isbn: object) => {
  const books = compile(
    documentOf(
      `
      POST /books Book -> 201 Book
      GET /books/{isbn:text} -> Book
      Book: { isbn!: Isbn, title! }
      `,
      { Isbn },
    ),
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
  const people = compile(
    documentOf(`
      POST /people { names: [text], admin: bool } -> 201 { name }
      GET /people/{name:text} -> { name }
    `),
  );
  const plan = planBodies(people, people.resources[0] as Resource);
  const { text = '' } = createValues('12ab34').fill(toBodyText(plan, validFields(plan, 'a name')));
  expect(JSON.parse(text)).toEqual({ names: ['12ab34000001'] });
});

it.each([
  ['int64', '0'],
  ['uint32', '0'],
  ['decimal', '0.25'],
])('writes a number as the text of the format %s', (format, text) => {
  expect(exampleValue(document, { type: 'string', format })).toBe(text);
});

it('makes valid values of several types, and what is required but not described', () => {
  const schema = { required: ['a', 'b'], properties: { b: { type: ['boolean', 'number'] } } };
  expect(exampleValue(document, schema)).toEqual({ a: 'text', b: false });
  const stays = compile(
    documentOf('POST /stays Stay -> 201 Stay\nGET /stays/{id} -> Stay', { Stay: schema }),
  );
  const plan = planBodies(stays, stays.resources[0] as Resource);
  expect(plan.properties.map(({ name }) => name)).toEqual(['b', 'a']);
});
