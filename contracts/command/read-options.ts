import { parseArgs } from 'node:util';
import { toUsageError, UsageError } from '../cli/usage-error.ts';
import type { GivenOption, Option } from './option-kinds.ts';

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

/** What the command line holds, by flag. */
export type Given = Readonly<Record<string, GivenOption>>;

/** How a command line is read. */
export type ReadOptions = {
  /** What to say of an option that takes one value and is given twice, if not the usual. */
  repeated?: Readonly<Record<string, string>>;
  /** What an argument without an option may have been meant as: `--target URL or --key KEY`. */
  example: string;
  /** Whether arguments without an option name files. */
  takesFiles?: boolean;
};

/**
 * Reads a command line by a table of options. Gives what was typed too, by flag. Throws {@link
 * UsageError}.
 */
export function readOptions<Table extends OptionTable>(
  args: readonly string[],
  table: Table,
  { repeated = {}, example, takesFiles = false }: ReadOptions,
): { given: Given; files: readonly string[]; values: () => Parsed<Table> } {
  const listed = Object.entries(table).map(([name, option]) => ({
    name,
    flag: toFlag(name),
    option,
  }));
  const { given, flags, files } = readArguments(args, listed, { example, takesFiles });
  if (!given.help) refuseRepeated(flags, listed, repeated);
  return {
    given,
    files,
    values: () =>
      toDefined(
        listed.map(({ name, flag, option }) => [
          name,
          option.parse(
            option.negativeHelp !== undefined && given[`no-${flag}`] ? false : given[flag],
            flag,
          ),
        ]),
      ) as Parsed<Table>,
  };
}

/** The entries that have a value, as an object. */
export function toDefined(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The flag of an option. */
function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The lines of the help on a table of options. */
export function toHelpLines(table: OptionTable): string[] {
  return Object.entries(table).flatMap(([name, { value, help, negativeHelp }]) => {
    const flag = toFlag(name);
    const line = (typed: string, text: string) => `  ${typed.padEnd(22)} ${text}`;
    return [
      ...(help === undefined ? [] : [line(`--${flag}${value ? ` ${value}` : ''}`, help)]),
      ...(negativeHelp === undefined ? [] : [line(`--no-${flag}`, negativeHelp)]),
    ];
  });
}

/**
 * Refuses a variable that is named like an option, as the command reads none and it would be
 * ignored. Throws {@link UsageError}.
 */
export function refuseVariables(
  env: Readonly<Record<string, string | undefined>>,
  { table, command }: { table: OptionTable; command: string },
): void {
  const flags = Object.entries(table)
    .filter(([, { isOfTwin }]) => !isOfTwin)
    .flatMap(([name, { help, negativeHelp }]) => [
      ...(help === undefined ? [] : [toFlag(name)]),
      ...(negativeHelp === undefined ? [] : [`no-${toFlag(name)}`]),
    ]);
  const flag = flags.find((one) => env[toVariable(one)] !== undefined);
  if (flag !== undefined)
    throw new UsageError(
      `${command} reads no variable ${toVariable(flag)}. Give --${flag} instead, or unset it.`,
    );
}

type Listed = readonly { name: string; flag: string; option: Option }[];

/** What is given, by its flag, and each flag as often as it is given. */
function readArguments(
  args: readonly string[],
  listed: Listed,
  { example, takesFiles }: Required<Pick<ReadOptions, 'example' | 'takesFiles'>>,
): { given: Given; flags: string[]; files: readonly string[] } {
  const options = Object.fromEntries(listed.flatMap(toParseArgsOptions));
  try {
    const { values, tokens, positionals } = parseArgs({
      args: joinNegativeNumbers(args, listed),
      options,
      strict: true,
      tokens: true,
      allowPositionals: takesFiles,
    });
    const flags = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    return { given: values as Given, flags, files: positionals };
  } catch (error) {
    // What stands alone may be a key, so it is not repeated.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(
        `An argument has no option before it. Name the option, such as ${example}. See --help.`,
      );
    throw toUsageError(error as Error, Object.keys(options));
  }
}

type ParseArgsOption = { type: 'string' | 'boolean'; multiple?: true; short?: string };

function toParseArgsOptions({ flag, option }: Listed[number]): [string, ParseArgsOption][] {
  const { value, many, help, negativeHelp } = option;
  const entries: [string, ParseArgsOption][] = [];
  if (help !== undefined)
    entries.push([
      flag,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(many && { multiple: true }),
        ...(flag === 'help' && { short: 'h' }),
      },
    ]);
  if (negativeHelp !== undefined) entries.push([`no-${flag}`, { type: 'boolean' }]);
  return entries;
}

/** Joins a negative number with its option, as `parseArgs` takes it for an option of its own. */
function joinNegativeNumbers(args: readonly string[], listed: Listed): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const isValue = listed.some(({ flag, option }) => option.value && before === `--${flag}`);
    if (isValue && /^-\d/.test(arg)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Refuses a second value for an option that takes one, as the first would be ignored. */
function refuseRepeated(
  flags: readonly string[],
  listed: Listed,
  messages: Readonly<Record<string, string>>,
): void {
  const single = listed.filter(({ option: { value, many } }) => value !== undefined && !many);
  const repeated = flags.find(
    (flag, index) => single.some((one) => one.flag === flag) && flags.indexOf(flag) < index,
  );
  if (repeated !== undefined)
    throw new UsageError(
      messages[repeated] ?? `--${repeated} is given twice. Leave one of them out.`,
    );
}

function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}
