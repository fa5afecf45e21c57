import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';

const patch = projectFile('tests/house/new-kind.patch');
const text = readFileSync(patch, 'utf8');
const filesAt = (line: RegExp) => Array.from(text.matchAll(line), ([, path = '']) => path);
const touched = filesAt(/^diff --git a\/(\S+) /gm);
const added = filesAt(/^--- \/dev\/null\n\+{3} b\/(\S+)/gm);
// Compares the names and the docs of kinds.
const reasonForms = 'tests/mock/journal/reason-forms.test.ts';
const tests = added.filter((path) => path.endsWith('.test.ts'));

/** Copies what the mock and its tests run to a folder, and applies the patch there. */
function applyPatch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'new-kind-'));
  const rooms = ['common', 'contracts', 'fixtures', 'mock', 'openapi', 'package', 'reference'];
  const others = ['package.json', 'tests/support', reasonForms, ...touched];
  for (const path of [...rooms, ...others.filter((one) => !added.includes(one))])
    cpSync(projectFile(path), join(folder, path), { recursive: true });
  symlinkSync(projectFile('node_modules'), join(folder, 'node_modules'));
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  execFileSync('git', ['apply', patch], { cwd: folder, env });
  return folder;
}

it('touches at most 12 files, one of them a test of its own', () => {
  expect(touched.length).toBeLessThanOrEqual(12);
  expect(tests).toHaveLength(1);
});

describe('with the patch', async () => {
  const folder = applyPatch();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of [...tests, reasonForms]) await import(join(folder, path));
});
