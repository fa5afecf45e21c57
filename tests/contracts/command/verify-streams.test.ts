import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const reading = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, unit: { enum: ['K', 'C'] } },
};
const event = { type: 'object', required: ['data'], properties: { data: { type: 'string' } } };

const writeReadings = (mediaType: string, itemSchema?: object) =>
  writeJson({
    openapi: '3.2.0',
    info: { title: 'Readings', version: '1' },
    paths: {
      '/readings': {
        get: {
          operationId: 'stream',
          responses: {
            200: {
              description: 'ok',
              content: {
                [mediaType]: {
                  itemSchema: itemSchema ?? (mediaType.startsWith('text/') ? event : reading),
                },
              },
            },
          },
        },
      },
    },
  });

async function verifyText(mediaType: string, text: string, itemSchema?: object) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': mediaType }).end(text);
  });
  onTestFinished(() => void server.close());
  const target = { url: await listenOn(server), keys: [] };
  return verify({
    allowWrites: true,
    target,
    twin: false,
    spec: await writeReadings(mediaType, itemSchema),
  });
}

const jsonl = 'application/jsonl';

it.each([
  [jsonl, '{"id":1}\n{"id":2,"unit":"K"}\n'],
  [jsonl, ''],
  ['application/x-ndjson', '{"id":1}\r\n\r\n{"id":2}'],
  ['application/json-seq', '\u001e{"id":1}\n\u001e{"id":2}\n'],
  ['text/event-stream', 'id: 1\ndata: {"id":1}\n\n'],
  ['text/event-stream', ': hello\n\nid: 1\ndata: one\ndata:two\n\ndata\n\ndata: cut'],
])('finds nothing wrong with %s whose items fit: %j', async (mediaType, text) => {
  const { findings, clauses } = await verifyText(mediaType, text);
  expect(findings).toEqual([]);
  const streamed = clauses.find(({ id }) => id === 'streamed-items');
  expect(streamed?.results.target?.verdict).toBe('kept');
});

it.each([
  [jsonl, '{"id":1}\n{"unit":"K"}\n', /^stream streams an item that breaks .*\[1\]\.id is missing/],
  [jsonl, '{"id":1}\nend', /^stream streams an item that is not JSON: item 2$/],
  ['application/json-seq', '\u001e{"id":"1"}\n', /\[0\]\.id is /],
  ['text/event-stream', 'id: 1\n\n', /\[0\]\.data is missing/],
])('finds that an item of %s does not fit: %j', async (mediaType, text, message) => {
  const { findings } = await verifyText(mediaType, text);
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([
    ['streamed-items', 'drift'],
  ]);
  expect(findings[0]?.message).toMatch(message);
});

it.each([
  [jsonl, '{"id":1}\n', '{"id":2', []],
  ['text/event-stream', 'data: {"id":1}\n\n', 'data: {"i', []],
  [jsonl, '{"unit":"K"}\n', '{"id":2', ['streamed-items']],
])('judges what came of a stream of %s that does not end: %j', async (type, text, rest, found) => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': type });
    if (request.method === 'HEAD') return response.end();
    response.write(text + rest);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const target = { url: await listenOn(server), keys: [] };
  const spec = await writeReadings(type, reading);
  const { findings, incomplete } = await verify({ allowWrites: true, target, twin: false, spec });
  expect(findings.map(({ check }) => check)).toEqual(found);
  expect(incomplete).toEqual([]);
});

it('takes the schema of events for that of their data, too', async () => {
  const stream = 'text/event-stream';
  const { findings } = await verifyText(stream, 'event: add\ndata: {"id":1}\n\n', reading);
  expect(findings).toEqual([]);
  const { findings: found } = await verifyText(stream, 'data: {"unit":1}\n\n', reading);
  expect(found.map(({ check }) => check)).toEqual(['streamed-items']);
});

it('takes "[DONE]" for the end of an event stream, and for no item', async () => {
  const stream = 'text/event-stream';
  const { findings } = await verifyText(stream, 'data: {"id":1}\n\ndata: [DONE]\n\n', reading);
  expect(findings).toEqual([]);
  const { findings: found } = await verifyText(stream, 'data: [DONE]\n\ndata: 1\n\n', reading);
  expect(found.map(({ check }) => check)).toEqual(['streamed-items']);
});

it.each([jsonl, 'application/json-seq', 'text/event-stream'])(
  'finds nothing wrong with what the twin streams as %s',
  async (mediaType) => {
    const { findings, clauses } = await verify({ spec: await writeReadings(mediaType) });
    expect(findings).toEqual([]);
    const streamed = clauses.find(({ id }) => id === 'streamed-items');
    expect(streamed?.results.twin?.verdict).toBe('kept');
  },
);
