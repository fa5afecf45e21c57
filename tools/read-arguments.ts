import { text } from '../common/cli/option-kinds.ts';
import {
  type OptionsOf,
  type OptionTable,
  readOptions,
  toHelpLines,
} from '../common/cli/read-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';

/**
 * Reads the command line of a tool. Shows its help instead where that is asked for, and says what
 * is wrong with a command line that it cannot read; both end the process. `{options}` in the help
 * stands for the lines of the table.
 */
export function readArguments<Table extends OptionTable>(
  usage: string,
  table: Table,
  args: readonly string[] = process.argv.slice(2),
  takesFiles = false,
): { values: OptionsOf<Table>; files: readonly string[] } {
  try {
    const read = readOptions(args, table, { takesFiles });
    if (read !== 'help') return read;
    process.stdout.write(usage.replace('{options}', toHelpLines(table)));
    return process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}

/** Names that are separated by commas, of those that are known if these are given. */
export function namesOption(value: string, help: string, known?: readonly string[]) {
  const parse = (given: string): readonly string[] => {
    const names = given.split(',');
    if (known && names.some((name) => !known.includes(name)))
      throw new Error(`among ${known.join(', ')}, separated by commas`);
    return names;
  };
  return { ...text({ value, help }), parse };
}
