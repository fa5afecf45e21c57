import { reportWarnings } from '../cli/report-warnings.ts';
import { UsageError } from '../cli/usage-error.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { DocumentError } from '../description/document.ts';
import { loadPinned } from '../description/pins.ts';
import { HarFileError } from '../har/har-writer.ts';
import { toClauseList } from '../report/clauses.ts';
import { ReportFileError } from '../report/files.ts';
import { TargetError } from '../run/run-target.ts';
import { clauseLedger, NothingChecked } from '../verify/selection.ts';
import { toHelpText } from './help-text.ts';
import { options as table } from './options.ts';
import { outliveReaders } from './outlive-readers.ts';
import { parseOptions } from './parse-options.ts';
import { refuseVariables } from './read-options.ts';
import { runVerification } from './run-verification.ts';
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
    if (options === 'help') return print(toHelpText(command));
    refuseVariables(env, { table, command: 'verify' });
    const document = withoutNested(await loadPinned(options));
    reportWarnings('verify', document);
    if (options.listClauses) return print(toClauseList(clauseLedger(document)));
    return await runVerification(options, document, env);
  } catch (error) {
    return sayWhy(error as Error, env);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Errors whose message tells a person what to change. */
const expected = [
  UsageError,
  DocumentError,
  TargetError,
  TwinError,
  NothingChecked,
  ReportFileError,
  HarFileError,
];

/** Says why the command could not run, and gives its exit code. */
function sayWhy(error: Error, env: Environment): number {
  const isExpected = expected.some((kind) => error instanceof kind);
  const message = isExpected
    ? error.message
    : `failed, which is a bug in the suite: ${error.message}`;
  process.stderr.write(`petstore-twin verify: ${message}\n`);
  if (!isExpected && env.DEBUG) process.stderr.write(`${error.stack}\n`);
  return 2;
}
