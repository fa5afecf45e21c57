import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prism } from '../../bench/contenders.ts';
import { fetchPeers } from '../../bench/peers.ts';
import type { Contender } from '../../bench/server-process.ts';
import { countState } from '../count-state.ts';
import type { Call } from '../send.ts';
import { createToCall } from '../to-call.ts';
import { openDocument } from '../try-document.ts';
import { writePage } from '../write-page.ts';
import { fetchDocuments } from './fetch-documents.ts';
import { type Figures, measureServer } from './measure-server.ts';
import { type LargeRow, toLargePage } from './to-large-page.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const usage = `Serves the documents of large APIs by petstore-twin and Prism, and writes docs/large-documents.md.

Usage: npm run corpus:large -- [FILE ...]

  FILE      documents to measure instead; the page goes to standard output
  --help    show this help

Fetches the documents (75 MB) and Prism into the folder for temporary files.
`;

await writePage({
  usage,
  page: 'docs/large-documents.md',
  findDocuments: fetchDocuments,
  async make(documents) {
    const peers = fetchPeers();
    const rows: LargeRow[] = [];
    for (const { file, name } of documents) {
      const { basePath, calls, ...counts } = await readCalls(file);
      const figures: Record<string, Figures | undefined> = {};
      for (const contender of [twinOf(file, basePath), prism(peers, file)])
        figures[contender.name] = await measureServer(contender, calls);
      rows.push({ name, ...counts, figures });
      process.stderr.write(`${name}\n`);
    }
    const mocks = {
      'petstore-twin': readVersion(root),
      Prism: readVersion(join(peers, 'node_modules/@stoplight/prism-cli')),
    };
    const load = (loadavg()[0] ?? 0).toFixed(1);
    const machine = `Node ${process.version}, ${cpus().length} CPUs, load average ${load}`;
    return toLargePage(rows, { mocks, date: new Date().toISOString().slice(0, 10), machine });
  },
});

/** The calls that the start page shows of a document, each with a demo key. */
async function readCalls(file: string) {
  const twin = await openDocument(file);
  try {
    const { operations, basePath } = twin.document;
    const toCall = createToCall(twin);
    const calls: Call[] = [];
    for (const operation of operations) {
      const { call } = await toCall(operation);
      if (call) calls.push(call);
    }
    return { basePath, calls, operations: operations.length, ...countState(operations) };
  } finally {
    await twin.close();
  }
}

function twinOf(file: string, basePath: string): Contender {
  const settings = ['--disable-banner', '--log-level', 'error', '--rate-limits', 'off'];
  return {
    name: 'petstore-twin',
    basePath,
    args: (port) => [
      ...[join(root, 'mock/start.js'), '--spec', file, '--port', String(port)],
      ...settings,
    ],
  };
}

function readVersion(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
