import { UsageError } from '../cli/usage-error.ts';
import type { Option } from './option-kinds.ts';
import {
  type GivenRunOptions,
  type Options,
  options,
  type RunOptions,
  runOptions,
} from './options.ts';
import { type Given, readOptions, toDefined } from './read-options.ts';

const opposites = [
  ['read-only', 'allow-writes'],
  ['probe-limits', 'no-probe-limits'],
] as const;

/**
 * Reads the command line. Throws {@link UsageError}; gives the help text where it was asked for.
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const { given, values } = readOptions(args, options, {
    example: '--target URL or --key KEY',
    repeated: {
      target:
        '--target is given twice, and a run judges one deployment. Run verify once for each, with --json FILE, and compare the reports.',
    },
  });
  if (given.help) return 'help';
  refuseOpposites(given);
  refuseTwoPrinted(given);
  return values();
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
  const values = Object.entries<Option>(runOptions).map(
    ([name, { check }]) => [name, check(given[name as keyof GivenRunOptions], name)] as const,
  );
  return toDefined(values) as RunOptions;
}

/** Refuses two options that contradict each other. Throws {@link UsageError}. */
export function refuseOpposites(given: Given): void {
  for (const [first, second] of opposites)
    if (given[first] && given[second])
      throw new UsageError(`--${first} and --${second} are opposites. Leave one of them out.`);
}

/** The reports that go to a file, or to standard output for `-`. */
const reportFormats = ['json', 'junit', 'html', 'markdown'] as const;

/** Refuses two reports on standard output. Throws {@link UsageError}. */
export function refuseTwoPrinted(given: Given): void {
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
