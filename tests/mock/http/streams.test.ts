import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const whole = schemaOf('{ whole!: true }');
/** A document whose GET has the content, and more lines. */
const withContent = (path: string, content: object, lines = '', schemas = {}) =>
  documentOf(`GET ${path} -> 200\n${lines}`, schemas, {
    operations: { [`GET ${path}`]: { responses: contentOf(content) } },
  });
const contentOf = (content: object) => ({ 200: { description: 'Fine.', content } });
const accept = (type: string) => ({ headers: { Accept: type } });

it('answers with the sequence that Accept chooses beside JSON', async () => {
  const content = {
    'application/json': { schema: whole },
    'application/x-ndjson': { itemSchema: schemaOf('{ n!: 1 }') },
    'text/event-stream; charset=utf-8': { itemSchema: schemaOf('{ data!: "a" }') },
  };
  const { call } = await serveDocument(withContent('/chat', content), { strictRequests: true });
  expect(await call('/chat')).toMatchObject({ json: { whole: true } });
  expect(await call('/chat', accept('application/json, text/event-stream'))).toMatchObject({
    json: { whole: true },
  });
  expect(await call('/chat', accept('text/event-stream'))).toMatchObject({
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    text: 'data: a\n\n'.repeat(3),
  });
  expect(await call('/chat', accept('application/x-ndjson'))).toMatchObject({
    status: 200,
    type: 'application/x-ndjson',
    text: '{"n":1}\n'.repeat(3),
  });
  expect(await call('/chat', accept('application/json-seq'))).toMatchObject({ status: 406 });
});

it.each([
  ['a list', '[Note]', { itemSchema: schemaOf('Note') }],
  ['a list beside an item', '[Note]', { schema: schemaOf('Note') }],
  ['a list beside a list', '[Note]', { schema: schemaOf('[Note]') }],
  ['a list in an object', '{ data!: [Note], total!: int }', { itemSchema: schemaOf('Note') }],
])('sends the stored items of %s as a sequence', async (_, list, lines) => {
  const content = {
    'application/json': { schema: schemaOf(list) },
    'application/jsonl': lines,
  };
  const Note = '{ id: int, text! }';
  const { call } = await serveDocument(
    withContent('/notes', content, 'POST /notes Note -> 201 Note', { Note }),
    { pets: 0 },
  );
  for (const text of ['a', 'b']) await call('/notes', withJson('POST', { text }));
  expect(await call('/notes', accept('application/jsonl'))).toMatchObject({
    type: 'application/jsonl',
    text: '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n',
  });
});

it.each([
  ['an item', { schema: schemaOf('Note') }],
  ['a list', { schema: schemaOf('[Note]') }],
  ['items', { itemSchema: schemaOf('Note') }],
])('lists what is stored as JSON Lines alone, described as %s', async (_, content) => {
  const lines = 'POST /notes { text! } -> 201 Note\nGET /notes/{id} -> Note';
  const { call } = await serveDocument(
    withContent('/notes', { 'application/x-ndjson': content }, lines, {
      Note: '{ id!: int, text! }',
    }),
    { pets: 1 },
  );
  await call('/notes', withJson('POST', { text: 'a' }));
  const { type, text } = await call('/notes');
  expect(type).toBe('application/x-ndjson');
  expect(text).toMatch(/^\{"id":1,.*\}\n\{"id":2,"text":"a"\}\n$/);
});

it.each([
  ['objects without fields of events', schemaOf('{ level!: "info" }'), '{"level":"info"}'],
  ['lists', { const: [1, 2] }, '[1,2]'],
  ['null', { type: 'null' }, 'null'],
])('sends %s as the data of events', async (_, itemSchema, data) => {
  const { call } = await serveDocument(
    withContent('/log', { 'text/event-stream': { itemSchema } }),
  );
  expect((await call('/log')).text).toBe(`data: ${data}\n\n`.repeat(3));
});

it('sends events of a schema where the body asks for a stream, and ends them as the document shows', async () => {
  const responses = contentOf({
    'application/json': { schema: whole },
    'text/event-stream': { schema: schemaOf('{ id!: "a", choices!: Choices }') },
  });
  const stream = { $ref: '#/components/schemas/Stream' };
  const requestBody = jsonOf({ type: 'object', properties: { stream } });
  const { call } = await serveDocument(
    documentOf(
      'POST /chat object -> 200\nPOST /plain object -> 200',
      {
        Choices: { const: ['x'] },
        Stream: { type: 'boolean', description: 'Ends with `data: [DONE]`.' },
      },
      { operations: { 'POST /chat': { requestBody, responses }, 'POST /plain': { responses } } },
    ),
  );
  const ask = (path: string, body: object) =>
    call(path, withJson('POST', body, { Accept: 'application/json' }));
  expect(await ask('/chat', { stream: false })).toMatchObject({ json: { whole: true } });
  const event = 'data: {"id":"a","choices":["x"]}\n\n';
  expect(await ask('/chat', { stream: true })).toMatchObject({
    status: 200,
    type: 'text/event-stream',
    text: `${event.repeat(3)}data: [DONE]\n\n`,
  });
  expect((await ask('/plain', { stream: true })).text).toBe(event.repeat(3));
});
