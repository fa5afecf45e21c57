import { print, sayFailure } from '../look/print.ts';
import { showPage } from './help-pages.ts';
import { type OptionsOf, type OptionTable, type ReadOptions, readOptions } from './read-options.ts';
import { UsageError } from './usage-error.ts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs a command and gives its exit code; `command` is what a person types before the options. */
export type RunCommand = (
  args: readonly string[],
  context: { env: Environment; command: string },
) => Promise<number>;

/**
 * A command from its table of options: answers `--help`, refuses a command line that it cannot read,
 * and exits with 2 and a sentence where it cannot run.
 */
export function createCommand<Table extends OptionTable>({
  name,
  table,
  toHelpText,
  run,
  ...reading
}: ReadOptions & {
  name: string;
  table: Table;
  toHelpText: (command: string) => string;
  /** `files` are the arguments without an option. */
  run: (
    options: OptionsOf<Table>,
    context: { files: readonly string[]; env: Environment },
  ) => Promise<number>;
}): RunCommand {
  return async (args, { env, command }) => {
    outliveReaders();
    const keyArgs = toKeyArgs(table, env, args);
    try {
      const read = readOptions([...keyArgs, ...args], table, reading);
      if (read === 'help') {
        print(toHelpText(command));
        return 0;
      }
      return await run(read.values, { files: read.files, env });
    } catch (error) {
      const isOfVariable = keyArgs.length > 0 && !isGiven('--key', args);
      sayWhy(error as Error, { name, env, isAnnotated: args.includes('--github'), isOfVariable });
      return 2;
    }
  };
}

/**
 * Adds the keys of a variable, one a line, where something has them: anybody on a machine sees the
 * arguments of its processes.
 */
function toKeyArgs(
  { key, target }: OptionTable,
  { TARGET_KEYS = '' }: Environment,
  args: readonly string[],
): string[] {
  const keys = TARGET_KEYS.split('\n').map((line) => line.trim());
  return key?.many && (!target || isGiven('--target', args))
    ? keys.filter((one) => one !== '').map((one) => `--key=${one}`)
    : [];
}

function isGiven(option: string, args: readonly string[]): boolean {
  return args.some((one) => one === option || one.startsWith(`${option}=`));
}

/** Says why a command could not run; shows where an unexpected error happened if `DEBUG` is set. */
function sayWhy(
  error: Error,
  {
    name,
    env,
    isAnnotated,
    isOfVariable,
  }: { name: string; env: Environment; isAnnotated: boolean; isOfVariable: boolean },
): void {
  const isExpected = error instanceof UsageError;
  const source = isOfVariable && /--key\b/.test(error.message) ? ' TARGET_KEYS holds it.' : '';
  const why = `${isExpected ? '' : 'failed, which is a bug in the suite: '}${error.message}${source}`;
  sayFailure(name, why, { isAnnotated });
  if (isExpected) showPage(name, error);
  if (!isExpected && env.DEBUG) print(`${error.stack}\n`, process.stderr);
}

/**
 * Continues if the reader of the output stops early, such as `head`. On other write errors, such as
 * a full disk, the command finishes its work, reports the error once, and exits with 2.
 */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', outlive).on('error', outlive);
}

/** Lines that were written already, as standard output is gone. */
const told = new Set<string>();

function outlive({ code, message }: NodeJS.ErrnoException): void {
  const text = `petstore-twin: standard output could not be written (${code ?? message}).\n`;
  if (code === 'EPIPE' || told.has(text)) return;
  told.add(text);
  process.once('exit', () => {
    process.exitCode = 2;
  });
  print(text, process.stderr);
}
