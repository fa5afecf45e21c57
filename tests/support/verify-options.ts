import { readOptions } from '../../common/cli/read-options.ts';
import { type Options, options, reading } from '../../contracts/command/options.ts';

/** Reads a command line of verify that asks for no help. */
export function parseOptions(args: readonly string[]): Options {
  const read = readOptions(args, options, reading);
  if (read === 'help') throw new Error('asks for help');
  return read.values;
}
