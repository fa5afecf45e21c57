import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text, toggle } from '../../common/cli/option-kinds.ts';
import { ensureWritable, replaceFile } from '../../common/cli/output-file.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print, say } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { toKey } from '../../openapi/model/operation.ts';
import { toRecordedUrl } from '../base-url.ts';
import { askDeployment } from '../command/ask-deployment.ts';
import { keyOption, runOptions } from '../command/options.ts';
import { recordHar } from '../command/record-har.ts';
import { readDocument, readToJudge } from '../document/read-document.ts';
import { type Round, readAll, replayAll, replayOptions } from '../fidelity/replay-all.ts';
import { readRecording } from '../fidelity/replay-file.ts';
import { type DifferenceRow, toFidelity } from '../fidelity/to-report.ts';
import { writtenOf } from '../traffic/as-read.ts';
import { type LearnedLines, learn, titleOf } from './learn.ts';
import { Lines } from './lines.ts';

/** Every option of the command, in the order of the help. */
const table = {
  ...replayOptions,
  out: text({ value: 'FILE', help: 'where to write the overlay (default: learned.overlay.yaml)' }),
  keepValues: toggle('keep texts about persons too, such as names and addresses; never secrets'),
  ask: text({
    value: 'URL',
    help: 'call this deployment for what recordings leave open, and learn from that too',
  }),
  key: keyOption('API key for --ask'),
  readOnly: runOptions.readOnly,
  allowWrites: runOptions.allowWrites,
  maxRequests: runOptions.maxRequests,
} satisfies OptionTable;

type Options = OptionsOf<typeof table>;

