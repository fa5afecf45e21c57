import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

/** A call of a twin of droplets with records, whose ids have a schema and examples. */
async function serve(Id: object, ...examples: unknown[]) {
  const document = documentOf(
    `
    GET /droplets -> [Thing]
    POST /droplets { name } -> 201 Thing
    GET /droplets/{droplet} -> Thing
    DELETE /droplets/{droplet} -> 204
    GET /droplets/{droplet}/records -> [Thing]
    GET /droplets/{droplet}/records/{record} -> Thing
    `,
    { Id, Thing: '{ id: Id, name }' },
  );
  const give = (parameter: object, at: number) =>
    Object.assign(parameter, {
      schema: Id,
      ...(examples[at] !== undefined && { example: examples[at] }),
    });
  for (const { parameters, delete: remove } of Object.values(document.paths)) {
    (parameters ?? []).forEach(give);
    if (remove) remove.parameters = [give({ ...parameters[0] }, 1)];
  }
  return (await serveDocument(document, { pets: 3 })).send;
}

it.each([
  ['numbers', { type: 'integer' }, 3_164_444, 512_189],
  ['texts', { type: 'string' }, 'card_oubs0hwk5rn6', 'card_nested'],
  ['UUIDs', { type: 'string', format: 'uuid' }, 'bb4b2611-3d72-467b-8602-280330ecd65c', undefined],
])('holds the items that examples of paths name by %s', async (_, id, first, second) => {
  const call = await serve(id, first, second);
  expect((await call('GET', `/droplets/${first}`)).json).toMatchObject({ id: first });
  expect((await call('GET', '/droplets')).json).toHaveLength(3);
  if (second === undefined) return;
  const nested = await call('GET', `/droplets/${first}/records/${second}`);
  expect(nested).toMatchObject({ status: 200, json: { id: second } });
  expect((await call('DELETE', `/droplets/${second}`)).status).toBe(204);
});

it('counts on from the greatest number that an example shows', async () => {
  const call = await serve({ type: 'integer' }, 3_164_444);
  expect((await call('POST', '/droplets', { name: 'new' })).json.id).toBe(3_164_445);
});

it('counts from the number of items where an example shows one that is hardly ever reached', async () => {
  const call = await serve({ type: 'integer' }, 99_999_999_999_999);
  expect((await call('GET', '/droplets/99999999999999')).status).toBe(200);
  expect((await call('POST', '/droplets', { name: 'new' })).json.id).toBe(4);
});

it.each([
  ['is among the first numbers', { type: 'integer' }, 2],
  ['does not fit the schema', { type: 'integer', maximum: 1_000_000 }, 'many'],
])('counts ids from 1 where the example %s', async (_, id, example) => {
  const call = await serve(id, example);
  const ids = (await call('GET', '/droplets')).json.map((one: { id: number }) => one.id);
  expect(ids).toEqual([1, 2, 3]);
});

it.each([
  ['book-1', 'isbn: text'],
  [1, 'isbn: int'],
])('begins without the id %j that the example of a create names', async (isbn, property) => {
  const document = documentOf(
    `
    GET /books -> [Book]
    POST /books Book -> 201 Book, 409
    DELETE /books/{isbn:${typeof isbn === 'number' ? 'int' : 'text'}} -> 204
    `,
    { Book: `{ ${property.replace(':', '!:')}, title! }` },
    {
      operations: {
        'POST /books': {
          requestBody: {
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Book' },
                example: { isbn, title: 'Emma' },
              },
            },
          },
        },
      },
    },
  );
  const { call } = await serveDocument(document);
  expect((await call('/books')).json).toHaveLength(2);
  const create = async () =>
    (await call('/books', withJson('POST', { isbn, title: 'Emma' }))).status;
  expect(await create()).toBe(201);
  expect(await create()).toBe(409);
  expect((await call(`/books/${isbn}`, { method: 'DELETE' })).status).toBe(204);
  expect(await create()).toBe(201);
});
