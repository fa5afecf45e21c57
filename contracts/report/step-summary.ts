import { appendFile, readFile } from 'node:fs/promises';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Report } from './events.ts';
import { toMarkdownReport } from './markdown.ts';
import type { ReportOptions } from './summary.ts';

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
