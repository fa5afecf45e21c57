import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  ['--sample x', '--sample must be a whole number of at least 1, but is "x".\n'],
  ['--sampl 3', "Unknown option '--sampl'. Did you mean --sample? See --help.\n"],
])('refuses %s of a tool in one line', (words, message) => {
  const args = ['tools/lab/run-traffic-lab.ts', ...words.split(' ')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: message });
});
