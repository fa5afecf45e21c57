import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const book = '{ readonly id: int, name!, note }';
const books = (shown: string, created: string, replaced = created) =>
  documentOf(`
    POST /books ${created} -> 201 ${shown}
    GET /books/{id} -> ${shown}
    PUT /books/{id} ${replaced} -> ${shown}
  `);

/**
 * Returns what a PUT of the name alone leaves of a book that has a note, by the schema of its body.
 */
async function replaceName(body: string): Promise<unknown> {
  const { send } = await serveDocument(books(book, book, body));
  const { id } = (await send('POST', '/books', { name: 'Emma', note: 'signed' })).json;
  await send('PUT', `/books/${id}`, { name: 'Persuasion' });
  const { id: _, ...left } = (await send('GET', `/books/${id}`)).json;
  return left;
}

it.each([
  ['requires nothing', '{ name, note }'],
  ['lacks a property of the item', '{ name! }'],
])('keeps what a PUT does not name whose body %s', async (_, body) => {
  expect(await replaceName(body)).toEqual({ name: 'Persuasion', note: 'signed' });
});

it('replaces an item by a PUT whose body is a whole one', async () => {
  expect(await replaceName(book)).toEqual({ name: 'Persuasion' });
});

it('sets what the schema of a body has, though that of answers calls all of it readOnly', async () => {
  const shown = '{ readonly id: int, readonly name, readonly note }';
  const { send } = await serveDocument(books(shown, '{ name }'));
  const { json } = await send('POST', '/books', { name: 'Emma', note: 'signed' });
  expect(json).toMatchObject({ name: 'Emma' });
  expect(json.note).not.toBe('signed');
  await send('PUT', `/books/${json.id}`, { name: 'Persuasion' });
  expect((await send('GET', `/books/${json.id}`)).json).toMatchObject({ name: 'Persuasion' });
});
