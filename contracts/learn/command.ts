import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text, toggle } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionTable, type Parsed, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { whyUnwritable } from '../../common/cli/why-unwritable.ts';
import { print } from '../../common/look/print.ts';
import { toRecordedUrl } from '../base-url.ts';
import { readDocument } from '../document/read-document.ts';
import { readAll, replayAll, replayOptions } from '../fidelity/replay-all.ts';
import { learn, titleOf } from './learn.ts';
import type { Lines } from './lines.ts';

/** Every option of the command, in the order of the help. */
const table = {
  ...replayOptions,
  out: text({ value: 'FILE', help: 'where to write the overlay (default: learned.overlay.yaml)' }),
  keepValues: toggle('keep texts about persons too, such as names and addresses; never secrets'),
} satisfies OptionTable;

type Options = Parsed<typeof table>;

const toHelpText = (
  command: string,
) => `petstore-twin learn: writes an overlay with what recordings show and the document does not say

Usage: ${command} FILE.har [FILE ...] --base-url URL [--spec FILE] [--out FILE] [options]

Options:
${toHelpLines(table)}

Exit codes: 0 written, 2 could not run, or no call was recorded.
`;

/** Runs the command and gives its exit code. */
export const runCommand = createCommand({
  name: 'learn',
  table,
  toHelpText,
  example: '--base-url URL',
  takesFiles: true,
  run: (options, { files }) => run(options, files),
});

async function run(options: Options, files: readonly string[]): Promise<number> {
  const { out = 'learned.overlay.yaml', keepValues, timeout } = options;
  if (files.some((file) => resolve(file) === resolve(out)))
    throw new UsageError(`--out ${out} is a recording that is read. Name another file.`);
  const reason = await whyUnwritable(out);
  if (reason !== undefined) throw new UsageError(`--out ${out} cannot be written: ${reason}.`);
  const recordings = await readAll(files, 'learn');
  const stated = await readDocument(options, { isStated: false });
  const baseUrl = toRecordedUrl(options.baseUrl, stated);
  const progress = createProgressLine();
  let answers = 0;
  const onReplayed = () => progress.show(`${count((answers += 1), 'answer')} compared`);
  try {
    const lines = await learn({
      ...{ title: titleOf(stated), keepValues },
      replayAll: (overlay) =>
        replayAll(recordings, { settings: options, overlay, baseUrl, timeout, onReplayed }),
    });
    progress.clear();
    print(await write(lines, { out, title: titleOf(stated) }));
    return 0;
  } finally {
    progress.clear();
  }
}

/** Writes what was learned, and says what it is. */
async function write(
  lines: Lines,
  { out, title }: { out: string; title: string },
): Promise<string> {
  if (lines.all.length === 0)
    return 'The mock answers as recorded, or nothing explains what differs. Nothing is written.\n';
  await writeFile(out, lines.toOverlay(title));
  const counts = Map.groupBy(lines.all, ({ confidence }) => confidence);
  const named = [...counts].map(([confidence, { length }]) => `${length} ${confidence}`);
  return `Wrote ${out}: ${count(lines.all.length, 'line')} (${named.join(', ')}). Start the mock with --overlay ${out}.\n`;
}
