import { createCommand } from '../../common/cli/create-command.ts';
import { toHelpLines } from '../../common/cli/read-options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { readToJudge } from '../document/read-document.ts';
import { options, options as table } from './options.ts';
import { runProxy } from './run-proxy.ts';

/**
 * Runs the command and gives its exit code, once it is ended: 0 nothing gates, 1 something does, 2 it
 * could not run.
 */
export const runCommand = createCommand({
  name: 'proxy',
  table,
  toHelpText,
  example: '--target URL or --key KEY',
  async run(options, { env }) {
    const document = await readToJudge(options);
    reportWarnings('proxy', document);
    return runProxy(options, { document, env });
  },
});

/** Returns the text of `--help`; `command` is the command line before the options. */
export function toHelpText(command: string): string {
  const isOfNpm = command.startsWith('npm ');
  return `petstore-twin proxy: passes calls to a deployment unchanged, and judges them

Usage: ${command} --target URL [--key NAME=KEY ...] [options]

Let your client call http://127.0.0.1:4011/v1 instead of the target. Each finding is printed when it is first seen.
http://127.0.0.1:4011/__proxy/report shows the report while the proxy runs. Ctrl-C ends it and writes the reports.

Options:
${toHelpLines(options)}

Nothing is changed on the way but Host, which names the target, and Via, which is added. Keys that no --key names are
judged by their own headers. With - as FILE, one report goes to standard output instead of the text.

Exit codes, after it has ended:
  0    nothing fails: clean or incomplete
  1    drift or unanswered calls; with --strict, a violated RFC or an undocumented status too
  2    could not run, or nothing passed that could be judged
  130  ended by a second Ctrl-C (143 by SIGTERM), without reports
After Ctrl-C, ${isOfNpm ? 'npm' : 'npx'} exits with 130, whatever the code is. Where you need the code, run it without, as
${isOfNpm ? 'node contracts/main.ts proxy' : 'node_modules/.bin/petstore-twin proxy'}.

Examples:
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key pro=K2
  ${command} --target staging --key K --html report.html --har traffic.har
`;
}
