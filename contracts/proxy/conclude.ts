import { writeReports } from '../command/write-reports.ts';
import type { Report } from '../report/events.ts';
import { listReports } from '../report/files.ts';
import { count, isGating } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';
import { createGuard } from '../verify/guard.ts';
import type { Finished } from './judge-thread.ts';
import type { ProxyOptions } from './options.ts';

/** Writes the reports on what passed, and gives the exit code. */
export async function conclude(
  options: ProxyOptions,
  { report, archive }: Finished,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { quiet, strict, har } = options;
  const isPrinted = listReports(options).some(({ file }) => file === '-') || options.github;
  if (!quiet && !isPrinted)
    process.stdout.write(toTerminalReport(report, { strict, out: process.stdout }));
  const guard = createGuard();
  await writeReports(report, { ...options, stepSummary: env.GITHUB_STEP_SUMMARY, guard });
  if (archive && !quiet) {
    const { written, leftOut } = archive;
    const without = leftOut > 0 ? `, ${leftOut} left out as the disk was too slow` : '';
    say(`Recorded ${count(written, 'exchange')} in ${har}${without}.`);
  }
  return toExitCode(report, [...report.defects, ...guard.defects], options);
}

function toExitCode(
  report: Report,
  defects: readonly string[],
  { strict, failOnIncomplete, failOnUnobserved }: ProxyOptions,
): number {
  if (report.findings.some((finding) => isGating(finding, { strict }))) return 1;
  if (defects.length > 0) {
    say(`A bug in the suite: ${defects.join('; ')}. Everything else is reported.`);
    return 2;
  }
  const results = report.clauses.flatMap(({ id, results: of }) =>
    Object.values(of).map((result) => ({ id, ...result })),
  );
  if (!results.some(({ held }) => held > 0)) {
    say('Nothing passed that could be judged.');
    return 2;
  }
  const unobserved = results.filter(({ verdict }) => verdict === 'unobserved');
  if (failOnUnobserved && unobserved.length > 0) {
    const ids = unobserved.map(({ id }) => id).join(', ');
    say(
      `${count(unobserved.length, 'clause was', 'clauses were')} never seen at work: ${ids}. --fail-on-unobserved.`,
    );
    return 2;
  }
  if (!failOnIncomplete || report.incomplete.length === 0) return 0;
  say(`Not all was judged (${report.incomplete.join('; ')}). --fail-on-incomplete.`);
  return 2;
}

function say(message: string): void {
  process.stderr.write(`petstore-twin proxy: ${message}\n`);
}
