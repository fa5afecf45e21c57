import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prism, scalar } from '../bench/contenders.ts';
import { fetchPeers } from '../bench/peers.ts';
import { compareDocument } from './compare-document.ts';
import { findDocuments } from './find-documents.ts';
import { type ComparedRow, toComparison } from './to-comparison.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const usage = `Serves the OpenAPI documents of docs/corpus.md by other mocks too, and writes docs/corpus-comparison.md.

Usage: npm run corpus:compare -- [FILE ...]

  FILE      documents to try instead; the page goes to standard output
  --help    show this help

Fetches Prism and Scalar's mock server into the folder for temporary files, as npm run bench does.
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
});

if (values.help) process.stdout.write(usage);
else await main(positionals.map((file) => ({ file, name: file })));

async function main(named: { file: string; name: string }[]): Promise<void> {
  const peers = fetchPeers();
  const rows: ComparedRow[] = [];
  for (const { file, name } of named.length > 0 ? named : findDocuments()) {
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
  const page = toComparison(rows, { mocks, date: new Date().toISOString().slice(0, 10) });
  if (named.length > 0) process.stdout.write(page);
  else await writeFile(join(root, 'docs/corpus-comparison.md'), page);
}

function readVersion(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
