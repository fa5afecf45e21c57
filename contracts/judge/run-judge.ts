import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { toBaseUrl } from '../cli/base-url.ts';
import { count } from '../cli/count.ts';
import { UsageError } from '../cli/usage-error.ts';
import { refuseUnknownPlans } from '../command/given-keys.ts';
import { publishReport } from '../command/write-reports.ts';
import type { ApiDocument } from '../description/document.ts';
import { isSkipped, type Recording, readRecordings } from '../har/read-recordings.ts';
import { describeSkipped, type SkipKind } from '../har/skipped-entry.ts';
import { readBaseline } from '../judging/baseline.ts';
import { say } from '../look/print.ts';
import type { Report } from '../report/events.ts';
import { checkReportFiles } from '../report/files.ts';
import { createTrafficJudge } from '../traffic/traffic-judge.ts';
import type { JudgeOptions } from './options.ts';
import { createOrigins } from './origins.ts';
import { createProgress } from './progress.ts';
import { describeUnusedKeys } from './unused-keys.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Why an entry was passed over, as reports count it, and whether it may have been a call. */
const reasons: Record<SkipKind, { reason: string; isMissed: boolean }> = {
  broken: { reason: 'broken', isMissed: true },
  cut: { reason: 'cut off', isMissed: true },
  'too-long': { reason: 'too long to read', isMissed: true },
  'from-cache': { reason: 'answered by a cache', isMissed: false },
  'not-sent': { reason: 'never sent', isMissed: false },
  'not-http': { reason: 'not HTTP', isMissed: false },
};

/** How many entries that cannot be read are named. */
const maxNamed = 10;

/** Judges recordings, writes the reports, and gives the exit code. */
export async function runJudge(
  files: readonly string[],
  options: JudgeOptions,
  { document, env }: { document: ApiDocument; env: Environment },
): Promise<number> {
  const { baseUrl: given, key: keys, baseline: baselineFile, strict, docs, quiet } = options;
  if (files.length === 0)
    throw new UsageError('Name the recordings to judge, such as calls.har. See --help.');
  if (given === undefined)
    throw new UsageError(
      `Name the deployment that was called: --base-url URL, such as https://host${document.basePath}.`,
    );
  await refuseTwice(files);
  const baseUrl = toBaseUrl(given, document, env, '--base-url');
  refuseUnknownPlans(keys, document);
  await checkReportFiles(options, [
    ...files,
    ...(baselineFile === undefined ? [] : [baselineFile]),
  ]);
  const baseline = baselineFile === undefined ? [] : await readBaseline(baselineFile);
  const progress = createProgress(files);
  const judge = createTrafficJudge({
    ...{ document, baseUrl, keys, takesKeyNames: true, baseline, strict },
    ...(docs !== undefined && { docs }),
    onProgress: progress.onLeft,
  });
  const origins = createOrigins();
  let named = 0;
  let report: Report;
  const read = (file: string) =>
    readRecordings(file, {
      onProgress: (part) => progress.onProgress(file, part),
      onSearch: (part) => progress.onSearch(file, part),
    });
  try {
    for await (const { file, recording } of byTime(files, read)) {
      if (!isSkipped(recording)) {
        origins.note(recording.request.url);
        progress.onExchange();
        await judge.add(recording);
        continue;
      }
      const { reason, isMissed } = reasons[recording.kind];
      judge.leaveOut(reason, { isMissed });
      if (!isMissed || quiet) continue;
      named += 1;
      if (named > maxNamed) continue;
      progress.clear();
      say('judge', `${describeSkipped(file, recording)}.`);
    }
    report = await judge.report();
  } finally {
    progress.clear();
  }
  if (named > maxNamed)
    say('judge', `${count(named - maxNamed, 'more entry', 'more entries')} could not be read.`);
  await judge.close();
  if (report.traffic?.from === undefined)
    throw new UsageError(`${toEmpty(files)} no call of ${baseUrl}. ${origins.describe()}`);
  const unused = describeUnusedKeys(judge.keyUse(), document);
  if (unused !== undefined && !quiet) say('judge', unused);
  return publishReport(report, { ...options, say: (text) => say('judge', text) }, env);
}

/** Refuses a recording that is named twice, as its calls would count twice. Throws {@link UsageError}. */
async function refuseTwice(files: readonly string[]): Promise<void> {
  // One that does not exist is refused when it is read, with the reason.
  const paths = await Promise.all(files.map((file) => realpath(file).catch(() => resolve(file))));
  const second = paths.findIndex((path, index) => paths.indexOf(path) < index);
  if (second < 0) return;
  const first = files[paths.indexOf(paths[second] as string)];
  const again = first === files[second] ? '' : `, as ${files[second]}`;
  throw new UsageError(`${first} is named twice${again}. Name each recording once.`);
}

function toEmpty(files: readonly string[]): string {
  return files.length === 1 ? `${files[0]} holds` : 'The recordings hold';
}

/** A recording with the file that it is from. */
type FromFile = { file: string; recording: Recording };

type Source = { file: string; recordings: AsyncGenerator<Recording>; next: Recording | undefined };

/**
 * The entries of several recordings, each in order of sending, as one: what was sent first comes
 * first. Entries that are passed over come as soon as they are read.
 */
async function* byTime(
  files: readonly string[],
  read: (file: string) => AsyncGenerator<Recording>,
): AsyncGenerator<FromFile> {
  const sources: Source[] = [];
  for (const file of files) {
    const source: Source = { file, recordings: read(file), next: undefined };
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
