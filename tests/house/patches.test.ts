import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile } from '../support/twin.ts';

/** The examples of CONTRIBUTING.md, with the files that each may touch and further tests to run. */
const patches = [
  // The other test compares the names and the docs of kinds.
  { name: 'new-kind', maxFiles: 12, others: ['tests/mock/journal/reason-forms.test.ts'] },
  { name: 'new-window', maxFiles: 3, others: [] },
  { name: 'new-check', maxFiles: 5, others: [] },
  { name: 'new-format', maxFiles: 3, others: [] },
];

/** Copies what the mock and its tests run to a folder, and applies the patch there. */
function applyPatch(patch: string, paths: readonly string[]): string {
  const folder = makeFolder();
  const rooms = ['common', 'contracts', 'fixtures', 'mock', 'openapi', 'package', 'reference'];
  for (const path of [...rooms, 'package.json', 'tests/support', 'tools/lab', ...paths])
    cpSync(projectFile(path), join(folder, path), { recursive: true });
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  execFileSync('git', ['apply', patch], { cwd: folder, env });
  return folder;
}

describe.each(patches)('with the patch $name', async ({ name, maxFiles, others }) => {
  const patch = projectFile(`tests/house/${name}.patch`);
  const text = readFileSync(patch, 'utf8');
  const filesAt = (line: RegExp) => Array.from(text.matchAll(line), ([, path = '']) => path);
  const touched = filesAt(/^diff --git a\/(\S+) /gm);
  const added = filesAt(/^--- \/dev\/null\n\+{3} b\/(\S+)/gm);
  const tests = added.filter((path) => path.endsWith('.test.ts'));
  const folder = applyPatch(patch, [...others, ...touched.filter((one) => !added.includes(one))]);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`touches at most ${maxFiles} files, one of them a test of its own`, () => {
    expect(touched.length).toBeLessThanOrEqual(maxFiles);
    expect(tests).toHaveLength(1);
  });

  for (const path of [...tests, ...others]) await import(join(folder, path));
});
