import { writeFile } from 'node:fs/promises';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { ensureWritable } from '../../common/cli/output-file.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print, say } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { toRecordedUrl } from '../base-url.ts';
import { documentOptions } from '../command/options.ts';
import { readDocument } from '../document/read-document.ts';
import { readExchanges } from '../har/read-recordings.ts';
import { asMeant, asRead, documentAsMeant } from '../traffic/as-read.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import { createItemCollector, type ItemCollector, toDataText } from './collect-items.ts';

const table = {
  baseUrl: text({ value: 'URL', help: 'the deployment whose responses count, including /v1' }),
  out: text({
    value: 'FILE',
    help: 'file to write, for --data of the mock; replaced if it exists',
  }),
  ...documentOptions,
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin data: makes items for the mock from recorded responses

Usage: ${command} FILE.har [FILE ...] --base-url URL --out FILE.json [options]

Options:
${toHelpLines(table)}

Recordings are HARs of browsers, Playwright and proxies; see docs/recordings.md.

Exit codes: 0 written, 2 could not be written, or no items were found.
`;

/** Runs the command and gives its exit code: 0 where the file is written, 2 where it cannot be. */
export const runCommand = createCommand({
  name: 'data',
  table,
  toHelpText,
  example: '--out FILE',
  takesFiles: true,
  run: async (options, { files }) => {
    await writeItems(options, files);
    return 0;
  },
});

async function writeItems(
  { baseUrl: given, out, ...options }: OptionsOf<typeof table>,
  files: readonly string[],
): Promise<void> {
  if (files.length === 0) throw new UsageError('Name a recording, such as calls.har. See --help.');
  if (out === undefined) throw new UsageError('Name the file to write: --out FILE.');
  await ensureWritable('--out', out, files);
  const document = await readDocument(options, { isStated: false });
  const baseUrl = toRecordedUrl(given, document);
  const collector = createItemCollector({ document: documentAsMeant(document), baseUrl });
  const recorded = { document, baseUrl };
  for (const file of files)
    await collect(file, (one) => collector.add(asMeant(asRead(one, recorded), recorded)));
  const items = collector.items();
  const rest = listRest(collector, baseUrl);
  if (items.size === 0)
    throw new UsageError(
      [`No list, read or create of ${baseUrl} succeeded with an item.`, ...rest].join(' '),
    );
  await writeFile(out, toDataText(items));
  const counts = [...items].map(([name, list]) => `${list.length.toLocaleString('en')} of ${name}`);
  const wrote = `Wrote ${out}: ${counts.join(', ')}. Start the mock with --data ${out}.`;
  print([wrote, ...rest].map((line) => `${toVisible(line)}\n`).join(''));
}

/** Reads a recording, and says which of its entries are broken. */
async function collect(
  file: string,
  add: (exchange: RecordedExchange) => Promise<void>,
): Promise<void> {
  const progress = createProgressLine();
  const tell = (sentence: string) => {
    progress.clear();
    say('data', sentence);
  };
  try {
    let read = 0;
    for await (const exchange of readExchanges(file, tell)) {
      progress.show(`${file}: ${count((read += 1), 'exchange')} read`);
      await add(exchange);
    }
  } finally {
    progress.clear();
  }
}

/** Returns what was left out, a sentence each. */
function listRest({ totals }: ItemCollector, baseUrl: string): string[] {
  const { elsewhere, origins, unfit, firstProblem } = totals;
  const shown = [...origins].slice(0, 5).join(', ');
  return [
    ...(elsewhere === 0
      ? []
      : [`Left out ${count(elsewhere, 'call')} outside ${baseUrl}, to ${shown}.`]),
    ...(unfit === 0
      ? []
      : [`Left out ${count(unfit, 'item')} not as the document says: ${firstProblem}.`]),
  ];
}
