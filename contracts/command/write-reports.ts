import { writeFile } from 'node:fs/promises';
import { count } from '../cli/count.ts';
import { UsageError } from '../cli/usage-error.ts';
import { print, say } from '../look/print.ts';
import type { Report } from '../report/events.ts';
import { formatReport, listReports, type ReportFiles } from '../report/files.ts';
import { toGithubReport } from '../report/github.ts';
import { appendStepSummary } from '../report/step-summary.ts';
import { isGating, type ReportOptions } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';
import { createGuard, type Guard } from '../verify/guard.ts';

export type WriteOptions = ReportFiles &
  ReportOptions & {
    github: boolean;
    /** The file of the summary that a step of a GitHub workflow shows. */
    stepSummary: string | undefined;
    guard: Guard;
  };

/**
 * Writes each report that is asked for, whatever becomes of the others: one that cannot be made is
 * a bug in the suite, and noted. Throws a {@link UsageError} at the end where a file cannot
 * be written.
 */
export async function writeReports(report: Report, options: WriteOptions): Promise<void> {
  const { github, stepSummary, guard, strict } = options;
  const made = (what: string, make: () => string) => guard.run(what, () => undefined, make);
  const texts = listReports(options).map(({ format, file }) => ({
    format,
    file,
    text: made(`the ${format} report`, () => formatReport(report, format, { strict })),
  }));
  for (const { file, text } of texts)
    if (file === '-' && text !== undefined) process.stdout.write(text);
  if (github) {
    process.stdout.write(
      made('the GitHub annotations', () => toGithubReport(report, { strict })) ?? '',
    );
    if (stepSummary) await summarize(stepSummary, report, options);
  }
  const outcomes = await Promise.all(
    texts.map(({ format, file, text }) =>
      file === '-' || text === undefined ? undefined : write(format, file, text),
    ),
  );
  const failures = outcomes.filter((failure) => failure !== undefined);
  if (failures.length > 0) throw new UsageError(`${failures.join('; ')}.`);
}

/** Why a report could not be written to its file, if so. */
async function write(format: string, file: string, text: string): Promise<string | undefined> {
  try {
    await writeFile(file, text);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `--${format} ${file} could not be written (${code ?? message})`;
  }
}

async function summarize(
  file: string,
  report: Report,
  { strict, guard }: WriteOptions,
): Promise<void> {
  try {
    await appendStepSummary(file, report, { strict });
  } catch (error) {
    // The annotations have been made, so a summary that cannot be written changes no exit code.
    if (error instanceof UsageError) say('verify', error.message);
    else guard.note('the step summary', error);
  }
}

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
