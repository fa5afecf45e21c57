import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prism, scalar } from '../bench/contenders.ts';
import { fetchPeers } from '../bench/peers.ts';
import { compareDocument } from './compare-document.ts';
import { findDocuments } from './find-documents.ts';
import { type ComparedRow, toComparison } from './to-comparison.ts';
import { writePage } from './write-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `Serves the OpenAPI documents of docs/corpus.md by other mocks too, and writes docs/corpus-comparison.md.

Usage: npm run corpus:compare -- [FILE ...]

  FILE      documents to try instead; the page goes to standard output
  --help    show this help

Fetches Prism and Scalar's mock server into the folder for temporary files, as npm run bench does.
`;

await writePage({
  usage,
  page: 'docs/corpus-comparison.md',
  findDocuments,
  async make(documents) {
    const peers = fetchPeers();
    const rows: ComparedRow[] = [];
    for (const { file, name } of documents) {
      const compared = await compareDocument(file, [scalar(peers, file), prism(peers, file)]);
      rows.push({ name, ...compared });
      process.stderr.write(`${name}\n`);
      for (const [mock, { wrong }] of Object.entries(compared.outcomes))
        for (const answer of wrong) process.stderr.write(`  ${mock}: ${answer}\n`);
    }
    const mocks = {
      'petstore-twin': readVersion(root),
      Scalar: readVersion(join(peers, 'node_modules/@scalar/mock-server')),
      Prism: readVersion(join(peers, 'node_modules/@stoplight/prism-cli')),
    };
    return toComparison(rows, { mocks, date: new Date().toISOString().slice(0, 10) });
  },
});

function readVersion(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
