import { parseArgs } from 'node:util';
import { toUsageError, UsageError } from '../cli/usage-error.ts';
import type { GivenOption, Option } from './option-kinds.ts';
import {
  type GivenRunOptions,
  type Options,
  options,
  type RunOptions,
  runOptions,
  toFlag,
} from './options.ts';

/** The reports that go to a file, or to standard output for `-`. */
const reportFormats = ['json', 'junit', 'html', 'markdown'] as const;

const opposites = [
  ['read-only', 'allow-writes'],
  ['probe-limits', 'no-probe-limits'],
] as const;

const listed = Object.entries<Option>(options).map(([name, option]) => ({
  ...option,
  name,
  flag: toFlag(name),
}));

/**
 * Reads the command line. Throws {@link UsageError}; gives the help text where it was asked for.
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { given, flags } = readArguments(args);
  if (given.help) return 'help';
  refuseRepeated(flags);
  for (const [first, second] of opposites)
    if (given[first] && given[second])
      throw new UsageError(`--${first} and --${second} are opposites. Leave one of them out.`);
  refuseTwoPrinted(given);
  const values = listed.map(({ name, flag, parse }) => [
    name,
    parse(given[`no-${flag}`] ? false : given[flag], flag),
  ]);
  return toDefined(values) as Options;
}

/**
 * Reads how to verify as code gives it; an option that is left out has its default. `others` are
 * what else code may give. Throws {@link UsageError}.
 */
export function readRunOptions(given: GivenRunOptions, others: readonly string[] = []): RunOptions {
  const names = Object.keys(runOptions);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no option "${unknown}". Options are ${[...others, ...names].join(', ')}.`,
    );
  const values = Object.entries<Option>(runOptions).map(([name, { check }]) => [
    name,
    check(given[name as keyof GivenRunOptions], name),
  ]);
  return toDefined(values) as RunOptions;
}

/**
 * Refuses a variable that is named like an option, as verify reads none and it would be ignored.
 * Throws {@link UsageError}.
 */
export function refuseVariables(env: Readonly<Record<string, string | undefined>>): void {
  const flags = listed
    .filter(({ isOfTwin }) => !isOfTwin)
    .flatMap(({ flag, help, negativeHelp }) => [
      ...(help === undefined ? [] : [flag]),
      ...(negativeHelp === undefined ? [] : [`no-${flag}`]),
    ]);
  const flag = flags.find((one) => env[toVariable(one)] !== undefined);
  if (flag !== undefined)
    throw new UsageError(
      `verify reads no variable ${toVariable(flag)}. Give --${flag} instead, or unset it.`,
    );
}

type Given = Readonly<Record<string, GivenOption>>;

/** What is given, by its flag, and each flag as often as it is given. */
function readArguments(args: readonly string[]): { given: Given; flags: string[] } {
  try {
    const { values, tokens } = parseArgs({
      args: joinNegativeNumbers(args),
      options: Object.fromEntries(listed.flatMap(toParseArgsOptions)),
      strict: true,
      tokens: true,
    });
    const flags = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    return { given: values as Given, flags };
  } catch (error) {
    // What stands alone may be a key, so it is not repeated.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(
        'An argument has no option before it. Name the option, such as --target URL or --key KEY. See --help.',
      );
    throw toUsageError(error as Error);
  }
}

type ParseArgsOption = { type: 'string' | 'boolean'; multiple?: true; short?: string };

function toParseArgsOptions({ flag, value, many, help, negativeHelp }: (typeof listed)[number]) {
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
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    const isValue = listed.some(({ flag, value }) => value && before === `--${flag}`);
    if (isValue && /^-\d/.test(arg)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Refuses a second value for an option that takes one, as the first would be ignored. */
function refuseRepeated(flags: readonly string[]): void {
  const single = listed.filter(({ value, many }) => value !== undefined && !many);
  const repeated = flags.find(
    (flag, index) => single.some((one) => one.flag === flag) && flags.indexOf(flag) < index,
  );
  if (repeated === 'target')
    throw new UsageError(
      '--target is given twice, and a run judges one deployment. Run verify once for each, with --json FILE, and compare the reports.',
    );
  if (repeated !== undefined)
    throw new UsageError(`--${repeated} is given twice. Leave one of them out.`);
}

/** Refuses two reports on standard output. */
function refuseTwoPrinted(given: Given): void {
  const [first, second] = [
    ...reportFormats.filter((name) => given[name] === '-'),
    ...(given.github ? ['github'] : []),
  ];
  if (first === undefined || second === undefined) return;
  const shown = second === 'github' ? '--github' : `--${second} -`;
  throw new UsageError(
    `--${first} - and ${shown} both write to standard output. Give --${first} a file.`,
  );
}

function toDefined(entries: readonly unknown[][]): unknown {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}
