import { print } from '../look/print.ts';
import type { Report } from '../report/events.ts';
import { listReports, type ReportFiles } from '../report/files.ts';
import type { ReportOptions } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';
import { createGuard } from '../verify/guard.ts';
import { type ExitOptions, toTrafficExitCode } from './traffic-exit-code.ts';
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
