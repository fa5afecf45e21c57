import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { parseOptions } from '../../support/verify-options.ts';

const target = ['--target', 'http://127.0.0.1:9/v1'];
const key = ['--key', 'sk-live-key'];

it.each([
  [['--nonsense'], "Unknown option '--nonsense'. See --help."],
  [['--taget', 'x'], "Unknown option '--taget'. Did you mean --target? See --help."],
  [['--readonly'], "Unknown option '--readonly'. Did you mean --read-only? See --help."],
  [['--no-probe'], "Unknown option '--no-probe'. Did you mean --no-probe-limits? See --help."],
  [['--requests=9'], "Unknown option '--requests'. Did you mean --max-requests? See --help."],
  [
    [...target, ...key, '--read-only', '--allow-writes'],
    '--read-only and --allow-writes are opposites. Leave one of them out.',
  ],
  [
    ['--no-probe-limits', '--probe-limits'],
    '--probe-limits and --no-probe-limits are opposites. Leave one of them out.',
  ],
  [
    [...target, 'sk-live-alone'],
    'An argument has no option before it. Name the option, such as --target URL or --key KEY. See --help.',
  ],
  [
    [...target, '--key', 'a b'],
    'A --key must be printable ASCII, as KEY without spaces or as NAME=KEY.',
  ],
  [
    ['--json', '-', '--github'],
    '--json - and --github both write to standard output. Give --json a file.',
  ],
  [
    ['--json', '-', '--junit', '-'],
    '--json - and --junit - both write to standard output. Give --json a file.',
  ],
  [['--seed=-1'], '--seed must be a whole number of at least 0, but is "-1".'],
  [[...target, ...key, ...target], '--target is given twice. Leave one of them out.'],
  [['--json', '--key=sk-live-key'], '--json needs a value. See --help.'],
  [[...target, '--key'], '--key needs a value. See --help.'],
  [['--seed', '1', '--seed=1'], '--seed is given twice. Leave one of them out.'],
])('refuses %j', (args, message) => {
  expect(() => parseOptions(args)).toThrow(new UsageError(message));
});

it('takes several keys and names, and a switch twice', () => {
  const options = parseOptions([
    ...[...target, ...key, ...key, '--only', 'filter', '--only', 'getPet'],
    ...['--skip', '§8', '--skip', '§7', '--quiet', '--quiet', '--wait', '61'],
  ]);
  expect(options).toMatchObject({ only: ['filter', 'getPet'], quiet: true, wait: 61_000 });
});
