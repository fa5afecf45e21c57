import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adviceOnHalts } from './bench/machine.ts';
import { help, readOptions } from './bench/options.ts';

test.each([
  [['--only', 'speed,sped'], '--only sped is no part. Parts are speed, start, size, sandboxes, journal.'],
  [['--only', ''], '--only  is no part.'],
  [['--rounds', '0'], '--rounds 0 is no whole number from 1 on.'],
  [['--seconds', '1.5'], '--seconds 1.5 is no whole number from 1 on.'],
  [['--connections', 'many'], '--connections many is no whole number from 1 on.'],
  [['--requests', '1e6'], '--requests 1e6 is no whole number from 1 on.'],
  [['--round', '1'], "Unknown option '--round'"],
])('the bench refuses %j', (args, problem) => {
  expect(() => readOptions(args)).toThrow(problem);
});

test('the bench measures all parts beside all peers unless told otherwise, as its help says', () => {
  const { parts, rounds, seconds, connections, requests, peers } = readOptions([]);
  expect(peers).toBe(true);
  expect(help).toContain(parts.join(', '));
  for (const usual of [rounds, seconds, connections, requests]) expect(help).toContain(`(default ${usual})`);
  expect(readOptions(['--soak', '--no-peers'])).toMatchObject({ parts: ['soak'], peers: false });
});

test.each([
  ['0\n', 'echo 1000000 > '],
  ['200000\n', undefined],
])('the bench advises on a virtual machine that waits for %j ns before it halts', (nanoseconds, advice) => {
  const file = join(mkdtempSync(join(tmpdir(), 'halts-')), 'guest_halt_poll_ns');
  writeFileSync(file, nanoseconds);
  const given = adviceOnHalts(file);
  if (advice === undefined) expect(given).toBeUndefined();
  else expect(given).toContain(advice + file);
  expect(adviceOnHalts(`${file}.none`)).toBeUndefined();
});
