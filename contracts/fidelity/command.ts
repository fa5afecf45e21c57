import { writeFile } from 'node:fs/promises';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { toRecordedUrl } from '../base-url.ts';
import { readDocument } from '../document/read-document.ts';
import { learn, titleOf } from '../learn/learn.ts';
import { createPaint } from '../report/terminal/paint.ts';
import { type Recordings, type Round, readAll, replayAll, replayOptions } from './replay-all.ts';
import { toHtml } from './to-html.ts';
import { type Fidelity, toFidelity } from './to-report.ts';
import { toText } from './to-text.ts';

/** Every option of the command, in the order of the help. */
const table = {
  ...replayOptions,
  min: wholeNumber({
    value: 'PERCENT',
    help: 'exit with 1 if less of the answers are alike',
    min: 0,
    max: 100,
    default: 0,
  }),
  holdout: {
    value: 'SHARE',
    help: 'learn from the first recordings, and compare this share of them, e.g. 0.3, with what was learned',
    parse: parseShare,
  },
  keepValues: toggle('show texts about persons, too, in differences; never secrets'),
  json: text({ value: 'FILE', help: 'write the report as JSON; - for standard output' }),
  html: text({ value: 'FILE', help: 'write the report as a page' }),
} satisfies OptionTable;

type Options = OptionsOf<typeof table>;

const toHelpText = (
  command: string,
) => `petstore-twin fidelity: says how faithful the mock is to recordings of a deployment

Usage: ${command} FILE.har [FILE ...] --base-url URL [--spec FILE] [options]

Sends the recorded calls to a mock, in order, and compares each answer with what was recorded. Ids and times that a
service makes up may differ. Each file is a run of its own: the mock begins with the items that the run shows and did
not create.

Options:
${toHelpLines(table)}

Exit codes: 0 compared, 1 less than --min, 2 could not run, or no call was recorded.

Examples:
  ${command} calls.har --base-url https://api.example.com/v1 --spec api.yaml
  ${command} *.har --base-url https://api.example.com/v1 --spec api.yaml --overlay learned.overlay.yaml --min 90
`;

/** Runs the command and gives its exit code. */
export const runCommand = createCommand({
  name: 'fidelity',
  table,
  toHelpText,
  example: '--base-url URL',
  takesFiles: true,
  run: (options, { files }) => run(options, files),
});

/** A share of recordings. */
function parseShare(given: string): number {
  const share = Number(given);
  if (share > 0 && share < 1) return share;
  throw new Error('a number between 0 and 1, such as 0.3');
}

async function run(options: Options, files: readonly string[]): Promise<number> {
  const { holdout, timeout, min } = options;
  const recordings = await readAll(files, 'fidelity');
  const document = await readDocument(options, { isStated: false });
  const baseUrl = toRecordedUrl(options.baseUrl, document);
  const progress = createProgressLine();
  let answers = 0;
  const onReplayed = () => progress.show(`${count((answers += 1), 'answer')} compared`);
  const replay = (some: Recordings, overlay?: string): Promise<Round> =>
    replayAll(some, { settings: options, overlay, baseUrl, timeout, onReplayed });
  try {
    const { known, held } = split(recordings, holdout);
    const overlay =
      known.size === 0
        ? undefined
        : (
            await learn({
              ...{ title: titleOf(document), keepValues: false },
              replayAll: (one) => replay(known, one),
            })
          ).lines.toOverlay(titleOf(document));
    const report = toFidelity(await replay(held, overlay), options);
    const before = overlay === undefined ? undefined : toFidelity(await replay(held)).percent;
    progress.clear();
    await publish({ ...report, ...(before !== undefined && { before }) }, options);
    return report.percent < min ? 1 : 0;
  } finally {
    progress.clear();
  }
}

/** The recordings to learn from, and those to compare: the last ones, at least one of each. */
function split(
  all: Recordings,
  share: number | undefined,
): { known: Recordings; held: Recordings } {
  if (share === undefined) return { known: new Map(), held: all };
  if (all.size < 2)
    throw new UsageError(
      '--holdout needs two recordings or more: one to learn from, one to compare.',
    );
  const count = Math.min(all.size - 1, Math.max(1, Math.round(all.size * share)));
  const entries = [...all];
  return { known: new Map(entries.slice(0, -count)), held: new Map(entries.slice(-count)) };
}

async function publish(report: Fidelity, { json, html }: Options): Promise<void> {
  const files = { json: `${JSON.stringify(report, undefined, 2)}\n`, html: toHtml(report) };
  if (json !== '-' && html !== '-') print(toText(report, createPaint(process.stdout)));
  for (const [format, file] of Object.entries({ json, html }))
    if (file === '-') process.stdout.write(files[format as keyof typeof files]);
    else if (file !== undefined)
      await writeFile(file, files[format as keyof typeof files]).catch((error) => {
        throw new UsageError(`--${format} ${file} could not be written (${error.code}).`);
      });
}
