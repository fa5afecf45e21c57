import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { count } from '../../common/cli/count.ts';
import type { Environment } from '../../common/cli/create-command.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print, say, sayFailure } from '../../common/look/print.ts';
import type { Report } from '../report/events.ts';
import { formatReport, listReports, type ReportFiles } from '../report/files.ts';
import { toGithubReport } from '../report/github.ts';
import { toMarkdownReport } from '../report/markdown.ts';
import { isGating, type ReportOptions } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';

type WriteOptions = ReportFiles &
  ReportOptions & {
    github: boolean;
    /** The file of the summary that a step of a GitHub workflow shows. */
    stepSummary: string | undefined;
  };

/**
 * Writes each report that is asked for, whatever becomes of the others. Throws a {@link UsageError}
 * at the end where one could not be made or written.
 */
export async function writeReports(report: Report, options: WriteOptions): Promise<void> {
  const { github, stepSummary, strict } = options;
  if (github) process.stdout.write(toGithubReport(report, { strict }));
  if (github && stepSummary) await summarize(stepSummary, report, options);
  const failures: string[] = [];
  for (const { format, file } of listReports(options))
    try {
      const text = formatReport(report, format, { strict });
      if (file === '-') process.stdout.write(text);
      else await writeFile(file, text);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      failures.push(`--${format} ${file} could not be written (${code ?? message})`);
    }
  if (failures.length > 0) throw new UsageError(`${failures.join('; ')}.`);
}

async function summarize(file: string, report: Report, { strict }: ReportOptions): Promise<void> {
  try {
    await appendStepSummary(file, report, { strict });
  } catch (error) {
    // The annotations have been made, so a summary that cannot be written changes no exit code.
    if (!(error instanceof UsageError)) throw error;
    say('verify', error.message);
  }
}

type PublishOptions = ReportFiles & ExitOptions & { quiet: boolean; command: string };

/**
 * Prints a report that is about no run of the suite, writes it where it is asked for, and gives the
 * exit code.
 */
export async function publishReport(
  report: Report,
  options: PublishOptions,
  env: Environment,
): Promise<number> {
  const { quiet, strict, github } = options;
  const isPrinted = github || listReports(options).some(({ file }) => file === '-');
  if (!quiet && !isPrinted) print(toTerminalReport(report, { strict, out: process.stdout }));
  await writeReports(report, { ...options, stepSummary: env.GITHUB_STEP_SUMMARY });
  return toExitCode(report, options, options.command);
}

type ExitOptions = ReportOptions & {
  failOnIncomplete: boolean;
  failOnUnobserved?: boolean;
  github: boolean;
};

/** The exit code of a report; says why, where no finding does. */
export function toExitCode(
  { findings, clauses, incomplete, defects, ended = [], traffic }: Report,
  { strict, failOnIncomplete, failOnUnobserved = false, github: isAnnotated }: ExitOptions,
  command: string,
): number {
  const say = (why: string) => sayFailure(command, why, { isAnnotated });
  if (defects.length > 0)
    say(`A bug in the suite: ${defects.join('; ')}. Everything else is reported.`);
  if (findings.some((finding) => isGating(finding, { strict }))) return 1;
  if (defects.length > 0 || ended.length > 0) return 2;
  const results = clauses.flatMap(({ id, results: of }) =>
    Object.values(of).map((result) => ({ id, ...result })),
  );
  if (traffic && !results.some(({ held }) => held > 0)) {
    say('No clause could be judged.');
    return 2;
  }
  const unobserved = results.filter(({ verdict }) => verdict === 'unobserved');
  if (failOnUnobserved && unobserved.length > 0) {
    const ids = unobserved.map(({ id }) => id).join(', ');
    say(
      `${count(unobserved.length, 'clause was', 'clauses were')} not exercised (${ids}), so --fail-on-unobserved fails the run.`,
    );
    return 2;
  }
  if (!failOnIncomplete || incomplete.length === 0) return 0;
  say(`The run is incomplete (${incomplete.join('; ')}), so --fail-on-incomplete fails it.`);
  return 2;
}

/** GitHub refuses the summary of a step that has more bytes. */
const maxBytes = 1024 * 1024;

/**
 * Adds the report to what a step of a GitHub workflow shows as its summary. Throws a {@link
 * UsageError}.
 */
export async function appendStepSummary(
  file: string,
  report: Report,
  options: ReportOptions,
): Promise<void> {
  const begun = await readFile(file).catch(() => Buffer.alloc(0));
  const text = toMarkdownReport(report, options, { maxBytes: maxBytes - begun.length - 2 });
  try {
    await appendFile(file, `${begun.length === 0 ? '' : '\n\n'}${text}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The report could not be added to GITHUB_STEP_SUMMARY (${file}): ${code ?? message}.`,
    );
  }
}
