import { join } from 'node:path';
import { createCommand } from '../../common/cli/create-command.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { createReference } from '../../reference/reference.ts';
import { runOptions } from '../command/options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { readDocument } from '../document/read-document.ts';
import { writeSite } from './write-site.ts';

const table = {
  out: text({ value: 'DIR', help: 'folder to write to, created if missing' }),
  spec: runOptions.spec,
  overlay: runOptions.overlay,
  allowRefs: runOptions.allowRefs,
  strictSpec: runOptions.strictSpec,
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin docs: writes the reference of an OpenAPI document as a static site

Usage: ${command} --out DIR [options]

Options:
${toHelpLines(table)}

The site needs no server and no network: open index.html from disk, or publish the folder. A second
run replaces the files of the first. Other files in the folder are left alone, and never overwritten.

Exit codes: 0 written, 2 could not be written.
`;

/** Runs the command and gives its exit code: 0 where the site is written, 2 where it cannot be. */
export const runCommand = createCommand({
  name: 'docs',
  table,
  toHelpText,
  example: '--out DIR or --spec FILE',
  run: async (options) => {
    await writeReference(options);
    return 0;
  },
});

async function writeReference({ out, ...given }: OptionsOf<typeof table>): Promise<void> {
  if (out === undefined || out === '')
    throw new UsageError('Name the folder to write to: --out DIR. See --help.');
  const document = await readDocument(given);
  reportWarnings('docs', document);
  const reference = createReference(document);
  const progress = createProgressLine();
  const total = reference.paths.length.toLocaleString('en');
  const onFile = (count: number) =>
    progress.show(`${count.toLocaleString('en')} of ${total} files`);
  try {
    await writeSite(reference, { folder: out, now: Date.now(), onFile });
  } finally {
    progress.clear();
  }
  const about = `${document.title} ${document.version}, ${reference.paths.length} files`;
  print(`${toVisible(`Wrote the reference of ${about}. Open ${join(out, 'index.html')}.`)}\n`);
}
