import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findDocuments } from './find-documents.ts';
import { type Row, toPage } from './to-table.ts';
import { tryDocument } from './try-document.ts';
import { describeReport, verifyDocument } from './verify-document.ts';

const page = fileURLToPath(new URL('../../docs/corpus.md', import.meta.url));

const usage = `Serves and verifies OpenAPI documents of others, and writes what comes of it to docs/corpus.md.

Usage: npm run corpus -- [FILE ...]

  FILE      documents to try instead of those of docs/corpus.md; the table goes to standard output
  --help    show this help
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', default: false } },
  allowPositionals: true,
});

if (values.help) process.stdout.write(usage);
else await main(positionals.map((file) => ({ file, name: file })));

async function main(named: { file: string; name: string }[]): Promise<void> {
  const rows: Row[] = [];
  for (const { file, name } of named.length > 0 ? named : findDocuments()) {
    const trial = await tryDocument(file).catch((error: Error) => ({ problem: error.message }));
    const verified = await verifyDocument(file).then(describeReport, () => '');
    rows.push({ name, trial, verified });
    process.stderr.write(`${name}${'problem' in trial ? `: ${trial.problem}` : ''}\n`);
  }
  if (named.length > 0) process.stdout.write(toPage(rows));
  else await writeFile(page, toPage(rows));
}
