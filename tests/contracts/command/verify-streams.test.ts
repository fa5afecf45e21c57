import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

it('reads a stream that does not end for a moment, and finds nothing wrong with it', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const content = { 'text/event-stream': { itemSchema: { type: 'object' } } };
  const responses = { 200: { description: 'ok', content } };
  const spec = await writeJson({
    openapi: '3.2.0',
    info: { title: 'Readings', version: '1' },
    paths: { '/readings': { get: { operationId: 'stream', responses } } },
  });
  const target = { url: await listenOn(server), keys: [] };
  const { findings } = await verify({ allowWrites: true, target, twin: false, spec });
  expect(findings).toEqual([]);
});
