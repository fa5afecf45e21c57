import { writeFile } from 'node:fs/promises';
import { say } from '../look/print.ts';
import type { Report } from '../report/events.ts';
import { formatReport, listReports, ReportFileError, type ReportFiles } from '../report/files.ts';
import { toGithubReport } from '../report/github.ts';
import { appendStepSummary } from '../report/step-summary.ts';
import type { ReportOptions } from '../report/summary.ts';
import type { Guard } from '../verify/guard.ts';

export type WriteOptions = ReportFiles &
  ReportOptions & {
    github: boolean;
    /** The file of the summary that a step of a GitHub workflow shows. */
    stepSummary: string | undefined;
    guard: Guard;
  };

/**
 * Writes each report that is asked for, whatever becomes of the others: one that cannot be made is
 * a bug in the suite, and noted. Throws a {@link ReportFileError} at the end where a file cannot
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
  for (const { file, text } of texts) if (file === '-' && text !== undefined) print(text);
  if (github) {
    print(made('the GitHub annotations', () => toGithubReport(report, { strict })) ?? '');
    if (stepSummary) await summarize(stepSummary, report, options);
  }
  const outcomes = await Promise.all(
    texts.map(({ format, file, text }) =>
      file === '-' || text === undefined ? undefined : write(format, file, text),
    ),
  );
  const failures = outcomes.filter((failure) => failure !== undefined);
  if (failures.length > 0) throw new ReportFileError(`${failures.join('; ')}.`);
}

function print(text: string): void {
  process.stdout.write(text);
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
    if (error instanceof ReportFileError) say('verify', error.message);
    else guard.note('the step summary', error);
  }
}
