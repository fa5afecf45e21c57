import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportWarnings } from '../cli/report-warnings.ts';
import { createProgressLine } from '../cli/show-progress.ts';
import { toUsageError, UsageError } from '../cli/usage-error.ts';
import { outliveReaders } from '../command/outlive-readers.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { toVisible } from '../look/visible.ts';
import { createReference } from '../reference/reference.ts';
import { SiteError, writeSite } from './write-site.ts';

const toHelpText = (
  command: string,
) => `petstore-twin docs: writes the reference of an OpenAPI document as a static site

Usage: ${command} --out DIR [options]

  --out DIR         folder to write to, created if missing
  --spec FILE       OpenAPI or Swagger document, a file or its URL (default: the built-in one)
  --overlay FILE    OpenAPI Overlay that corrects the document; several, separated by commas
  --strict-spec     refuse a document with a part that cannot be used, instead of leaving it out
  --help, -h        show this help

The site needs no server and no network: open index.html from disk, or publish the folder. A second
run replaces the files of the first. Other files in the folder are left alone, and never overwritten.

Exit codes: 0 written, 2 could not be written.
`;

/** Runs the command and gives its exit code: 0 where the site is written, 2 where it cannot be. */
export async function runCommand(
  args: readonly string[],
  { command }: { command: string },
): Promise<0 | 2> {
  outliveReaders();
  try {
    await run(args, command);
    return 0;
  } catch (error) {
    const known = [UsageError, DocumentError, SiteError].some((kind) => error instanceof kind);
    if (!known) throw error;
    process.stderr.write(`petstore-twin docs: ${(error as Error).message}\n`);
    return 2;
  }
}

async function run(args: readonly string[], command: string): Promise<void> {
  const { out, spec, overlay, 'strict-spec': isStrict = false, help } = readArguments(args);
  if (help) {
    process.stdout.write(toHelpText(command));
    return;
  }
  if (out === undefined || out === '')
    throw new UsageError('Name the folder to write to: --out DIR. See --help.');
  const document = await loadDocument(spec ?? builtInDocument, {
    overlay,
    allowsSamePaths: true,
    isStrict,
  });
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
  process.stdout.write(
    `Wrote the reference of ${toVisible(`${document.title} ${document.version}`)}, ${reference.paths.length} files. Open ${join(out, 'index.html')}.\n`,
  );
}

function readArguments(args: readonly string[]) {
  const options = {
    out: { type: 'string' },
    spec: { type: 'string' },
    overlay: { type: 'string' },
    'strict-spec': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw toUsageError(error as Error, Object.keys(options));
  }
}
