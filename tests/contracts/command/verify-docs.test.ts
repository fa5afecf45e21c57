import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toHelpText } from '../../../contracts/command/options.ts';
import { projectFile } from '../../support/twin.ts';

const flagsOf = (text: string) =>
  new Set([...text.matchAll(/--[a-z]+(?:-[a-z]+)*/g)].map(([flag]) => flag));

it('documents each option of verify, and no other', async () => {
  const table = (await readFile(projectFile('docs/verify.md'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| `--'));
  const options = toHelpText('npm run verify --')
    .split('\n')
    .filter((line) => line.startsWith('  --') && !line.startsWith('  --help'));
  const documented = flagsOf(table.map((line) => line.split('|')[1]).join('\n'));
  expect([...documented].toSorted()).toEqual(
    [...flagsOf(options.map((line) => line.slice(0, 24)).join('\n'))].toSorted(),
  );
});
