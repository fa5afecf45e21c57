import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const properties = { name: text, note: text };
const book = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, ...properties },
};
const answer = { responses: { 200: jsonOf(book) } };

/** What a PUT of the name alone leaves of a book that has a note, by the schema of its body. */
async function replaceName(body: object): Promise<unknown> {
  const { send } = await serveDocument(
    toDocument({
      '/books': { post: { requestBody: jsonOf(book), responses: { 201: jsonOf(book) } } },
      '/books/{id}': {
        parameters: [pathParameter('id')],
        get: answer,
        put: { requestBody: jsonOf(body), ...answer },
      },
    }),
  );
  const { id } = (await send('POST', '/books', { name: 'Emma', note: 'signed' })).json;
  await send('PUT', `/books/${id}`, { name: 'Persuasion' });
  const { id: _, ...left } = (await send('GET', `/books/${id}`)).json;
  return left;
}

it.each([
  ['requires nothing', { type: 'object', properties }],
  [
    'lacks a property of the item',
    { type: 'object', required: ['name'], properties: { name: text } },
  ],
])('keeps what a PUT does not name whose body %s', async (_, body) => {
  expect(await replaceName(body)).toEqual({ name: 'Persuasion', note: 'signed' });
});

it('replaces an item by a PUT whose body is a whole one', async () => {
  expect(await replaceName(book)).toEqual({ name: 'Persuasion' });
});

it('sets what the schema of a body has, though that of answers calls all of it readOnly', async () => {
  const shown = Object.entries({ id: { type: 'integer' }, ...properties }).map(
    ([name, schema]) => [name, { ...schema, readOnly: true }] as const,
  );
  const answer = { type: 'object', properties: Object.fromEntries(shown) };
  const sent = { type: 'object', properties: { name: text } };
  const { send } = await serveDocument(
    toDocument({
      '/books': { post: { requestBody: jsonOf(sent), responses: { 201: jsonOf(answer) } } },
      '/books/{id}': {
        parameters: [pathParameter('id')],
        get: { responses: { 200: jsonOf(answer) } },
        put: { requestBody: jsonOf(sent), responses: { 200: jsonOf(answer) } },
      },
    }),
  );
  const { json } = await send('POST', '/books', { name: 'Emma', note: 'signed' });
  expect(json).toMatchObject({ name: 'Emma' });
  expect(json.note).not.toBe('signed');
  await send('PUT', `/books/${json.id}`, { name: 'Persuasion' });
  expect((await send('GET', `/books/${json.id}`)).json).toMatchObject({ name: 'Persuasion' });
});
