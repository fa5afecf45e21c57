import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const isbn = { type: 'string', pattern: '^[0-9]{3}$', 'x-unique': true, example: '441' };
const fields = { title: text, isbn, format: { enum: ['paper', 'audio'], 'x-unique': true } };
const newBook = object(fields, ['title', 'isbn']);
const book = object({ id: { ...number, example: 42 }, ...fields }, ['id', 'title', 'isbn']);
const body = (schema: object, { type = 'application/json', ...more } = {}) => ({
  requestBody: { required: true, content: { [type]: { schema, ...more } } },
});
const itemOf = (name: string, schema: object = number) => ({
  parameters: [{ name, in: 'path', required: true, schema }],
});
const patch = {
  type: 'array',
  items: object({ op: { enum: ['add', 'replace', 'remove'] }, path: text, value: {} }),
};

const paths = {
  '/books': {
    get: { responses: { 200: jsonOf({ type: 'array', items: book }) } },
    post: { operationId: 'addBook', ...body(newBook), responses: { 201: jsonOf(book) } },
  },
  '/books/bulk': {
    post: {
      operationId: 'addBooks',
      ...body({ type: 'array', items: newBook, minItems: 2 }),
      responses: { 201: jsonOf({ type: 'array', items: book }) },
    },
  },
  '/books/{bookId}': {
    ...itemOf('bookId'),
    get: { responses: { 200: jsonOf(book) } },
    put: { operationId: 'putBook', ...body(book), responses: { 200: jsonOf(book) } },
  },
};

async function serve(all: object = paths) {
  const { call, document, app } = await serveDocument(toDocument(all), { items: 3 });
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
  const { exampleOf } = await serve({
    '/books/': paths['/books'],
    '/books/{bookId}/': {
      ...paths['/books/{bookId}'],
      delete: { operationId: 'dropBook', responses: { 204: { description: 'Gone.' } } },
    },
  });
  expect((await exampleOf('putBook')).target).toBe('/books/1/');
  expect((await exampleOf('dropBook')).target).toBe('/books/2/');
});

it('shows the JSON Patch of the document', async () => {
  const example = [{ op: 'replace', path: '/title', value: 'Dune' }];
  const content = { type: 'application/json-patch+json', example };
  const { exampleOf } = await serve({
    ...paths,
    '/books/{bookId}': {
      ...paths['/books/{bookId}'],
      patch: {
        operationId: 'patchBook',
        ...body(patch, content),
        responses: { 200: jsonOf(book) },
      },
    },
  });
  const { body: shown, mediaType } = await exampleOf('patchBook');
  expect(mediaType).toBe('application/json-patch+json');
  expect(JSON.parse(shown ?? '')).toEqual(example);
});

it('shows a JSON Patch that can be applied, in the words of the document', async () => {
  const shouted = {
    type: 'array',
    items: object({ op: { enum: ['Add', 'Remove', 'Replace'] }, path: text, value: text }),
  };
  const { exampleOf, send } = await serve({
    ...paths,
    '/books/{bookId}': {
      ...paths['/books/{bookId}'],
      patch: { operationId: 'patchBook', ...body(shouted), responses: { 200: jsonOf(book) } },
    },
  });
  const [operation] = JSON.parse((await exampleOf('patchBook')).body ?? '');
  expect(operation).toMatchObject({ op: 'Replace', path: '/title' });
  const { status, json } = await send('patchBook');
  expect({ status, title: json.title }).toEqual({ status: 200, title: operation.value });
});

it('shows a create with an id that no item has, where callers choose it', async () => {
  const label = object({ name: { type: 'string', example: 'label-1' }, color: text }, ['name']);
  const { send } = await serve({
    '/labels': {
      get: { responses: { 200: jsonOf({ type: 'array', items: label }) } },
      post: {
        operationId: 'addLabel',
        ...body(label),
        responses: { 201: jsonOf(label), 409: { description: 'Taken.' } },
      },
    },
    '/labels/{name}': {
      ...itemOf('name', text),
      get: { responses: { 200: jsonOf(label) } },
    },
  });
  const answers = [await send('addLabel'), await send('addLabel')];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
});
