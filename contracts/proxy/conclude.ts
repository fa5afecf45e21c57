import { count } from '../cli/count.ts';
import { toTrafficExitCode } from '../command/traffic-exit-code.ts';
import { writeReports } from '../command/write-reports.ts';
import { listReports } from '../report/files.ts';
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
  const defects = [...report.defects, ...guard.defects];
  const code = toTrafficExitCode(report, defects, { ...options, say });
  if (archive?.failure !== undefined) {
    say(archive.failure);
    return code === 0 ? 2 : code;
  }
  if (archive && !quiet) {
    const { written, leftOut } = archive;
    const without = leftOut > 0 ? `, ${leftOut} left out as the disk was too slow` : '';
    say(`Recorded ${count(written, 'exchange')} in ${har}${without}.`);
  }
  return code;
}

function say(message: string): void {
  process.stderr.write(`petstore-twin proxy: ${message}\n`);
}
