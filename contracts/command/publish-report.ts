import { count } from '../cli/count.ts';
import { print } from '../look/print.ts';
import type { Report } from '../report/events.ts';
import { listReports, type ReportFiles } from '../report/files.ts';
import { isGating, type ReportOptions } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';
import { createGuard } from '../verify/guard.ts';
import { writeReports } from './write-reports.ts';

export type PublishOptions = ReportFiles &
  ReportOptions &
  ExitOptions & { github: boolean; quiet: boolean };

/**
 * Prints a report that is about no run of the suite, writes it where it is asked for, and gives the
 * exit code.
 */
export async function publishReport(
  report: Report,
  options: PublishOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { quiet, strict, github } = options;
  const isPrinted = github || listReports(options).some(({ file }) => file === '-');
  if (!quiet && !isPrinted) print(toTerminalReport(report, { strict, out: process.stdout }));
  const guard = createGuard();
  await writeReports(report, { ...options, stepSummary: env.GITHUB_STEP_SUMMARY, guard });
  return toTrafficExitCode(report, [...report.defects, ...guard.defects], options);
}

type ExitOptions = ReportOptions & {
  failOnIncomplete: boolean;
  failOnUnobserved: boolean;
  say: (message: string) => void;
};

/** The exit code of a report about traffic; says why, where no finding does. */
function toTrafficExitCode(
  { findings, clauses, incomplete }: Report,
  defects: readonly string[],
  { strict, failOnIncomplete, failOnUnobserved, say }: ExitOptions,
): number {
  if (findings.some((finding) => isGating(finding, { strict }))) return 1;
  if (defects.length > 0) {
    say(`A bug in the suite: ${defects.join('; ')}. Everything else is reported.`);
    return 2;
  }
  const results = clauses.flatMap(({ id, results: of }) =>
    Object.values(of).map((result) => ({ id, ...result })),
  );
  if (!results.some(({ held }) => held > 0)) {
    say('There was nothing that could be judged.');
    return 2;
  }
  const unobserved = results.filter(({ verdict }) => verdict === 'unobserved');
  if (failOnUnobserved && unobserved.length > 0) {
    const ids = unobserved.map(({ id }) => id).join(', ');
    say(
      `${count(unobserved.length, 'clause was', 'clauses were')} never seen at work (${ids}), so --fail-on-unobserved fails the run.`,
    );
    return 2;
  }
  if (!failOnIncomplete || incomplete.length === 0) return 0;
  say(`Not all was judged (${incomplete.join('; ')}), so --fail-on-incomplete fails the run.`);
  return 2;
}
