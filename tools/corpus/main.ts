import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findDocuments } from './find-documents.ts';
import { type Row, toPage } from './to-table.ts';
import { tryDocument } from './try-document.ts';
import { describeReport, verifyDocument } from './verify-document.ts';

const page = fileURLToPath(new URL('../../docs/corpus.md', import.meta.url));

// Further documents may be named, which are shown and not written down.
const named = process.argv.slice(2).map((file) => ({ file, name: file }));
const rows: Row[] = [];
for (const { file, name } of named.length > 0 ? named : findDocuments()) {
  const trial = await tryDocument(file).catch((error: Error) => ({ problem: error.message }));
  const verified = await verifyDocument(file).then(describeReport, () => '');
  rows.push({ name, trial, verified });
  process.stderr.write(`${name}${'problem' in trial ? `: ${trial.problem}` : ''}\n`);
}
if (named.length > 0) process.stdout.write(toPage(rows));
else await writeFile(page, toPage(rows));
