import { parseArgs } from 'node:util';

const allParts = ['speed', 'start', 'size', 'sandboxes', 'journal'];

export const help = `Measures the twin beside bare servers and its peers, in one run. Absolute figures vary with the machine,
ratios far less.

Usage: npm run bench -- [options]

  --rounds N        rounds of each measure (default 5)
  --seconds N       seconds of load in a round; for the journal, with it and without each (default 2)
  --connections N   connections of the load (default 32)
  --only PARTS      some of ${allParts.join(', ')}, separated by commas (default all)
  --soak            watch the memory over --requests, instead of the rest
  --requests N      requests of the soak (default 1000000)
  --no-peers        leave out Prism and Scalar, which are fetched from the package registry
`;

export type BenchOptions = {
  parts: readonly string[];
  rounds: number;
  seconds: number;
  connections: number;
  requests: number;
  peers: boolean;
};

/**
 * Reads the options of the bench. Throws an error that says what was wrong and what was expected.
 */
export function readOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      only: { type: 'string', default: allParts.join(',') },
      soak: { type: 'boolean', default: false },
      requests: { type: 'string', default: '1000000' },
      'no-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const number = (name: 'rounds' | 'seconds' | 'connections' | 'requests') => {
    if (!/^[1-9]\d{0,8}$/.test(values[name]))
      throw new Error(`--${name} ${values[name]} is no whole number from 1 to 999999999.`);
    return Number(values[name]);
  };
  const parts = values.only.split(',');
  const stranger = parts.find((part) => !allParts.includes(part));
  if (stranger !== undefined)
    throw new Error(`--only ${stranger} is no part. Parts are ${allParts.join(', ')}.`);
  return {
    parts: values.soak ? ['soak'] : parts,
    rounds: number('rounds'),
    seconds: number('seconds'),
    connections: number('connections'),
    requests: number('requests'),
    peers: !values['no-peers'],
  };
}
