import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseBaseUrl } from '../cli/base-url.ts';
import { count } from '../cli/count.ts';
import { createProgressLine } from '../cli/show-progress.ts';
import { toUsageError, UsageError } from '../cli/usage-error.ts';
import { whyUnwritable } from '../cli/why-unwritable.ts';
import { outliveReaders } from '../command/outlive-readers.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { isSkipped, readRecordings } from '../har/read-recordings.ts';
import { RecordingError } from '../har/recording-error.ts';
import { describeSkipped, type SkippedEntry } from '../har/skipped-entry.ts';
import { toVisible } from '../look/visible.ts';
import { createItemCollector, type ItemCollector } from './collect-items.ts';
import { toDataText } from './to-data-text.ts';

const toHelpText = (
  command: string,
) => `petstore-twin data: makes items for the mock from recorded responses

Usage: ${command} FILE.har [FILE ...] --base-url URL --out FILE.yaml [options]

  --base-url URL    the deployment whose responses count, including /v1
  --out FILE        file to write, .yaml or .json, for --data of the mock; replaced if it exists
  --fake-names      replace names by made-up ones, the same for the same name
  --seed N          seed of the made-up names (default 1)
  --spec FILE       OpenAPI or Swagger document, a file or its URL (default: the built-in one)
  --help, -h        show this help

Recordings are HARs of browsers, Playwright and proxies, or JSON Lines; see docs/recordings.md.

Exit codes: 0 written, 2 could not be written, or no items were found.
`;

/** Runs the command and gives its exit code: 0 where the file is written, 2 where it cannot be. */
export async function runCommand(
  args: readonly string[],
  { command }: { command: string },
): Promise<0 | 2> {
  outliveReaders();
  try {
    await run(args, command);
    return 0;
  } catch (error) {
    const known = [UsageError, DocumentError, RecordingError].some((kind) => error instanceof kind);
    if (!known) throw error;
    process.stderr.write(`petstore-twin data: ${toVisible((error as Error).message)}\n`);
    return 2;
  }
}

async function run(args: readonly string[], command: string): Promise<void> {
  const { values, positionals: files } = readArguments(args);
  if (values.help) {
    process.stdout.write(toHelpText(command));
    return;
  }
  const { out, format } = await readOut(values.out, files);
  const seed = readSeed(values.seed);
  const document = await loadDocument(values.spec ?? builtInDocument);
  if (values['base-url'] === undefined)
    throw new UsageError(
      `Name the deployment of the recording: --base-url URL, such as https://host${document.basePath}.`,
    );
  const baseUrl = parseBaseUrl(values['base-url'], document, 'base URL');
  const change = values['fake-names']
    ? (await import('./fake-names.ts')).createFakeNames(seed)
    : <Item>(item: Item) => item;
  const collector = createItemCollector({ document, baseUrl, change });
  for (const file of files) await collect(file, collector);
  const items = collector.items();
  if (items.size === 0) throw new UsageError(explainNothing(collector, baseUrl));
  const comment = `Items of ${baseUrl}, from recorded responses.`;
  await writeOut(out, toDataText(items, { format, comment }));
  const counts = [...items].map(([name, list]) => `${list.length.toLocaleString('en')} of ${name}`);
  process.stdout.write(
    `Wrote ${out}: ${counts.join(', ')}. Start the mock with --data ${out}.\n${describeRest(collector, baseUrl)}`,
  );
}

/** Reads a recording, and says which of its entries are broken. */
async function collect(file: string, collector: ItemCollector): Promise<void> {
  const progress = createProgressLine();
  const skipped: SkippedEntry[] = [];
  const megabytes = (bytes: number) => Math.round(bytes / 1e6).toLocaleString('en');
  try {
    const onProgress = ({ read, total }: { read: number; total: number }) =>
      progress.show(`${file}: ${megabytes(read)} of ${megabytes(total)} MB`);
    for await (const recording of readRecordings(file, { onProgress })) {
      if (!isSkipped(recording)) await collector.add(recording);
      else if (['broken', 'cut', 'too-long'].includes(recording.kind)) skipped.push(recording);
    }
  } finally {
    progress.clear();
  }
  const say = (text: string) => process.stderr.write(`petstore-twin data: ${toVisible(text)}.\n`);
  for (const one of skipped.slice(0, maxListed)) say(describeSkipped(file, one));
  const more = skipped.length - maxListed;
  if (more > 0) say(`${file}: ${count(more, 'more entry', 'more entries')} could not be read`);
}

/** How many broken entries of a file are listed; the others are counted. */
const maxListed = 10;

function explainNothing({ totals }: ItemCollector, baseUrl: string): string {
  if (totals.unfit > 0)
    return `No item fits the document: ${totals.firstProblem}. Name its document with --spec.`;
  const origins = [...totals.elsewhere.keys()].slice(0, 5);
  const seen = origins.length === 0 ? '' : ` There are calls to ${origins.join(', ')}.`;
  return `No list, read or create of ${baseUrl} succeeded with a recorded body.${seen}`;
}

function describeRest({ totals }: ItemCollector, baseUrl: string): string {
  const elsewhere = [...totals.elsewhere.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    ...(elsewhere === 0 ? [] : [`Left out ${count(elsewhere, 'call')} outside ${baseUrl}.`]),
    ...(totals.unfit === 0
      ? []
      : [
          `Left out ${count(totals.unfit, 'item')} that ${totals.unfit === 1 ? 'does' : 'do'} not fit the document: ${totals.firstProblem}.`,
        ]),
  ];
  return lines.map((line) => `${toVisible(line)}\n`).join('');
}

function readArguments(args: readonly string[]) {
  const options = {
    'base-url': { type: 'string' },
    out: { type: 'string' },
    'fake-names': { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    spec: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw toUsageError(error as Error, Object.keys(options));
  }
}

async function readOut(
  out: string | undefined,
  files: readonly string[],
): Promise<{ out: string; format: 'json' | 'yaml' }> {
  if (files.length === 0) throw new UsageError('Name a recording, such as calls.har. See --help.');
  const ending = extname(out ?? '').toLowerCase();
  if (out === undefined || !['.yaml', '.yml', '.json'].includes(ending))
    throw new UsageError('Name the file to write, which ends in .yaml or .json: --out FILE.');
  if (files.some((file) => resolve(file) === resolve(out)))
    throw new UsageError(`--out ${out} is a recording that is read. Name another file.`);
  const reason = await whyUnwritable(out);
  if (reason !== undefined) throw new UsageError(`--out ${out} cannot be written: ${reason}.`);
  return { out, format: ending === '.json' ? 'json' : 'yaml' };
}

function readSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(
    `--seed must be a whole number of at least 0, but is "${text}". See --help.`,
  );
}

async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--out ${file} could not be written (${code ?? message}).`);
  }
}
