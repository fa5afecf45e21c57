import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { runCommand as verify } from '../../contracts/command/run-command.ts';
import { runCommand as explain } from '../../mock/explain/command.ts';
import { kinds } from '../../openapi/model/kinds.ts';
import { capture } from '../support/capture.ts';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile, startTwin } from '../support/twin.ts';

const read = (page: string) => readFileSync(projectFile(page), 'utf8');
const tutorial = read('docs/other-documents.md');
const spec = projectFile('examples/bookshop.yaml');

/** Returns the blocks of the tutorial in a language. */
function blocksIn(language: string): string[] {
  const blocks = tutorial.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return blocks.map(([, block = '']) => block).toArray();
}

async function explained(...args: string[]): Promise<string> {
  const { out } = await capture(() => explain(['--spec', spec, ...args], { env: {}, command: '' }));
  return stripVTControlCharacters(out);
}

it('fits the tutorial into 150 lines', () => {
  expect(tutorial.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('shows what explain prints, and an overlay that gives every operation state', async () => {
  const [, shown = ''] = blocksIn('text');
  expect(await explained()).toContain(shown);
  const overlay = join(makeFolder(), 'overlay.yaml');
  await writeFile(overlay, blocksIn('yaml')[0] ?? '');
  expect(await explained('--overlay', overlay)).toContain('6 operations: 6 with state');
});

it('shows the verdict of verify against the mock', async () => {
  const { api: url } = await startTwin({ spec });
  const args = ['--spec', spec, '--target', url, '--allow-writes'];
  const { out } = await capture(() => verify(args, { env: {}, command: '' }));
  expect(stripVTControlCharacters(out)).toContain(blocksIn('text')[2]);
});

it('names every kind of operation in both tables', () => {
  const row = /^\| an operation \| `kind` .*$/m.exec(read('docs/documents.md'))?.[0] ?? '';
  const table = /^\| operation \| kind \|.*?\n\n/ms.exec(read('docs/resources.md'))?.[0] ?? '';
  for (const kind of kinds) {
    expect(row).toContain(`\`${kind}\``);
    expect(table).toMatch(new RegExp(`\\| (\\w+, )*${kind}(, \\w+)* \\|`));
  }
});
