import { parseArgs } from 'node:util';

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

export const help = `Compares the mock with bare servers, Prism and Scalar in one run. Absolute figures depend on the machine,
ratios far less.

Usage: npm run bench -- [options]

  --rounds N        rounds of each measurement (default 5)
  --seconds N       seconds of load per round; the journal takes twice as long, with it on and off (default 2)
  --connections N   parallel connections (default 32)
  --only PARTS      measure only these: ${allParts.join(', ')}, separated by commas (default all)
  --soak            only watch the memory over many requests
  --requests N      number of these requests (default 1000000)
  --no-peers        skip Prism and Scalar, which are fetched with npm
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
      throw new Error(`--${name} ${values[name]} must be a whole number from 1 to 999999999.`);
    return Number(values[name]);
  };
  const parts = values.only.split(',');
  const unknown = parts.find((part) => !allParts.includes(part));
  if (unknown !== undefined)
    throw new Error(`--only ${unknown} is unknown. Parts are ${allParts.join(', ')}.`);
  return {
    parts: values.soak ? ['soak'] : parts,
    rounds: number('rounds'),
    seconds: number('seconds'),
    connections: number('connections'),
    requests: number('requests'),
    peers: !values['no-peers'],
  };
}
