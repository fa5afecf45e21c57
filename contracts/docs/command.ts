import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createCommand } from '../../common/cli/create-command.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { createReference, type Reference } from '../../reference/reference.ts';
import { runOptions } from '../command/options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { readDocument } from '../document/read-document.ts';

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

/** The file that lists the files of a run, so that the next one replaces these and no others. */
const manifestFile = '.petstore-twin-docs.json';

/** The form of all paths of a reference; a list of files is not trusted. */
const ownPath = /^(?:(?:assets|operations|schemas)\/)?[\w-]+\.(?:css|html|js|json|svg|yaml)$/;

type WriteSiteOptions = {
  folder: string;
  /** The time that the pages go by, in Unix milliseconds. */
  now: number;
  /** Gets how many files are written. */
  onFile?: (count: number) => void;
};

/**
 * Writes a reference into a folder, which is made if there is none. Throws a {@link UsageError} where
 * it cannot, or where a file of somebody else would be overwritten.
 */
export async function writeSite(
  { paths, render }: Reference,
  { folder, now, onFile }: WriteSiteOptions,
): Promise<void> {
  const before = await readManifest(folder);
  for (const path of paths) if (!before.has(path)) await refuseForeign(join(folder, path));
  for (const place of new Set(['.', ...paths.map(dirname)]))
    await attempt(join(folder, place), () => mkdir(join(folder, place), { recursive: true }));
  const write = (path: string, text: string) =>
    attempt(join(folder, path), () => writeFile(join(folder, path), text));
  await write(manifestFile, JSON.stringify({ files: [...new Set([...before, ...paths])] }));
  let count = 0;
  for (const path of paths) {
    await write(path, render(path, { now })?.text ?? '');
    onFile?.(++count);
  }
  for (const path of before)
    if (!paths.includes(path))
      await attempt(join(folder, path), () => rm(join(folder, path), { force: true }));
  await write(manifestFile, JSON.stringify({ files: paths }));
}

/** The files of the run before this one; none where there was none. */
async function readManifest(folder: string): Promise<Set<string>> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => '');
  try {
    const { files } = JSON.parse(text);
    return new Set((files as unknown[]).map(String).filter((path) => ownPath.test(path)));
  } catch {
    return new Set();
  }
}

async function refuseForeign(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new UsageError(
      `${file} exists and is not from this command, so it is not overwritten. Move it, or name another --out.`,
    );
}

async function attempt(file: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file} cannot be written (${code ?? message}). Name another folder with --out.`,
    );
  }
}
