import { type ParseArgsConfig, parseArgs } from 'node:util';
import { toUsageError } from '../common/cli/read-options.ts';
import { UsageError } from '../common/cli/usage-error.ts';

/**
 * Reads the command line of a tool. Shows its help instead where that is asked for, and says what
 * is wrong with a command line that it cannot read; both end the process.
 */
export function readArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const flags = Object.keys(config.options ?? {});
  return orExit(() => {
    try {
      if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
        process.stdout.write(usage);
        process.exit(0);
      }
      return parseArgs<Config>(config);
    } catch (error) {
      throw toUsageError(error as Error, flags);
    }
  });
}

/** A whole number of 1 or more that an option gives; ends the process where it is none. */
export function readCount(flag: string, text: string): number {
  return orExit(() => {
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new UsageError(`--${flag} "${text}" must be a whole number from 1 to 999999999.`);
    return Number(text);
  });
}

function orExit<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(2);
  }
}
