import { expect, it } from 'vitest';
import { pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

type Write = (example: unknown) => unknown;

const shownAs = (write: Write) => (example: unknown, schema?: object) => ({
  description: 'Fine.',
  content: { 'application/json': { ...(schema && { schema }), example: write(example) } },
});
const cup = { id: 42, name: 'Mug', volume: 0.3, tags: ['blue'], owner: { name: 'Ann' }, lid: null };
const body = {
  required: true,
  content: { 'application/json': { schema: { type: 'object' } } },
};

/** Answers of which only examples tell the form, in a wrapper; a schema of one says no more. */
const documentOf = (shown: ReturnType<typeof shownAs>) =>
  toDocument({
    '/cups': {
      get: { operationId: 'listCups', responses: { 200: shown({ code: 200, data: [cup] }) } },
      post: {
        operationId: 'addCup',
        requestBody: body,
        responses: { 201: shown({ code: 201, data: { ...cup, lid: 'tin' } }, { type: 'object' }) },
      },
    },
    '/cups/{cup_id}': {
      parameters: [pathParameter('cup_id')],
      get: { operationId: 'getCup', responses: { 200: shown({ code: 200, data: cup }) } },
      delete: { operationId: 'dropCup', responses: { 200: shown({ code: 200, data: true }) } },
    },
  });

it.each<[string, Write]>([
  ['values', (example) => example],
  ['texts of JSON', (example) => JSON.stringify(example)],
])('keeps state where only examples that are %s say what is answered', async (_, write) => {
  const document = documentOf(shownAs(write));
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
  const document = documentOf(shownAs((example) => example));
  const { send } = await serveDocument(document, { pets: 3 });
  expect(await send('POST', '/cups', { name: 7 })).toMatchObject({ status: 201 });
});
