import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

type Write = (example: unknown) => unknown;

const shownAs = (write: Write) => (example: unknown, schema?: object) => ({
  description: 'Fine.',
  content: { 'application/json': { ...(schema && { schema }), example: write(example) } },
});
const cup = { id: 42, name: 'Mug', volume: 0.3, tags: ['blue'], owner: { name: 'Ann' }, lid: null };

/** Answers of which only examples tell the form, in a wrapper; a schema of one says no more. */
const cupsOf = (shown: ReturnType<typeof shownAs>) => {
  const created = shown({ code: 201, data: { ...cup, lid: 'tin' } }, { type: 'object' });
  const lines = `
    listCups: GET /cups -> 200
    addCup: POST /cups object! -> 201
    getCup: GET /cups/{cup_id} -> 200
    dropCup: DELETE /cups/{cup_id} -> 200`;
  const operations = {
    'GET /cups': { responses: { 200: shown({ code: 200, data: [cup] }) } },
    'POST /cups': { responses: { 201: created } },
    'GET /cups/{cup_id}': { responses: { 200: shown({ code: 200, data: cup }) } },
    'DELETE /cups/{cup_id}': { responses: { 200: shown({ code: 200, data: true }) } },
  };
  return documentOf(lines, {}, { operations });
};

it.each<[string, Write]>([
  ['values', (example) => example],
  ['texts of JSON', (example) => JSON.stringify(example)],
])('keeps state where only examples that are %s say what is answered', async (_, write) => {
  const document = cupsOf(shownAs(write));
  const { send, document: read } = await serveDocument(document, { pets: 3 });
  expect(read.operations.map(({ kind }) => kind)).toEqual(['list', 'create', 'read', 'delete']);
  const sent = { name: 'Jar', volume: 1, tags: [], owner: { name: 'Bo' }, lid: 'cork' };
  const created = await send('POST', '/cups', sent);
  expect(created).toMatchObject({ status: 201, json: { data: sent } });
  const { id } = (created.json as { data: { id: number } }).data;
  expect(await send('GET', `/cups/${id}`)).toMatchObject({ json: { code: 200, data: sent } });
  const listed = await send('GET', '/cups');
  expect(listed.json).toMatchObject({ code: 200, data: expect.arrayContaining([{ ...sent, id }]) });
  expect(await send('DELETE', `/cups/${id}`)).toMatchObject({ status: 200 });
  expect(await send('GET', `/cups/${id}`)).toMatchObject({ status: 404 });
});

it('asks nothing of a body because an example has it', async () => {
  const document = cupsOf(shownAs((example) => example));
  const { send } = await serveDocument(document, { pets: 3 });
  expect(await send('POST', '/cups', { name: 7 })).toMatchObject({ status: 201 });
});
