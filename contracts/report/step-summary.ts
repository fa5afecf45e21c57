import { appendFile, readFile } from 'node:fs/promises';
import { UsageError } from '../cli/usage-error.ts';
import type { Report } from './events.ts';
import { toMarkdownReport } from './markdown.ts';
import type { ReportOptions } from './summary.ts';

/** GitHub refuses the summary of a step that has more bytes. */
const maxBytes = 1024 * 1024;
const minBytes = 2000;

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
  const left = maxBytes - begun.length - 2;
  if (left < minBytes)
    throw new UsageError(
      `GITHUB_STEP_SUMMARY has no room for the report: ${begun.length} of its ${maxBytes} bytes are used.`,
    );
  const text = toMarkdownReport(report, options, { maxBytes: left });
  try {
    await appendFile(file, `${begun.length === 0 ? '' : '\n\n'}${text}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `The report could not be added to GITHUB_STEP_SUMMARY (${file}): ${code ?? message}.`,
    );
  }
}
