import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toRatio } from '../../tools/bench/journal.ts';
import { adviceOnHalts } from '../../tools/bench/machine.ts';
import { type BenchOptions, help, readBenchOptions } from '../../tools/bench/options.ts';
import { makeFolder } from '../support/make-folder.ts';

test.each([
  [
    ['--only', 'speed,sped'],
    '--only must be among speed, start, size, stores, sandboxes, journal, proxy, in-process, requests, documents, separated by commas, but is "speed,sped".',
  ],
  [['--soak', '--only', 'sped'], '--only must be among speed, start'],
  [['--rounds', '0'], '--rounds must be a whole number of at least 1, but is "0".'],
  [['--seconds', '1.5'], '--seconds must be a whole number of at least 1, but is "1.5".'],
  [['--round', '1'], "Unknown option '--round'"],
])('the bench refuses %j', (args, problem) => {
  expect(() => readBenchOptions(args)).toThrow(problem);
});

test('the bench measures all parts beside all peers by default, as its help says', () => {
  const { parts, rounds, seconds, connections, requests, peers } = readBenchOptions(
    [],
  ) as BenchOptions;
  expect(peers).toBe(true);
  expect(help).toContain(parts.join(', '));
  for (const value of [rounds, seconds, connections, requests])
    expect(help).toContain(`(default ${value})`);
  expect(readBenchOptions(['--help', '--rounds', '0'])).toBe('help');
  expect(readBenchOptions(['--soak', '--no-peers'])).toMatchObject({
    parts: ['soak'],
    peers: false,
  });
});

test('the bench advises where a virtual machine halts at once, and nowhere else', () => {
  const file = join(makeFolder(), 'guest_halt_poll_ns');
  expect(adviceOnHalts(file)).toBeUndefined();
  writeFileSync(file, '200000\n');
  expect(adviceOnHalts(file)).toBeUndefined();
  writeFileSync(file, '0\n');
  expect(adviceOnHalts(file)).toContain(`echo 1000000 > ${file}`);
});

test('the cost of the journal is measured in turns while the machine slows down', () => {
  const turns = Array.from({ length: 20 }, (_, at) => ({
    on: at % 2 === 0,
    perSecond: (1000 - 40 * at) * (at % 2 === 0 ? 0.9 : 1),
  }));
  expect(toRatio(turns)).toBeCloseTo(0.9);
  expect(toRatio(turns.slice(1))).toBeCloseTo(0.9);
  expect(toRatio(turns.map((turn) => ({ ...turn, perSecond: 500 })))).toBe(1);
  const collected = turns.map((turn, at) => ({ ...turn, perSecond: at === 10 ? 250 : 500 }));
  expect(toRatio(collected)).toBeLessThan(0.95);
  expect(() => toRatio(turns.map((turn) => ({ ...turn, perSecond: 0 })))).toThrow(
    'a turn without requests',
  );
});
