import { UsageError } from '../cli/usage-error.ts';
import { outliveReaders } from '../command/outlive-readers.ts';
import { refuseTwoPrinted } from '../command/parse-options.ts';
import { readOptions, refuseVariables } from '../command/read-options.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { RecordingError } from '../har/recording-error.ts';
import { ReportFileError } from '../report/files.ts';
import { toHelpText } from './help-text.ts';
import { options as table } from './options.ts';
import { runJudge } from './run-judge.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Errors whose message tells a person what to change. */
const expected = [UsageError, DocumentError, RecordingError, ReportFileError];

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export async function runCommand(
  args: readonly string[],
  { env, command }: { env: Environment; command: string },
): Promise<number> {
  outliveReaders();
  try {
    const { given, files, values } = readOptions(args, table, {
      example: '--key KEY',
      takesFiles: true,
    });
    if (given.help) {
      process.stdout.write(toHelpText(command));
      return 0;
    }
    refuseTwoPrinted(given);
    refuseVariables(env, { table, command: 'judge' });
    const options = values();
    const document = withoutNested(await loadDocument(options.spec ?? builtInDocument));
    return await runJudge(files, options, { document, env });
  } catch (error) {
    const { message, stack } = error as Error;
    const isExpected = expected.some((kind) => error instanceof kind);
    const text = isExpected ? message : `failed, which is a bug in the suite: ${message}`;
    process.stderr.write(`petstore-twin judge: ${text}\n`);
    if (!isExpected && env.DEBUG) process.stderr.write(`${stack}\n`);
    return 2;
  }
}
