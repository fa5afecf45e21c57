import { expect, it } from 'vitest';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const named = { type: ['integer', 'null'], examples: [4711] };

/** Authors, and books of which each names one; `post` creates one. */
function library(
  authorId: object = named,
  {
    item = '{ readonly id: int, title!, authorId: AuthorId }',
    more = '',
    post = 'Book -> 201 Book, 400 object, 422 object',
  } = {},
) {
  return documentOf(
    `
    GET /authors -> [Author]
    POST /authors Author -> 201 Author
    GET /authors/{authorId} -> Author
    DELETE /authors/{authorId} -> 204
    GET /books -> [Book]
    addBook: POST /books ${post}
    POST /books/bulk [Book] -> 201 [Book], 4XX object
    GET /books/{bookId} -> Book
    PUT /books/{bookId} Book -> Book, 400 object
    PATCH /books/{bookId} Book -> Book, 409 object
    ${more}
    `,
    { Author: '{ readonly id: int, name }', AuthorId: authorId, Book: item },
  );
}

const send = withJson;
const refused = (status: number) => ({
  status,
  json: {
    message:
      'The body is not valid for an item of books. "authorId" must be the id of an item of authors, but none has 99.',
  },
});

it('refuses a reference to an item that is not there as the document says', async () => {
  const { call } = await serveDocument(library());
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
  const { call } = await serveDocument(library());
  for (const authorId of [1, null, undefined])
    expect((await call('/books', send('POST', { title: 'Emma', authorId }))).status).toBe(201);
  expect((await call('/authors/1', { method: 'DELETE' })).status).toBe(204);
  const changed = { title: 'Persuasion', authorId: 1 };
  expect((await call('/books/3', send('PUT', changed))).status).toBe(200);
  expect((await call('/books/4', send('PUT', changed))).status).toBe(400);
});

it('accepts any reference where no answer to a wrong one is described', async () => {
  const { call } = await serveDocument(
    library(named, { post: 'Book -> 201 Book, 401 object, 500 object' }),
  );
  const sent = { title: 'Emma', authorId: 99 };
  expect(await call('/books', send('POST', sent))).toMatchObject({ status: 201, json: sent });
});

it('holds references in bodies that hold the item', async () => {
  const { call } = await serveDocument(
    library(named, { post: '{ book!: Book } -> 201 { book: Book }, 422 object' }),
  );
  const sent = { book: { title: 'Emma', authorId: 99 } };
  expect(await call('/books', send('POST', sent))).toMatchObject(refused(422));
});

it('takes what x-twin says a property refers to', async () => {
  const writer = { ...named, 'x-twin': { references: '/authors' } };
  const item = '{ readonly id: int, title!, writer: AuthorId }';
  const { call } = await serveDocument(library(writer, { item }));
  expect((await call('/books', send('POST', { title: 'Emma', writer: 99 }))).status).toBe(422);
  expect((await call('/books')).json.map((one: { writer: number }) => one.writer)).toEqual([1, 2]);

  const authorId = { ...named, 'x-twin': { references: 'none' } };
  const item2 = '{ readonly id: int, title, authorId: AuthorId }';
  const free = await serveDocument(library(authorId, { item: item2 }));
  expect((await free.call('/books', send('POST', { authorId: 99 }))).status).toBe(201);
});

it('warns of an x-twin of a property that says something else', async () => {
  const authorId = { type: 'integer', 'x-twin': { references: 'authors' } };
  const { origin } = await serveDocument(library(authorId));
  const version = await (await fetch(`${origin}/__admin/version`)).json();
  expect(JSON.stringify(version)).toContain(
    'it is not { references: /PATH } or { references: none } and is ignored',
  );
});

it('shows calls with references to what is there', async () => {
  const more = `
    GET /authors/{authorId}/notes -> [Book]
    addNote: POST /authors/{authorId}/notes Book -> 201 Book`;
  const { call, document, app } = await serveDocument(library(named, { more }));
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
