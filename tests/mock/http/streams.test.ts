import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const line = object({ n: { const: 1 } });
const chunk = object({ data: { const: 'a' } });
const contentOf = (content: object) => ({ 200: { description: 'Fine.', content } });
const accept = (type: string) => ({ headers: { Accept: type } });

it('answers with the sequence that Accept chooses beside JSON', async () => {
  const responses = contentOf({
    'application/json': { schema: object({ whole: { const: true } }) },
    'application/x-ndjson': { itemSchema: line },
    'text/event-stream; charset=utf-8': { itemSchema: chunk },
  });
  const { call } = await serveDocument(toDocument({ '/chat': { get: { responses } } }), {
    strictRequests: true,
  });
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
  ['a list', (schema: object) => schema],
  ['a list in an object', (data: object) => object({ data, total: { type: 'integer' } })],
])('sends the stored items of %s as a sequence', async (_, wrap) => {
  const note = object({ id: { type: 'integer' }, text: { type: 'string' } }, ['text']);
  const content = {
    ...(jsonOf(wrap({ type: 'array', items: note })) as { content: object }).content,
    'application/jsonl': { itemSchema: note },
  };
  const { call } = await serveDocument(
    toDocument({
      '/notes': {
        get: { responses: contentOf(content) },
        post: {
          requestBody: jsonOf(note),
          responses: { 201: jsonOf(note) },
        },
      },
    }),
    { pets: 0 },
  );
  for (const text of ['a', 'b']) await call('/notes', withJson('POST', { text }));
  expect(await call('/notes', accept('application/jsonl'))).toMatchObject({
    type: 'application/jsonl',
    text: '{"id":1,"text":"a"}\n{"id":2,"text":"b"}\n',
  });
});

it.each([
  ['objects without fields of events', object({ level: { const: 'info' } }), '{"level":"info"}'],
  ['lists', { const: [1, 2] }, '[1,2]'],
  ['null', { type: 'null' }, 'null'],
])('sends %s as the data of events', async (_, itemSchema, data) => {
  const responses = contentOf({ 'text/event-stream': { itemSchema } });
  const { call } = await serveDocument(toDocument({ '/log': { get: { responses } } }));
  expect((await call('/log')).text).toBe(`data: ${data}\n\n`.repeat(3));
});

it('sends events of a schema where the body asks for a stream, and ends them as the document shows', async () => {
  const piece = object({ id: { const: 'a' }, choices: { const: ['x'] } });
  const content = {
    ...{ 'application/json': { schema: object({ whole: { const: true } }) } },
    'text/event-stream': { schema: piece },
  };
  const stream = { type: 'boolean', description: 'Ends with `data: [DONE]`.' };
  const post = {
    requestBody: jsonOf({ type: 'object', properties: { stream } }),
    responses: contentOf(content),
  };
  const plain = { ...post, requestBody: jsonOf({ type: 'object' }) };
  const { call } = await serveDocument(
    toDocument({ '/chat': { post }, '/plain': { post: plain } }),
  );
  const ask = (path: string, body: object) =>
    call(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    });
  expect(await ask('/chat', { stream: false })).toMatchObject({ json: { whole: true } });
  const event = 'data: {"id":"a","choices":["x"]}\n\n';
  expect(await ask('/chat', { stream: true })).toMatchObject({
    status: 200,
    type: 'text/event-stream',
    text: `${event.repeat(3)}data: [DONE]\n\n`,
  });
  expect((await ask('/plain', { stream: true })).text).toBe(event.repeat(3));
});
