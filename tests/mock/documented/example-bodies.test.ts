import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const books = (slash = '') => `
  GET /books${slash} -> [Book]
  addBook: POST /books${slash} NewBook! -> 201 Book
  addBooks: POST /books/bulk Several! -> 201 [Book]
  GET /books/{bookId}${slash} -> Book
  putBook: PUT /books/{bookId}${slash} Book! -> Book\n`;
const schemas = {
  Id: { type: 'integer', example: 42 },
  Isbn: { type: 'string', pattern: '^[0-9]{3}$', 'x-unique': true, example: '441' },
  Format: { enum: ['paper', 'audio'], 'x-unique': true },
  NewBook: '{ title!, isbn!: Isbn, format: Format }',
  Several: { type: 'array', items: { $ref: '#/components/schemas/NewBook' }, minItems: 2 },
  Book: '{ id!: Id, title!, isbn!: Isbn, format: Format }',
  Name: { type: 'string', example: 'label-1' },
  Label: '{ name!: Name, color }',
};

async function serve(lines = books(), operations = {}) {
  const described = documentOf(lines, schemas, { operations });
  const { call, document, app } = await serveDocument(described, { items: 3 });
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const exampleOf = async (id: string) => {
    const operation = document.operations.find((one) => one.id === id);
    const example = operation && (await toExampleCall(operation));
    if (!operation || !example) throw new Error(`There is no call of ${id}.`);
    return { method: operation.method, ...example };
  };
  /** Sends what is shown of an operation. */
  const send = async (id: string) => {
    const { method, target, body: sent, mediaType = 'application/json' } = await exampleOf(id);
    const headers = { 'Content-Type': mediaType };
    return call(target, { method, headers, ...(sent !== undefined && { body: sent }) });
  };
  return { call, exampleOf, send };
}

it('shows a create with unique values that no item has', async () => {
  const { send } = await serve();
  const answers = [await send('addBook'), await send('addBook'), await send('addBook')];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answers[0]?.json.isbn).toBe('441');
  expect(new Set(answers.map(({ json }) => json.isbn)).size).toBe(3);
});

it('shows a create of several items with unique values that no item has', async () => {
  const { send } = await serve();
  expect((await send('addBooks')).status).toBe(201);
  expect((await send('addBooks')).status).toBe(201);
});

it('shows a replacement with the id of the path, and with unique values of its own', async () => {
  const { send, exampleOf } = await serve();
  await send('addBook');
  expect(JSON.parse((await exampleOf('putBook')).body ?? '')).toMatchObject({ id: 1 });
  const replaced = await send('putBook');
  expect(replaced.status).toBe(200);
  expect(replaced.json.isbn).not.toBe('441');
  expect((await send('putBook')).json.isbn).toBe(replaced.json.isbn);
});

it('shows the deletion of another item than the first, also at a path with a slash at its end', async () => {
  const drop = 'dropBook: DELETE /books/{bookId}/ -> 204';
  const { exampleOf } = await serve(books('/') + drop);
  expect((await exampleOf('putBook')).target).toBe('/books/1/');
  expect((await exampleOf('dropBook')).target).toBe('/books/2/');
});

it.each([
  [undefined, '{"input":"'],
  ['input: a', 'input: a'],
])('shows YAML that fits: of the example %s', async (example, start) => {
  const schema = schemaOf('{ input!: text }');
  const content = { 'application/yaml': { schema, ...(example && { example }) } };
  const { exampleOf, send } = await serve('ask: POST /queries -> { ok: bool }', {
    'POST /queries': { requestBody: { content, required: true } },
  });
  expect((await exampleOf('ask')).body).toContain(start);
  expect((await send('ask')).status).toBe(200);
});

it('shows no path with an empty value, though its example is empty', async () => {
  const parameters = [{ name: 'version', in: 'path', required: true, example: '', schema: {} }];
  const { exampleOf } = await serve('exportAll: GET /exports/{version:text} -> { text }', {
    'GET /exports/{version}': { parameters },
  });
  expect((await exampleOf('exportAll')).target).toBe('/exports/1');
});

it('shows the JSON Patch of the document', async () => {
  const example = [{ op: 'replace', path: '/title', value: 'Dune' }];
  const schema = { type: 'array', items: {} };
  const content = { 'application/json-patch+json': { schema, example } };
  const { exampleOf } = await serve(`${books()}patchBook: PATCH /books/{bookId} -> Book`, {
    'PATCH /books/{bookId}': { requestBody: { content } },
  });
  const { body: shown, mediaType } = await exampleOf('patchBook');
  expect(mediaType).toBe('application/json-patch+json');
  expect(JSON.parse(shown ?? '')).toEqual(example);
});

it('shows a JSON Patch that can be applied, in the words of the document', async () => {
  const shouted = '[{ op!: "Add" | "Remove" | "Replace", path!, value! }]';
  const { exampleOf, send } = await serve(
    `${books()}patchBook: PATCH /books/{bookId} ${shouted}! -> Book`,
  );
  const [operation] = JSON.parse((await exampleOf('patchBook')).body ?? '');
  expect(operation).toMatchObject({ op: 'Replace', path: '/title' });
  const { status, json } = await send('patchBook');
  expect({ status, title: json.title }).toEqual({ status: 200, title: operation.value });
});

it('shows a JSON Patch without an operation if no property may have the values of one', async () => {
  const { send } = await serve(`
    GET /rates -> [{ readonly id!: int, rate!: number }]
    patchRate: PATCH /rates/{id} [{ op!: "Remove" | "Replace", path, value }]! -> { readonly id!: int, rate!: number }
  `);
  expect((await send('patchRate')).status).toBe(200);
});

it.each([
  ['has the id, which is a text, as a number', 'shopId!: int', { shopId: 1 }],
  ['calls it otherwise', 'shopid!', { shopid: '1' }],
])('refers to an item if a body %s', async (_, field, shown) => {
  const { exampleOf, send } = await serve(`
    GET /shops -> [{ id!: text, title! }]
    POST /shops { title! } -> 201 { id!: text, title! }
    GET /offers -> [{ id!: int, shopId!: text }]
    addOffer: POST /offers { ${field} } -> 201 { id!: int, shopId!: text }, 400
  `);
  expect(JSON.parse((await exampleOf('addOffer')).body ?? '')).toEqual(shown);
  expect((await send('addOffer')).status).toBe(201);
});

it('shows a create with an id that no item has, where callers choose it', async () => {
  const { send } = await serve(`
    GET /labels -> [Label]
    addLabel: POST /labels Label! -> 201 Label, 409
    GET /labels/{name:text} -> Label
  `);
  const answers = [await send('addLabel'), await send('addLabel')];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
});
