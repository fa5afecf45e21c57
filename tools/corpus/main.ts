import { describeDrawn } from './drawn-sets.ts';
import { findDocuments } from './find-documents.ts';
import { readBackDocument } from './read-back.ts';
import { type Row, toPage } from './to-table.ts';
import { tryDocument } from './try-document.ts';
import { describeReport, verifyDocument } from './verify-document.ts';
import { writePage } from './write-page.ts';

const usage = `Serves and verifies OpenAPI documents of others, and writes what comes of it to docs/corpus.md.
Those that are drawn from a directory are fetched (50 MB) into the folder for temporary files.

Usage: npm run corpus -- [FILE ...]

  FILE      documents to try instead of those of docs/corpus.md; the table goes to standard output
  --help    show this help
`;

await writePage({
  usage,
  page: 'docs/corpus.md',
  findDocuments,
  async make(documents, isPage) {
    const rows: Row[] = [];
    for (const { file, name } of documents) {
      const trial = await tryDocument(file).catch((error: Error) => ({ problem: error.message }));
      const back = await readBackDocument(file).catch(() => undefined);
      const verified = await verifyDocument(file).then(describeReport, () => '');
      rows.push({ name, trial, back, verified });
      process.stderr.write(`${name}${'problem' in trial ? `: ${trial.problem}` : ''}\n`);
      const wrong = 'problem' in trial ? [] : trial.wrong;
      for (const one of [...wrong, ...(back?.lost ?? [])]) process.stderr.write(`  ${one}\n`);
    }
    return toPage(rows, isPage ? await describeDrawn() : '');
  },
});
