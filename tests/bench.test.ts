import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adviceOnHalts } from './bench/machine.ts';
import { type BenchOptions, help, readOptions } from './bench/options.ts';

test.each([
  [['--only', 'speed,sped'], '--only sped is no part. Parts are speed, start, size, sandboxes, journal.'],
  [['--only', ''], '--only  is no part.'],
  [['--only', 'soak'], '--only soak is no part.'],
  [['--soak', '--only', 'sped'], '--only sped is no part.'],
  [['--rounds', '0'], '--rounds 0 is no whole number from 1 on.'],
  [['--seconds', '1.5'], '--seconds 1.5 is no whole number from 1 on.'],
  [['--connections', 'many'], '--connections many is no whole number from 1 on.'],
  [['--requests', '1e6'], '--requests 1e6 is no whole number from 1 on.'],
  [['--round', '1'], "Unknown option '--round'"],
])('the bench refuses %j', (args, problem) => {
  expect(() => readOptions(args)).toThrow(problem);
});

test('the bench measures all parts beside all peers unless told otherwise, as its help says', () => {
  const { parts, rounds, seconds, connections, requests, peers } = readOptions([]) as BenchOptions;
  expect(peers).toBe(true);
  expect(help).toContain(parts.join(', '));
  for (const usual of [rounds, seconds, connections, requests]) expect(help).toContain(`(default ${usual})`);
  expect(readOptions(['--help', '--rounds', '0'])).toBe('help');
  expect(readOptions(['--soak', '--no-peers'])).toMatchObject({ parts: ['soak'], peers: false });
});

test('the bench advises where a virtual machine halts at once, and nowhere else', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'halts-')), 'guest_halt_poll_ns');
  expect(adviceOnHalts(file)).toBeUndefined();
  writeFileSync(file, '200000\n');
  expect(adviceOnHalts(file)).toBeUndefined();
  writeFileSync(file, '0\n');
  expect(adviceOnHalts(file)).toContain(`echo 1000000 > ${file}`);
});
