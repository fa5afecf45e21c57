import { resolve } from 'node:path';
import { ensureWritable } from '../../common/cli/output-file.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Report } from './events.ts';
import { toHtmlReport } from './html/page.ts';
import { toJsonReport } from './json.ts';
import { toJunitReport } from './junit.ts';
import { toMarkdownReport } from './markdown.ts';
import type { ReportOptions } from './summary.ts';

type FormatRow = {
  /** Describes the file in the help of its option. */
  as: string;
  write: (report: Report, options: ReportOptions) => string;
};

/** The reports that go to files, by the option that names the file. */
export const formats = {
  json: { as: 'JSON', write: toJsonReport },
  junit: { as: 'JUnit XML', write: toJunitReport },
  html: { as: 'an HTML page', write: toHtmlReport },
  markdown: { as: 'Markdown, e.g. for a pull request', write: toMarkdownReport },
} satisfies Record<string, FormatRow>;

/** A form of report that can be kept in a file. */
export type Format = keyof typeof formats;

/** Which reports are wanted, and in which files; `-` is standard output. */
export type ReportFiles = Partial<Record<Format, string>>;

/** The report as the text of a file. */
export function formatReport(report: Report, format: Format, options: ReportOptions): string {
  return formats[format].write(report, options);
}

/**
 * Checks before a run that each report file can be written and is not an input file. Throws a
 * {@link UsageError}.
 */
export async function checkReportFiles(
  files: ReportFiles,
  read: readonly string[] = [],
): Promise<void> {
  const wanted = listReports(files).filter(({ file }) => file !== '-');
  for (const [index, { format, file }] of wanted.entries()) {
    const first = wanted.slice(0, index).find((one) => resolve(one.file) === resolve(file));
    if (first)
      throw new UsageError(`--${first.format} and --${format} name the same file, ${file}.`);
    await ensureWritable(`--${format}`, file, read);
  }
}

/** The reports that are wanted, each with its file; `-` is standard output. */
export function listReports(files: ReportFiles): { format: Format; file: string }[] {
  return (Object.keys(formats) as Format[]).flatMap((format) => {
    const file = files[format];
    return file === undefined ? [] : [{ format, file }];
  });
}
