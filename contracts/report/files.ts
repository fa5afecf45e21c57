import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Report } from './events.ts';
import { toHtmlReport } from './html/page.ts';
import { toJsonReport } from './json.ts';
import { toJunitReport } from './junit.ts';
import { toMarkdownReport } from './markdown.ts';
import type { ReportOptions } from './summary.ts';

/** The reports that go to files, by the option that names the file. */
const formats = {
  json: toJsonReport,
  junit: toJunitReport,
  html: toHtmlReport,
  markdown: toMarkdownReport,
} satisfies Record<string, (report: Report, options: ReportOptions) => string>;

/** A form of report that can be kept in a file. */
export type Format = keyof typeof formats;

/** Which reports are wanted, and in which files; `-` is standard output. */
export type ReportFiles = Partial<Record<Format, string>>;

/** A report cannot be written; the message says which and why. */
export class ReportFileError extends Error {}

/** The report as the text of a file. */
export function formatReport(report: Report, format: Format, options: ReportOptions): string {
  return formats[format](report, options);
}

/**
 * Sees to it that the files can be written, before a run is made for them. Throws a {@link
 * ReportFileError}.
 */
export async function checkReportFiles(files: ReportFiles): Promise<void> {
  const wanted = toList(files);
  for (const [index, [format, file]] of wanted.entries()) {
    const twice = wanted.slice(0, index).find(([, other]) => resolve(other) === resolve(file));
    if (twice)
      throw new ReportFileError(`--${twice[0]} and --${format} name the same file, ${file}.`);
    const reason = await whyUnwritable(file);
    if (reason) throw new ReportFileError(`--${format} ${file} cannot be written: ${reason}.`);
  }
}

/** The reports that go to standard output, as text; empty where none does. */
export function toPrintedReport(
  report: Report,
  files: ReportFiles,
  options: ReportOptions,
): string {
  return (Object.keys(formats) as Format[])
    .filter((format) => files[format] === '-')
    .map((format) => formatReport(report, format, options))
    .join('');
}

/**
 * Writes the reports. What can be written is, whatever becomes of the others. Throws a {@link
 * ReportFileError} at the end.
 */
export async function writeReportFiles(
  report: Report,
  files: ReportFiles,
  options: ReportOptions,
): Promise<void> {
  const outcomes = await Promise.all(
    toList(files).map(async ([format, file]) => {
      try {
        await writeFile(file, formatReport(report, format, options));
        return [];
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return [`--${format} ${file} could not be written (${code ?? message})`];
      }
    }),
  );
  const failures = outcomes.flat();
  if (failures.length > 0) throw new ReportFileError(`${failures.join('; ')}.`);
}

function toList(files: ReportFiles): [format: Format, file: string][] {
  return (Object.keys(formats) as Format[]).flatMap((format): [Format, string][] => {
    const file = files[format];
    return file === undefined || file === '-' ? [] : [[format, file]];
  });
}

async function whyUnwritable(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const isWritable = (path: string) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
  const there = await stat(file).catch(() => undefined);
  if (file === '' || there?.isDirectory()) return 'it is a folder, not a file';
  if (there) return (await isWritable(file)) ? undefined : 'it is there, and may not be changed';
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory();
  if (!isFolder) return `there is no folder ${folder}`;
  return (await isWritable(folder)) ? undefined : `the folder ${folder} may not be written to`;
}
