import { onUnless, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { type OptionsOf, readOptions, toHelpLines } from '../../common/cli/read-options.ts';
import { namesOption } from '../read-arguments.ts';

const allParts = [
  'speed',
  'start',
  'size',
  'stores',
  'sandboxes',
  'journal',
  'proxy',
  'in-process',
  'requests',
  'documents',
];

const count = (help: string, unset: number) =>
  wholeNumber({ value: 'N', help, min: 1, default: unset });

const table = {
  rounds: count('rounds of each measurement', 5),
  seconds: count(
    'seconds of load per round; the journal takes twice as long, with it on and off',
    2,
  ),
  connections: count('parallel connections', 32),
  only: namesOption(
    'PARTS',
    `measure only these: ${allParts.join(', ')}, separated by commas (default all)`,
    allParts,
  ),
  soak: toggle('only watch the memory over many requests'),
  requests: count('number of these requests', 1_000_000),
  peers: onUnless('skip Prism and Scalar, which are fetched with npm'),
};

export const help = `Compares the mock with bare servers, Prism and Scalar in one run. Absolute figures depend on the machine,
ratios far less.

Usage: npm run bench -- [options]

${toHelpLines(table)}
`;

export type BenchOptions = Omit<OptionsOf<typeof table>, 'only' | 'soak'> & {
  parts: readonly string[];
};

/** Reads the options of the bench. Throws {@link UsageError}. */
export function readBenchOptions(args: readonly string[]): BenchOptions | 'help' {
  const read = readOptions(args, table);
  if (read === 'help') return read;
  const { only = allParts, soak, ...others } = read.values;
  return { ...others, parts: soak ? ['soak'] : only };
}
