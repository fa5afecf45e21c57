import { createCommand } from '../../common/cli/create-command.ts';
import { toHelpLines } from '../../common/cli/read-options.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { Check } from '../clauses/check.ts';
import { readToJudge } from '../document/read-document.ts';
import { clauseLedger } from '../verify/selection.ts';
import { options, reading, options as table } from './options.ts';
import { reportWarnings } from './report-warnings.ts';
import { runVerification } from './run-verification.ts';

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run,
 * 128 and the signal's number where it was interrupted.
 */
export const runCommand = createCommand({
  name: 'verify',
  table,
  toHelpText,
  ...reading,
  async run(given, { env }) {
    const document = await readToJudge(given);
    reportWarnings('verify', document);
    if (!given.listClauses) return runVerification(given, document, env);
    print(toClauseList(clauseLedger(document, { isFuzzed: given.fuzz })));
    return 0;
  },
});

/** Returns the text of `--help`; `command` is the command line before the options. */
export function toHelpText(command: string): string {
  return `petstore-twin verify: checks a deployment of the Pet Store Service against its interface, clause by clause

Usage: ${command} [--target URL --key PLAN=KEY ...] [options]

Without --target, it verifies only the mock. Options:
${toHelpLines(options)}

With - as FILE, one report goes to standard output instead of the text${command.startsWith('npm') ? ' (use npm run --silent)' : ''}.

Exit codes:
  0    clean, or incomplete (2 with --fail-on-incomplete)
  1    drift or unanswered calls; with --strict, a violated RFC or an undocumented status too
  2    could not run, or checked nothing
  130  interrupted by Ctrl-C (143 by SIGTERM); the report shows what was seen until then

Examples:
  ${command.replace(/ --$/, '')}
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key free=K2 --key pro=K3
  ${command} --target staging --key K --read-only --html report.html
  ${command} --spec api.yaml --target http://127.0.0.1:8080 --key basicAuth=user:password --plan
  ${command} --spec api.yaml --target http://127.0.0.1:8080 --header 'X-Tenant: t1' --no-key --allow-writes
`;
}

/** The ledger of clauses, a line each: the check, what it rests on, and the clause. */
function toClauseList(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return `${checks.map(({ id, clause }) => `${id.padEnd(width)}  ${clause.basis.padEnd(9)}  ${toVisible(clause.source)}\n${' '.repeat(width + 2)}${toVisible(clause.text)}`).join('\n')}\n`;
}
