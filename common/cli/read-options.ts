import { inspect, parseArgs } from 'node:util';
import { toExcerpt } from '../look/visible.ts';
import { nearestName } from './nearest-name.ts';
import type { Option } from './option-kinds.ts';
import { UsageError } from './usage-error.ts';

/** A flag of a command line; a flag without `value` is a switch. */
export type Flag = Pick<
  Option,
  'value' | 'default' | 'help' | 'many' | 'short' | 'prints' | 'opposite'
> & { flag: string };

/** The options of a command, or settings, by their names in code, in the order of the help. */
export type OptionTable = Readonly<Record<string, Option>>;

type Values<Table extends OptionTable> = {
  [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};
type WithoutDefault<Table extends OptionTable> = {
  [Name in keyof Table]: Table[Name] extends { default: string } | { many: true } ? never : Name;
}[keyof Table];

/** The options of a table, parsed; one without a value and a default is not there. */
export type OptionsOf<Table extends OptionTable> = Omit<Values<Table>, WithoutDefault<Table>> &
  Partial<Pick<Values<Table>, WithoutDefault<Table>>>;

/** A value of an option, and where it is given: a flag, a variable, a name in code. */
export type GivenValue = { value: unknown; source: string; isCode?: boolean };

/** The options that a command line gives, by flag. */
type GivenFlags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

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
  reading: ReadOptions = {},
): { files: readonly string[]; values: OptionsOf<Table> } | 'help' {
  const flags = toFlags(table);
  const { given, order, files } = readFlags(args, [...flags, helpFlag], reading);
  if (given.help) return 'help';
  refuseRepeated(order, flags);
  refuseOpposites(given, flags);
  refuseTwoPrinted(given, flags);
  const values = readTable(table, (name) => {
    const flag = toFlag(name);
    const isOff = table[name]?.negativeHelp !== undefined && given[`no-${flag}`];
    if (isOff) return { value: false, source: `--no-${flag}` };
    return given[flag] === undefined ? undefined : { value: given[flag], source: `--${flag}` };
  });
  return { files, values };
}

/**
 * Reads the options of a table. `givenFor` returns what is given of the one with a name, undefined
 * where its default counts. Throws {@link UsageError}.
 */
export function readTable<Table extends OptionTable>(
  table: Table,
  givenFor: (name: string) => GivenValue | undefined,
): OptionsOf<Table> {
  const values = Object.entries(table).map(([name, option]) => {
    const given = givenFor(name);
    if (given) return [name, readGiven(option, given)];
    return [name, option.default === undefined ? option.many && [] : option.parse(option.default)];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as OptionsOf<Table>;
}

function readGiven(option: Option, { value: given, source, isCode = false }: GivenValue): unknown {
  const { many, parse, parseInCode = parse, secret, show } = option;
  // A flag that may be given several times has a list.
  const value = !isCode && Array.isArray(given) ? given.join(',') : given;
  const texts = toTexts(many ? given : value, many);
  try {
    const values = (texts ?? [toCode(value)]).map(isCode ? parseInCode : parse);
    if (!texts) throw new Error('a string or a list of strings');
    const [first] = values;
    const isOther = typeof first !== 'object' && typeof first !== typeof value;
    if (isCode && values.length > 0 && isOther) throw new Error(`a ${typeof first}`);
    return many ? values.flat() : first;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const mayHoldSecret = secret || (show && typeof value === 'object');
    const shown = mayHoldSecret && value !== '' ? '"[Filtered]"' : toShown(value, show);
    throw new UsageError(`${source} must be ${(error as Error).message}, but is ${shown}.`);
  }
}

/** A value as the command line has it; undefined for one that the command line cannot have. */
function toTexts(value: unknown, many: boolean | undefined): string[] | undefined {
  if (typeof value === 'boolean') return [value ? 'on' : 'off'];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return many ? value : [value.join(',')];
  return typeof value === 'object' ? undefined : [String(value)];
}

/** A value as messages show it: what is no text as code has it. */
function toShown(value: unknown, show: Option['show'] = (text) => text): string {
  return typeof value === 'string' ? `"${show(value)}"` : toExcerpt(toCode(value), 100);
}

function toCode(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}

/** The flag of an option or a setting, by its name in code. */
export function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of a flag, as the twin reads it. */
export function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** The flags of a table, in the order of the help. */
export function toFlags(table: OptionTable): Flag[] {
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
  const rows = flags.map(({ flag, value, default: unset, short, help }) => {
    const typed = `--${flag}${value ? ` ${value}` : ''}${short ? `, -${short}` : ''}`;
    return { typed, help: value && unset ? `${help} (default ${unset})` : help };
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
): { given: GivenFlags; order: readonly string[]; files: readonly string[] } {
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
    return { given: values as GivenFlags, order, files: positionals };
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

/** Turns an error of Node's `parseArgs` into a sentence; `names` are the options of the command. */
function toUsageError({ message }: Error, names: readonly string[]): UsageError {
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
function refuseOpposites(given: GivenFlags, flags: readonly Flag[]): void {
  const found = flags.find(({ flag, opposite }) => opposite && given[opposite] && given[flag]);
  if (found)
    throw new UsageError(
      `--${found.opposite} and --${found.flag} are opposites. Leave one of them out.`,
    );
}

/** Refuses two reports on standard output. */
function refuseTwoPrinted(given: GivenFlags, flags: readonly Flag[]): void {
  const [first, second] = flags
    .filter(({ flag, prints }) => prints && [true, '-'].includes(given[flag] as string))
    .map(({ flag, value }) => ({ flag, typed: value ? `--${flag} -` : `--${flag}` }));
  if (first && second)
    throw new UsageError(
      `${first.typed} and ${second.typed} both write to standard output. Give --${first.flag} a file.`,
    );
}
