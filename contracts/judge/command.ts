import { count } from '../../common/cli/count.ts';
import { createCommand, type Environment } from '../../common/cli/create-command.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { say } from '../../common/look/print.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import type { Api } from '../../openapi/index.ts';
import { toBaseUrl } from '../base-url.ts';
import { refuseUnknownPlans, toTrafficKeys } from '../command/given-keys.ts';
import {
  documentOptions,
  keyOption,
  outputOptions,
  reportOptions,
  trafficOptions,
} from '../command/options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { publishReport } from '../command/write-reports.ts';
import { readToJudge } from '../document/read-document.ts';
import {
  isSkipped,
  type Recording,
  readRecordings,
  type SkippedEntry,
  SkippedNotes,
} from '../har/read-recordings.ts';
import { readBaseline } from '../judging/baseline.ts';
import type { Report } from '../report/events.ts';
import { checkReportFiles } from '../report/files.ts';
import { TrafficJudge } from '../traffic/traffic-judge.ts';

/** Every option of the command, in the order of the help. */
export const options = {
  baseUrl: text({
    value: 'URL',
    help: 'base URL of the deployment, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key: keyOption('API key that clients used'),
  ...documentOptions,
  ...trafficOptions,
  baseline: reportOptions.baseline,
  ...outputOptions,
} satisfies OptionTable;

/** The options of the command, parsed. */
type JudgeOptions = OptionsOf<typeof options>;

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export const runCommand = createCommand({
  name: 'judge',
  table: options,
  toHelpText,
  example: '--key KEY',
  takesFiles: true,
  async run(options, { files, env }) {
    const document = await readToJudge(options);
    reportWarnings('judge', document);
    return runJudge(files, options, { document, env });
  },
});

function toHelpText(command: string): string {
  return `petstore-twin judge: judges recorded calls of a deployment against its interface, clause by clause

Usage: ${command} FILE [FILE ...] --base-url URL [--key NAME=KEY ...] [options]

FILE is an HTTP Archive (HAR) of a browser, a test or a proxy; gzip is unpacked. See docs/recordings.md. Several files
are read as one recording, by time.

Options:
${toHelpLines(options)}

No call is made. Calls of other addresses are left out and counted. Keys that no --key names are judged by their own
headers. With - as FILE of a report, it goes to standard output instead of the text.

Exit codes:
  0    nothing fails: clean or incomplete
  1    drift or unanswered calls; with --strict, a violated RFC or an undocumented status too
  2    could not run, or nothing was recorded that could be judged

Examples:
  ${command} calls.har --base-url https://api.example.com/v1
  ${command} monday.har tuesday.har --base-url staging --key free=K1 --html report.html
`;
}

/** Why an entry was passed over, as reports count it, and whether it may have been a call. */
const reasons: Record<SkippedEntry['kind'], { reason: string; isMissed: boolean }> = {
  broken: { reason: 'broken', isMissed: true },
  'from-cache': { reason: 'answered by a cache', isMissed: false },
  'not-http': { reason: 'not HTTP', isMissed: false },
};

/** How many addresses are counted, and how many of them and of tokens are named. */
const maxOrigins = 200;
const maxNamed = 5;

/** Judges recordings, writes the reports, and gives the exit code. */
async function runJudge(
  files: readonly string[],
  options: JudgeOptions,
  { document, env }: { document: Api; env: Environment },
): Promise<number> {
  const { baseUrl: given, baseline: baselineFile, strict, docs } = options;
  if (files.length === 0)
    throw new UsageError('Name the recordings to judge, such as calls.har. See --help.');
  if (given === undefined)
    throw new UsageError(
      `Name the deployment that was called: --base-url URL, such as https://host${document.basePath}.`,
    );
  const baseUrl = toBaseUrl(given, document, env, '--base-url');
  refuseUnknownPlans(options.key, document);
  const keys = toTrafficKeys(options.key, document);
  await checkReportFiles(options, baselineFile === undefined ? files : [...files, baselineFile]);
  const baseline = baselineFile === undefined ? [] : await readBaseline(baselineFile);
  const progress = createProgressLine();
  const judge = new TrafficJudge({
    ...{ document, baseUrl, keys, takesKeyNames: true, baseline, strict },
    ...(docs !== undefined && { docs }),
  });
  const tell = (sentence: string) => {
    progress.clear();
    if (!options.quiet) say('judge', sentence);
  };
  const skipped = new SkippedNotes(tell);
  const { report, origins } = await judgeAll(files, { judge, progress, skipped });
  skipped.end();
  if (report.traffic?.from === undefined) {
    const held = files.length === 1 ? `${files[0]} holds` : 'The recordings hold';
    throw new UsageError(`${held} no call of ${baseUrl}. ${describeOrigins(origins)}`);
  }
  const unused = judge.unusedKeys();
  if (unused.length > 0)
    tell(
      `No call used ${unused.join(', ')} of the keys that --key names, so nothing is judged by their plans.`,
    );
  return publishReport(report, { ...options, command: 'judge' }, env);
}

type Tools = {
  judge: TrafficJudge;
  progress: ReturnType<typeof createProgressLine>;
  skipped: SkippedNotes;
};

/** Judges all that was recorded; gives the report, and how often which address was called. */
async function judgeAll(
  files: readonly string[],
  { judge, progress, skipped }: Tools,
): Promise<{ report: Report; origins: Map<string, number> }> {
  const origins = new Map<string, number>();
  let exchanges = 0;
  try {
    for await (const { file, recording } of byTime(files)) {
      if (isSkipped(recording)) {
        const { reason, isMissed } = reasons[recording.kind];
        judge.leaveOut(reason, { isMissed });
        if (isMissed) skipped.note(file, recording);
        continue;
      }
      const origin = URL.parse(recording.request.url)?.origin ?? 'no address';
      if (origins.has(origin) || origins.size < maxOrigins)
        origins.set(origin, (origins.get(origin) ?? 0) + 1);
      progress.show(`${count((exchanges += 1), 'exchange')} read`);
      await judge.add(recording);
    }
    return { report: await judge.report(), origins };
  } finally {
    progress.clear();
  }
}

/** Returns a sentence that names the origins that were called instead of the deployment. */
function describeOrigins(calls: ReadonlyMap<string, number>): string {
  if (calls.size === 0) return 'It has no calls.';
  const most = [...calls].toSorted(([, left], [, right]) => right - left).slice(0, maxNamed);
  const named = most.map(([origin, times]) => `${toExcerpt(origin, 80)} (${count(times, 'call')})`);
  const more = calls.size > maxNamed ? ` and ${calls.size - maxNamed} more` : '';
  return `What was called: ${named.join(', ')}${more}.`;
}

/** A recording with the file that it is from. */
type FromFile = { file: string; recording: Recording };

type Source = { file: string; recordings: AsyncGenerator<Recording>; next: Recording | undefined };

/**
 * The entries of several recordings, each in order of sending, as one: what was sent first comes
 * first. Entries that are passed over come as soon as they are read.
 */
async function* byTime(files: readonly string[]): AsyncGenerator<FromFile> {
  const sources: Source[] = [];
  for (const file of files) {
    const source: Source = { file, recordings: readRecordings(file), next: undefined };
    await advance(source);
    sources.push(source);
  }
  for (;;) {
    const open = sources.filter((source) => source.next !== undefined);
    const [first] = open.toSorted((left, right) => timeOf(left) - timeOf(right));
    if (!first?.next) return;
    yield { file: first.file, recording: first.next };
    await advance(first);
  }
}

async function advance(source: Source): Promise<void> {
  const { done, value } = await source.recordings.next();
  source.next = done ? undefined : value;
}

function timeOf({ next }: Source): number {
  return next === undefined || isSkipped(next) ? Number.NEGATIVE_INFINITY : next.sentAt;
}
