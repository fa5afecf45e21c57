import { createCommand } from '../../common/cli/create-command.ts';
import { toHelpLines } from '../../common/cli/read-options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { readToJudge } from '../document/read-document.ts';
import { options, runJudge, options as table } from './run-judge.ts';

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export const runCommand = createCommand({
  name: 'judge',
  table,
  toHelpText,
  example: '--key KEY',
  takesFiles: true,
  async run(options, { files, env }) {
    const document = await readToJudge(options);
    reportWarnings('judge', document);
    return runJudge(files, options, { document, env });
  },
});

/** Returns the text of `--help`; `command` is the command line before the arguments. */
function toHelpText(command: string): string {
  return `petstore-twin judge: judges recorded calls of a deployment against its interface, clause by clause

Usage: ${command} FILE [FILE ...] --base-url URL [--key NAME=KEY ...] [options]

FILE is an HTTP Archive (HAR) of a browser, a test or a proxy; gzip is unpacked. See docs/recordings.md. Several files
are read as one recording, by time.

Options:
${toHelpLines(options)}

No call is made. Calls of other addresses are left out and counted. Keys that no --key names are judged by their own
headers. With - as FILE of a report, it goes to standard output instead of the text.

Exit codes:
  0    nothing fails: clean or incomplete
  1    drift or unanswered calls; with --strict, a violated RFC or an undocumented status too
  2    could not run, or nothing was recorded that could be judged

Examples:
  ${command} calls.har --base-url https://api.example.com/v1
  ${command} monday.har tuesday.har --base-url staging --key free=K1 --html report.html
`;
}
