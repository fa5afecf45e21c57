import { withoutNested } from '../description/collections/without-nested.ts';
import { loadPinned } from '../description/pins.ts';
import { HarFileError } from '../har/har-writer.ts';
import { print } from '../look/print.ts';
import { toClauseList } from '../report/clauses.ts';
import { TargetError } from '../run/run-target.ts';
import { clauseLedger, NothingChecked } from '../verify/selection.ts';
import { options, options as table } from './options.ts';
import { outliveReaders } from './outlive-readers.ts';
import { parseOptions } from './parse-options.ts';
import { refuseVariables, toHelpLines } from './read-options.ts';
import { reportWarnings } from './report-warnings.ts';
import { runVerification } from './run-verification.ts';
import { sayWhy } from './say-why.ts';
import { TwinError } from './twin-process.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type CommandOptions = {
  env: Environment;
  /** What a person types before the options, for the help. */
  command: string;
};

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run,
 * 128 and the signal's number where it was interrupted.
 */
export async function runCommand(
  args: readonly string[],
  { env, command }: CommandOptions,
): Promise<number> {
  outliveReaders();
  try {
    const options = parseOptions(args);
    if (options === 'help') return printed(toHelpText(command));
    refuseVariables(env, { table, command: 'verify' });
    const document = withoutNested(await loadPinned(options));
    reportWarnings('verify', document);
    if (options.listClauses) return printed(toClauseList(clauseLedger(document)));
    return await runVerification(options, document, env);
  } catch (error) {
    sayWhy(error as Error, { name: 'verify', expected, env });
    return 2;
  }
}

function printed(text: string): number {
  print(text);
  return 0;
}

/** Errors whose message tells a person what to change. */
const expected = [TargetError, TwinError, NothingChecked, HarFileError];

/** What `--help` shows; `command` is what a person types before the options. */
export function toHelpText(command: string): string {
  return `petstore-twin verify: checks a deployment of the Pet Store Service against its interface, clause by clause

Usage: ${command} [--target URL --key PLAN=KEY ...] [options]

Without --target, it verifies only the mock. Options:
${toHelpLines(options).join('\n')}

With - as FILE, one report goes to standard output instead of the text${command.startsWith('npm') ? ' (use npm run --silent)' : ''}.

Exit codes:
  0    clean, or incomplete (2 with --fail-on-incomplete)
  1    drift or unanswered calls; with --strict, a broken RFC or an undocumented status too
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