const toHelpText = (
  command: string,
) => `petstore-twin learn: writes an overlay with what recordings show and the document does not say

Usage: ${command} FILE.har [FILE ...] --base-url URL [--spec FILE] [--out FILE] [options]
       ${command} --ask URL --key KEY --allow-writes [--spec FILE] [--out FILE] [options]

--ask makes the calls of verify: it creates items only with --allow-writes, and changes and deletes only these. What
passes is recorded beside the overlay, without keys.

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
  await ensureWritable('--out', out, files);
  const isAlone = files.length === 0 && options.ask !== undefined;
  const recordings = new Map(isAlone ? [] : await readAll(files, 'learn'));
  const stated = await readDocument(options, { isStated: false });
  const baseUrl = toRecordedUrl(options.baseUrl ?? options.ask, stated);
  const progress = createProgressLine();
  let answers = 0;
  const onReplayed = () => progress.show(`${count((answers += 1), 'answer')} compared`);
  const replay = (overlay?: string) =>
    replayAll(recordings, { settings: options, overlay, baseUrl, timeout, onReplayed });
  const title = titleOf(stated);
  const learnAll = () => learn({ title, keepValues, replayAll: replay });
  try {
    let learned: LearnedLines = isAlone ? { lines: new Lines() } : await learnAll();
    if (options.ask !== undefined) {
      const open = learned.last && findOpen(learned.lines, learned.last);
      const asked = await askFor(open, { options, out, baseUrl });
      recordings.set(asked, await readRecording(asked, 'learn'));
      learned = await learnAll();
    }
    progress.clear();
    print(await write(learned, { out, title }));
    return 0;
  } finally {
    progress.clear();
  }
}

/** The options of a run that asks. */
const passedOn = [
  ...(['spec', 'overlay', 'allowRefs'] as const),
  ...(['readOnly', 'allowWrites', 'maxRequests'] as const),
];

/**
 * Calls a deployment as `verify` does, which changes only what it created, and gives the file in which
 * that is recorded. `open` are the operations that recordings leave open; all are called without them.
 */
async function askFor(
  open: readonly Operation[] | undefined,
  { options, out, baseUrl }: { options: Options; out: string; baseUrl: string },
): Promise<string> {
  const { ask: url = '', key: keys, allowWrites } = options;
  const document = await readToJudge(options);
  if (toRecordedUrl(url, document) !== baseUrl)
    throw new UsageError('--ask must be the deployment of the recordings, as --base-url names it.');
  const file = `${out.replace(/(\.overlay)?\.ya?ml$/, '')}.asked.har`;
  const progress = createProgressLine();
  let calls = 0;
  let recorder: Awaited<ReturnType<typeof recordHar>>;
  const given = Object.fromEntries(passedOn.map((name) => [name, options[name]]));
  const only = open?.map(({ id }) => id) ?? [];
  const { residue } = await askDeployment(
    { ...given, only, probeLimits: false },
    {
      ...{ document, url: baseUrl, keys, who: '--ask' },
      onEvent: ({ type }) => {
        if (type === 'exchange') progress.show(`${count((calls += 1), 'call')} of ${baseUrl}`);
      },
      async onTargets(targets) {
        recorder = await recordHar({ har: file, redact: [] }, { targets, document });
        return recorder ? { onPassed: recorder.add } : {};
      },
    },
  ).finally(progress.clear);
  const problem = await recorder?.end();
  if (problem !== undefined) throw new UsageError(problem);
  const left = residue.length;
  const stays = left > 0 ? ` It left ${count(left, 'item')} there, which nothing deletes.` : '';
  const isRead = allowWrites ? stays : ' Nothing was created: see --allow-writes.';
  say('learn', `Recorded ${count(calls, 'call')} of ${baseUrl} in ${file}.${isRead}`);
  return file;
}

/** Writes what was learned, and says what it is. */
async function write(
  { lines, last }: LearnedLines,
  { out, title }: { out: string; title: string },
): Promise<string> {
  const { sentence, open } = last ? toUnexplained(lines, last) : { sentence: '', open: '' };
  if (lines.all.length === 0)
    return `The mock answers as recorded, or nothing explains what differs. Nothing is written.\n${open}`;
  const kept = await replaceFile(out, lines.toOverlay(title, sentence));
  const counts = Map.groupBy(lines.all, ({ confidence }) => confidence);
  const named = [...counts].map(([confidence, { length }]) => `${length} ${confidence}`);
  return `Wrote ${out}: ${count(lines.all.length, 'line')} (${named.join(', ')}). Start the mock with --overlay ${out}.${kept}\n${open}`;
}

/** Holds how many answers still differ, as a sentence, and what is open, as lines of text. */
type UnexplainedAnswers = { sentence: string; open: string };

/** The most rows that are shown. */
const maxRows = 10;

/** Returns what lines do not explain, or was seen once, and which call would show it. */
export function toUnexplained(lines: Lines, last: Round): UnexplainedAnswers {
  const { answers, alike, differences } = toFidelity(last);
  const left = answers - alike;
  const operations = new Map(last.document.operations.map((one) => [toKey(one), one]));
  const rows = [
    ...differences.map((one) => toRow(one, operations.get(one.operation))),
    ...lines.all.flatMap(({ operation, rule, calls }) =>
      operation && calls.length === 1
        ? [`- ${toKey(writtenOf(operation))}, ${rule.join(' ')}, seen once: ${again}`]
        : [],
    ),
  ];
  const more = rows.length - maxRows;
  const shown = [...rows.slice(0, maxRows), ...(more > 0 ? [`... and ${more} more`] : [])];
  const sentence = `${left} of ${count(answers, 'answer')} still ${left === 1 ? 'differs' : 'differ'}.`;
  const head = `\n${sentence} What is open, and which call would show it (--ask URL makes such calls):\n`;
  const open = shown.map((one) => `${toVisible(one)}\n`).join('');
  return { sentence, open: rows.length === 0 ? '' : head + open };
}

function toRow({ operation, kind, at, answers }: DifferenceRow, known?: Operation): string {
  const place = at === '' ? '' : ` at ${at}`;
  return `- ${operation}, ${kind}${place}, ${count(answers, 'answer')}: ${showingCall(kind, known)}`;
}

const again = 'the same call with other values';

/** Returns the call that would show why answers of an operation differ. */
function showingCall(kind: DifferenceRow['kind'], operation?: Operation): string {
  if (!operation || kind === 'media type') return 'none, as the document does not describe it';
  if (kind === 'status') return 'one that is refused and one that succeeds, for the same item';
  if (operation.kind === 'delete') return 'a read of what was deleted';
  return operation.method === 'GET' ? 'a read before and after each change' : again;
}

/**
 * Finds the operations that recordings leave open: answers still differ, or a line was seen once. Those
 * that create, read and list the same items are among them, as they show what another one does.
 */
function findOpen(lines: Lines, { document, runs }: Round): Operation[] {
  const isOpen = new Set<string>();
  for (const { operation, differences } of [...runs.values()].flat())
    if (operation && differences.length > 0) isOpen.add(toKey(writtenOf(operation)));
  for (const { operation, confidence } of lines.all)
    if (operation && confidence === 'low') isOpen.add(toKey(writtenOf(operation)));
  const open = document.operations.filter((one) => isOpen.has(toKey(one)));
  const resources = new Set(open.map((one) => findResource(document, one)).filter(Boolean));
  return document.operations.filter(
    (one) => open.includes(one) || resources.has(findResource(document, one)),
  );
}
