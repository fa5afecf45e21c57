import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const properties = { name: text, note: text };
const book = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, ...properties },
};
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = { responses: { 200: { description: 'The book.', ...content(book) } } };

/** What a PUT of the name alone leaves of a book that has a note, by the schema of its body. */
async function replaceName(body: object): Promise<unknown> {
  const spec = await writeJson({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    paths: {
      '/books': {
        post: {
          requestBody: content(book),
          responses: { 201: { description: 'The new book.', ...content(book) } },
        },
      },
      '/books/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: answer,
        put: { requestBody: content(body), ...answer },
      },
    },
  });
  const { api } = await startTwin({ spec });
  const call = async (method: string, path: string, sent: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(api + path, { method, headers, body: JSON.stringify(sent) });
    return response.json();
  };
  const { id } = (await call('POST', '/books', { name: 'Emma', note: 'signed' })) as { id: number };
  await call('PUT', `/books/${id}`, { name: 'Persuasion' });
  const { id: _, ...left } = (await (await fetch(`${api}/books/${id}`)).json()) as { id: number };
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
