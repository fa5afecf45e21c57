import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { number } from '../../common/look/amounts.ts';
import { html, Markup } from '../../common/look/markup.ts';
import { code, quoted } from '../../common/look/parts.ts';
import { print } from '../../common/look/print.ts';
import { readLook } from '../../common/look/read-look.ts';
import { toVisible } from '../../common/look/visible.ts';
import { toRecordedUrl } from '../base-url.ts';
import { readDocument } from '../document/read-document.ts';
import { learn, titleOf } from '../learn/learn.ts';
import { createPaint, type Paint } from '../report/terminal/paint.ts';
import type { DifferenceKind } from './compare-answers.ts';
import { type Recordings, type Round, readAll, replayAll, replayOptions } from './replay-all.ts';
import { type DifferenceRow, type Fidelity, type OperationRow, toFidelity } from './to-report.ts';

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

/** The number of differences that the text shows; the JSON report has all. */
const maxShown = 20;

/** Returns the report as text for a terminal. */
function toText(
  { percent, before, answers, alike, operations, differences, document }: Fidelity,
  paint: Paint,
): string {
  const shown = differences.slice(0, maxShown);
  const more = differences.length - shown.length;
  const lines = [
    `${paint('bold', `fidelity ${percent} %`)}: ${alike} of ${count(answers, 'answer')} alike, of ${document.title} ${document.version}`,
    ...(before === undefined ? [] : [`with the document alone ${before} %`]),
    '',
    'alike  operation',
    ...operations.map(toOperationLine),
    ...(differences.length > 0 ? ['', 'How the others differ, the most frequent first:'] : []),
    ...shown.flatMap(toDifferenceLines),
    ...(more > 0 ? [`${count(more, 'more difference')}: see --json.`] : []),
  ];
  return lines.map((line) => `${toVisible(line)}\n`).join('');
}

function toOperationLine({ operation, answers, alike }: OperationRow): string {
  return `${`${alike}/${answers}`.padStart(6)} ${operation}`;
}

function toDifferenceLines({ kind, operation, at, answers, first }: DifferenceRow): string[] {
  const place = at === '' ? '' : ` at ${at}`;
  return [
    `- ${operation}: ${kind}${place}, ${count(answers, 'answer')}`,
    `  first in call ${first.call} of ${first.file}, ${first.request}`,
    `  recorded: ${first.recorded}`,
    `  twin:     ${first.twin}`,
    `  ${adviceOf(kind)}`,
  ];
}

/** Mends a difference of each kind, as a sentence. */
const advice: Record<DifferenceKind, string> = {
  'no answer': 'The log of the mock says why.',
  status:
    'See `refuses`, `errors` and `status` of x-twin, or `kind` if the mock keeps no state there.',
  'media type': 'Describe the media type in the document.',
  header: 'Describe the header in the document, or set it by `errors` of x-twin.',
  'missing member': 'See `values` of x-twin for new items, `sets` for changed ones.',
  'extra member': 'See `values` of x-twin: {absent} leaves a member out.',
  type: 'See `values` and `sets` of x-twin.',
  form: 'See `newId` and `times` of x-twin.',
  value: 'See `values` and `sets` of x-twin.',
  'missing item': 'An operation creates it, or the list selects otherwise than its parameters say.',
  'extra item': 'An operation deletes it, or the list selects otherwise than its parameters say.',
  order: 'See `order` of x-twin.',
  text: 'Give the document an example, or write a behaviour.',
};

/** Returns what would mend a difference of a kind. */
function adviceOf(kind: DifferenceKind): string {
  return advice[kind];
}

/** The report as one HTML page that needs nothing else, and runs nothing. */
function toHtml(report: Fidelity): string {
  const { document, percent, answers, alike, before, operations, differences } = report;
  const style = readLook();
  const hash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
  const title = `Fidelity ${percent} %`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(`default-src 'none'; style-src '${hash}'; base-uri 'none'; form-action 'none'`)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: ${document.title} ${document.version}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="masthead"><div class="wrap">
<p class="over">${quoted(document.title)} ${quoted(document.version)}</p>
<h1>${title}</h1>
<p>${number(alike)} of ${count(answers, 'answer')} of the mock are as recorded.${before !== undefined && html` With the document alone: ${before} %.`}</p>
</div></header>
<main class="wrap">
<section><h2>Operations</h2>
<table role="table" class="stacks"><thead role="rowgroup"><tr role="row">${headers(['Alike', 'Operation'])}</tr></thead>
<tbody role="rowgroup">${operations.map(toOperationRow)}</tbody></table></section>
<section><h2>Differences</h2>
<table role="table" class="stacks"><thead role="rowgroup"><tr role="row">${headers(['Operation', 'Difference', 'Recorded', 'Mock'])}</tr></thead>
<tbody role="rowgroup">${differences.map(toDifferenceRow)}</tbody></table></section>
</main>
</body>
</html>
`.text;
}

function headers(names: readonly string[]): Markup[] {
  return names.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
}

/** A cell of a table, with the name of its column where the table is narrow. */
function cell(name: string, content: Markup): Markup {
  return html`<td role="cell"><span class="cell-label">${name}</span>${content}</td>`;
}

function toOperationRow({ operation, answers, alike }: OperationRow): Markup {
  const share = html`${number(alike)} of ${number(answers)}`;
  return html`<tr role="row">${cell('Alike', share)}${cell('Operation', code(operation))}</tr>`;
}

function toDifferenceRow({ kind, operation, at, answers, first }: DifferenceRow): Markup {
  const where = html`${code(operation)}, ${count(answers, 'answer')}`;
  const what = html`${kind} ${at !== '' && code(at)}<br>${adviceOf(kind).replaceAll('`', '')}`;
  return html`<tr role="row">${cell('Operation', where)}${cell('Difference', what)}${cell('Recorded', quoted(first.recorded))}${cell('Mock', quoted(first.twin))}</tr>`;
}
