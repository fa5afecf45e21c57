import { parseArgs } from 'node:util';
import { nearestName } from './nearest-name.ts';
import { settingList } from './setting-list.ts';
import { UsageError } from './usage-error.ts';

/** An option of the command line; one without a value is a switch. */
type Option = { flag: string; short?: string; value?: string };

const options: readonly Option[] = [
  ...settingList,
  { flag: 'config', value: 'FILE' },
  { flag: 'help', short: 'h' },
  { flag: 'version' },
];

/** Reads the command line: each option that is given, by its flag. Throws {@link UsageError}. */
export function readFlags(
  args: readonly string[],
): Readonly<Record<string, string | boolean | undefined>> {
  const known = options.map(({ flag, short, value }) => {
    const type = value ? ('string' as const) : ('boolean' as const);
    return [flag, { type, ...(short && { short }) }] as const;
  });
  try {
    const { values } = parseArgs({
      args: joinFlagValues(args),
      options: Object.fromEntries(known),
      strict: true,
    });
    return values as Record<string, string | boolean | undefined>;
  } catch (error) {
    // Node goes on with advice that does not hold for every option.
    const [sentence = ''] = (error as Error).message.split(/\. (?=To )|\n/);
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(sentence) ?? [];
    const nearest = unknown === undefined ? undefined : nearestFlag(unknown);
    const advice = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
    throw new UsageError(`${sentence.replace(/\.$/, '')}.${advice} See --help.`);
  }
}

/** The flag that a mistyped one was most likely meant to be, if any is like it. */
function nearestFlag(mistyped: string): string | undefined {
  const toName = (flag: string) => flag.toUpperCase().replaceAll('-', '_');
  const nearest = nearestName(
    toName(mistyped),
    options.map(({ flag }) => toName(flag)),
  );
  return nearest?.toLowerCase().replaceAll('_', '-');
}

/**
 * Joins each option with the value that follows it, as `parseArgs` takes no value such as -1 that
 * begins like an option. Throws an Error that says which option has no value.
 */
function joinFlagValues(args: readonly string[]): string[] {
  const findOption = (arg: string) =>
    options.find(
      ({ flag, short }) => arg === `--${flag}` || (short !== undefined && arg === `-${short}`),
    );
  const isOption = (arg: string) => findOption(arg.replace(/=.*/s, '')) !== undefined;
  const joined: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const option = findOption(arg);
    if (option?.value === undefined) {
      joined.push(arg);
      continue;
    }
    const value = args[++at];
    const needed = `--${option.flag} needs a value, as in --${option.flag} ${option.value}`;
    if (value === undefined) throw new Error(needed);
    if (isOption(value)) throw new Error(`${needed}, but ${value} follows it`);
    joined.push(`--${option.flag}=${value}`);
  }
  return joined;
}
