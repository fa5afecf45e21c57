import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';

// Scalar's mock server has no command line; this is the start that its documentation shows.
const [port, document = '', peers = ''] = process.argv.slice(2);
const load = (path: string) => import(pathToFileURL(join(peers, 'node_modules', path)).href);
const { createMockServer } = await load('@scalar/mock-server/dist/index.js');
const { serve } = await load('@hono/node-server/dist/index.mjs');
const { fetch } = await createMockServer({
  document: await $RefParser.parse(document),
  logger: false,
});
serve({ fetch, port: Number(port), hostname: '127.0.0.1' });
