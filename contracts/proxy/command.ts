import { UsageError } from '../cli/usage-error.ts';
import { outliveReaders } from '../command/outlive-readers.ts';
import { refuseTwoPrinted } from '../command/parse-options.ts';
import { readOptions, refuseVariables } from '../command/read-options.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { ReportFileError } from '../report/files.ts';
import { toHelpText } from './help-text.ts';
import { options as table } from './options.ts';
import { runProxy } from './run-proxy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs the command and gives its exit code, once it is ended: 0 nothing gates, 1 something does, 2 it
 * could not run.
 */
export async function runCommand(
  args: readonly string[],
  { env, command }: { env: Environment; command: string },
): Promise<number> {
  outliveReaders();
  try {
    const { given, values } = readOptions(args, table, {
      example: '--target URL or --key KEY',
      repeated: {
        target: '--target is given twice, and a proxy has one. Start another one for it.',
      },
    });
    if (given.help) {
      process.stdout.write(toHelpText(command));
      return 0;
    }
    refuseTwoPrinted(given);
    refuseVariables(env, { table, command: 'proxy' });
    const options = values();
    const document = withoutNested(await loadDocument(options.spec ?? builtInDocument));
    return await runProxy(options, { document, env });
  } catch (error) {
    const { message, stack } = error as Error;
    const isExpected = [UsageError, DocumentError, ReportFileError].some(
      (kind) => error instanceof kind,
    );
    const text = isExpected ? message : `failed, which is a bug in the suite: ${message}`;
    process.stderr.write(`petstore-twin proxy: ${text}\n`);
    if (!isExpected && env.DEBUG) process.stderr.write(`${stack}\n`);
    return 2;
  }
}
