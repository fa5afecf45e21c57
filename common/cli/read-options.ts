import { parseArgs } from 'node:util';
import { nearestName } from './nearest-name.ts';
import type { GivenOption, Option } from './option-kinds.ts';
import { UsageError } from './usage-error.ts';

/** A flag of a command line; a flag without `value` is a switch. */
export type Flag = Pick<Option, 'value' | 'help' | 'many' | 'short' | 'prints' | 'opposite'> & {
  flag: string;
};

/** The options of a command by their names in code, in the order of its help. */
export type OptionTable = Readonly<Record<string, Option>>;

type Values<Table extends OptionTable> = {
  [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};
type Unset<Value> = {
  [Name in keyof Value]: undefined extends Value[Name] ? Name : never;
}[keyof Value];
type Defined<Value> = Omit<Value, Unset<Value>> & {
  [Name in keyof Pick<Value, Unset<Value>>]?: Exclude<Value[Name], undefined>;
};

/** The options of a command, parsed; one without a value and a default is not there. */
export type Parsed<Table extends OptionTable> = Defined<Values<Table>>;

/** The options that a command line gives, by flag. */
export type Given = Readonly<Record<string, GivenOption>>;

/** How a command line is read. */
export type ReadOptions = {
  /** An option that an argument without one may mean: `--target URL or --key KEY`. */
  example?: string;
  /** Whether arguments without an option name files. */
  takesFiles?: boolean;
};

/** The flag that shows the help of any command. */
export const helpFlag: Flag = { flag: 'help', short: 'h', help: 'show this help' };

/**
 * Reads a command line by a table of options, and gives the arguments without an option too; `help`
 * where that is asked for. Throws {@link UsageError}.
 */
export function readOptions<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
  reading: ReadOptions,
): { files: readonly string[]; values: Parsed<Table> } | 'help' {
  const flags = toFlags(table);
  const { given, order, files } = readFlags(args, [...flags, helpFlag], reading);
  if (given.help) return 'help';
  refuseRepeated(order, flags);
  refuseOpposites(given, flags);
  refuseTwoPrinted(given, flags);
  const values = Object.entries(table).map(([name, { parse, negativeHelp }]) => {
    const flag = toFlag(name);
    const isOff = negativeHelp !== undefined && given[`no-${flag}`];
    return [name, parse(isOff ? false : given[flag], flag)] as const;
  });
  return { files, values: toDefined(values) as Parsed<Table> };
}

/** The entries that have a value, as an object. */
export function toDefined(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The flag of an option or a setting, by its name in code. */
export function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of a flag, as the twin reads it. */
export function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}

function toFlags(table: OptionTable): Flag[] {
  return Object.entries(table).flatMap(([name, option]) => {
    const flag = toFlag(name);
    return [
      ...(option.help === undefined ? [] : [{ ...option, flag }]),
      ...(option.negativeHelp === undefined
        ? []
        : [{ flag: `no-${flag}`, help: option.negativeHelp, opposite: flag }]),
    ];
  });
}

/** The lines of the help on a table of options. */
export function toHelpLines(table: OptionTable): string {
  return describeFlags([...toFlags(table), helpFlag]);
}

/** The lines of the help on flags. */
export function describeFlags(flags: readonly Flag[]): string {
  const rows = flags.map(({ flag, value, short, help }) => {
    const typed = `--${flag}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
    return { typed, help };
  });
  const width = Math.max(...rows.map(({ typed }) => typed.length));
  return rows.map(({ typed, help }) => `  ${typed.padEnd(width)}  ${help}`).join('\n');
}

/**
 * Reads a command line: what is given, by flag; each flag as often as it is given; and arguments
 * without an option, where these name files. Throws {@link UsageError}.
 */
export function readFlags(
  args: readonly string[],
  flags: readonly Flag[],
  { example, takesFiles = false }: Pick<ReadOptions, 'example' | 'takesFiles'> = {},
): { given: Given; order: readonly string[]; files: readonly string[] } {
  const options = flags.map(({ flag, value, many, short }) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [flag, { type, ...(many && { multiple: true }), ...(short && { short }) }] as const;
  });
  try {
    const { values, tokens, positionals } = parseArgs({
      args: joinNumbers(args, flags),
      options: Object.fromEntries(options),
      strict: true,
      tokens: true,
      allowPositionals: takesFiles,
    });
    const order = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    return { given: values as Given, order, files: positionals };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // What stands alone may be a key, so it is not repeated.
    if (example !== undefined && code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(
        `An argument has no option before it. Name the option, such as ${example}. See --help.`,
      );
    const names = flags.map(({ flag }) => flag);
    throw toUsageError(error as Error, names);
  }
}

/** Puts a negative number behind its option, as Node takes it for an option of its own. */
function joinNumbers(args: readonly string[], flags: readonly Flag[]): string[] {
  const taking = flags.flatMap(({ flag, value }) => (value === undefined ? [] : [`--${flag}`]));
  const isJoined = (index: number) =>
    taking.includes(args[index - 1] ?? '') && /^-\d/.test(args[index] ?? '');
  return args.flatMap((arg, index) => {
    if (isJoined(index)) return [];
    return isJoined(index + 1) ? [`${arg}=${args[index + 1]}`] : [arg];
  });
}

/**
 * Turns an error of Node's `parseArgs` into one sentence; `names` are the options of the command.
 */
export function toUsageError({ message }: Error, names: readonly string[]): UsageError {
  // Node goes on with advice that does not hold for every option.
  const [sentence = ''] = message.split(/\. (?=To )|\n/);
  const [, lacking] = /^Option '(?:-\w, )?--([\w-]+)[^']*' argument/.exec(sentence) ?? [];
  if (lacking !== undefined) return new UsageError(`--${lacking} needs a value. See --help.`);
  const [, unknown] = /^Unknown option '--([^'=]+)/.exec(sentence) ?? [];
  const nearest = unknown === undefined ? undefined : nearestName(unknown, names);
  const advice = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
  return new UsageError(`${sentence.replace(/\.$/, '')}.${advice} See --help.`);
}

/** Refuses a second value for an option that takes one, as the first would be ignored. */
function refuseRepeated(order: readonly string[], flags: readonly Flag[]): void {
  const single = flags.filter(({ value, many }) => value !== undefined && !many);
  const twice = order.find(
    (name, index) => single.some(({ flag }) => flag === name) && order.indexOf(name) < index,
  );
  if (twice !== undefined)
    throw new UsageError(`--${twice} is given twice. Leave one of them out.`);
}

/** Refuses two options that contradict each other. */
function refuseOpposites(given: Given, flags: readonly Flag[]): void {
  const found = flags.find(({ flag, opposite }) => opposite && given[opposite] && given[flag]);
  if (found)
    throw new UsageError(
      `--${found.opposite} and --${found.flag} are opposites. Leave one of them out.`,
    );
}

/** Refuses two reports on standard output. */
function refuseTwoPrinted(given: Given, flags: readonly Flag[]): void {
  const [first, second] = flags
    .filter(({ flag, prints }) => prints && [true, '-'].includes(given[flag] as string))
    .map(({ flag, value }) => ({ flag, typed: value ? `--${flag} -` : `--${flag}` }));
  if (first && second)
    throw new UsageError(
      `${first.typed} and ${second.typed} both write to standard output. Give --${first.flag} a file.`,
    );
}
