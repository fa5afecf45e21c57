import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { toHelpText as ofVerify } from '../../../contracts/command/run-command.ts';
import { toHelpText as ofProxy } from '../../../contracts/proxy/command.ts';
import { projectFile } from '../../support/twin.ts';

it.each([
  ['verify', ofVerify],
  ['proxy', ofProxy],
])('documents each option of %s with its value, and no other', async (name, toHelpText) => {
  const table = (await readFile(projectFile(`docs/${name}.md`), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| `--'));
  const documented = table.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, typed]) => typed),
  );
  const options = [...toHelpText(name).matchAll(/^ {2}(--\S+(?: \S+)?) {2,}/gm)].map(
    ([, typed]) => typed,
  );
  expect(documented.toSorted()).toEqual(
    options.filter((typed) => typed !== '--help, -h').toSorted(),
  );
});

it.each(['docs/verify.md', 'examples/workflow.yml'])(
  'lets no incomplete run pass in the workflow of %s',
  async (file) => {
    const text = await readFile(projectFile(file), 'utf8');
    const lines = text.split('\n').filter((line) => / verify .*--github/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain('--fail-on-incomplete');
  },
);
