import { print } from '../look/print.ts';
import { outliveReaders } from './outlive-readers.ts';
import { refuseOpposites, refuseTwoPrinted } from './parse-options.ts';
import type { OptionTable, Parsed, ReadOptions } from './read-options.ts';
import { readOptions, refuseVariables } from './read-options.ts';
import { type ExpectedError, sayWhy } from './say-why.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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
  expected = [],
  run,
  ...reading
}: ReadOptions & {
  name: string;
  table: Table;
  toHelpText: (command: string) => string;
  /** Errors of its own whose message tells a person what to change. */
  expected?: readonly ExpectedError[];
  /** `files` are the arguments without an option. */
  run: (
    options: Parsed<Table>,
    context: { files: readonly string[]; env: Environment },
  ) => Promise<number>;
}): RunCommand {
  return async (args, { env, command }) => {
    outliveReaders();
    try {
      const { given, files, values } = readOptions(args, table, reading);
      if (given.help) {
        print(toHelpText(command));
        return 0;
      }
      refuseOpposites(given);
      refuseTwoPrinted(given);
      refuseVariables(env, { table, command: name });
      return await run(values(), { files, env });
    } catch (error) {
      sayWhy(error as Error, { name, expected, env });
      return 2;
    }
  };
}
