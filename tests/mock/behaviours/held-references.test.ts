import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const id = { type: 'integer', readOnly: true };
const text = { type: 'string' };
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const author = object({ id, name: text });
const named = { type: ['integer', 'null'], examples: [4711] };
const book = object({ id, title: text, authorId: named }, ['title']);
const wrong = (...statuses: (number | string)[]) =>
  Object.fromEntries(statuses.map((status) => [status, jsonOf({ type: 'object' })]));
const body = (schema: object, type = 'application/json') => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});
const itemOf = (name: string) => pathParameter(name);

/** Authors, and books of which each names one. */
function pathsOf(item: object = book, errors: object = wrong(400, 422)) {
  return {
    '/authors': {
      get: { responses: { 200: jsonOf({ type: 'array', items: author }) } },
      post: { ...body(author), responses: { 201: jsonOf(author) } },
    },
    '/authors/{authorId}': {
      parameters: [itemOf('authorId')],
      get: { responses: { 200: jsonOf(author) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
    '/books': {
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { operationId: 'addBook', ...body(item), responses: { 201: jsonOf(item), ...errors } },
    },
    '/books/bulk': {
      post: {
        ...body({ type: 'array', items: item }),
        responses: { 201: jsonOf({ type: 'array', items: item }), ...wrong('4XX') },
      },
    },
    '/books/{bookId}': {
      parameters: [itemOf('bookId')],
      get: { responses: { 200: jsonOf(item) } },
      put: { ...body(item), responses: { 200: jsonOf(item), ...wrong(400) } },
      patch: { ...body(item), responses: { 200: jsonOf(item), ...wrong(409) } },
    },
  };
}

const send = (method: string, value: unknown, type = 'application/json') => ({
  method,
  body: JSON.stringify(value),
  headers: { 'Content-Type': type },
});
const refused = (status: number) => ({
  status,
  json: {
    message:
      'The body is not valid for an item of books. "authorId" must be the id of an item of authors, but none has 99.',
  },
});

it('refuses a reference to an item that is not there as the document says', async () => {
  const { call } = await serveDocument(toDocument(pathsOf()));
  const sent = { title: 'Emma', authorId: 99 };
  expect(await call('/books', send('POST', sent))).toMatchObject(refused(422));
  expect(await call('/books/1', send('PUT', sent))).toMatchObject(refused(400));
  expect(await call('/books/1', send('PATCH', sent))).toMatchObject(refused(409));
  const both = [{ title: 'Emma', authorId: 1 }, sent];
  expect(await call('/books/bulk', send('POST', both))).toMatchObject(refused(400));
  expect((await call('/books')).json).toHaveLength(2);
  expect((await call('/books/99', send('PUT', sent))).status).toBe(404);
});

it('accepts references to what is there, none at all, and those that a change leaves as they are', async () => {
  const { call } = await serveDocument(toDocument(pathsOf()));
  for (const authorId of [1, null, undefined])
    expect((await call('/books', send('POST', { title: 'Emma', authorId }))).status).toBe(201);
  expect((await call('/authors/1', { method: 'DELETE' })).status).toBe(204);
  const changed = { title: 'Persuasion', authorId: 1 };
  expect((await call('/books/3', send('PUT', changed))).status).toBe(200);
  expect((await call('/books/4', send('PUT', changed))).status).toBe(400);
});

it('accepts any reference where no answer to a wrong one is described', async () => {
  const { call } = await serveDocument(toDocument(pathsOf(book, wrong(401, 500))));
  const sent = { title: 'Emma', authorId: 99 };
  expect(await call('/books', send('POST', sent))).toMatchObject({ status: 201, json: sent });
});

it('holds references in bodies that hold the item', async () => {
  const paths = pathsOf();
  const { call } = await serveDocument(
    toDocument({
      ...paths,
      '/books': {
        ...paths['/books'],
        post: {
          ...body(object({ book }, ['book'])),
          responses: { 201: jsonOf(object({ book })), ...wrong(422) },
        },
      },
    }),
  );
  const sent = { book: { title: 'Emma', authorId: 99 } };
  expect(await call('/books', send('POST', sent))).toMatchObject(refused(422));
});

it('takes what x-twin says a property refers to', async () => {
  const writer = { ...named, 'x-twin': { references: '/authors' } };
  const others = object({ id, title: text, writer }, ['title']);
  const { call } = await serveDocument(toDocument(pathsOf(others)));
  expect((await call('/books', send('POST', { title: 'Emma', writer: 99 }))).status).toBe(422);
  expect((await call('/books')).json.map((one: { writer: number }) => one.writer)).toEqual([1, 2]);

  const authorId = { ...named, 'x-twin': { references: 'none' } };
  const free = await serveDocument(toDocument(pathsOf(object({ id, title: text, authorId }))));
  expect((await free.call('/books', send('POST', { authorId: 99 }))).status).toBe(201);
});

it('warns of an x-twin of a property that says something else', async () => {
  const authorId = { type: 'integer', 'x-twin': { references: 'authors' } };
  const { origin } = await serveDocument(
    toDocument(pathsOf(object({ id, title: text, authorId }))),
  );
  const version = await (await fetch(`${origin}/__admin/version`)).json();
  expect(JSON.stringify(version)).toContain(
    'it is not { references: /PATH } or { references: none } and is ignored',
  );
});

it('shows calls with references to what is there', async () => {
  const notes = { get: { responses: { 200: jsonOf({ type: 'array', items: book }) } } };
  const addNote = { operationId: 'addNote', ...body(book), responses: { 201: jsonOf(book) } };
  const { call, document, app } = await serveDocument(
    toDocument({
      ...pathsOf(),
      '/authors/{authorId}/notes': {
        parameters: [itemOf('authorId')],
        ...{ ...notes, post: addNote },
      },
    }),
  );
  const toExampleCall = createToExampleCall(document, { store: app.store });
  const create = document.operations.find((one) => one.id === 'addBook');
  const example = create && (await toExampleCall(create));
  expect(JSON.parse(example?.body ?? '')).toMatchObject({ authorId: 1 });
  expect((await call('/books', send('POST', JSON.parse(example?.body ?? '')))).status).toBe(201);
  const nested = document.operations.find((one) => one.id === 'addNote');
  expect(JSON.parse((nested && (await toExampleCall(nested)))?.body ?? '')).toMatchObject({
    authorId: 1,
  });
});
