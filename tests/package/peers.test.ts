import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { makeFolder } from '../support/make-folder.ts';

/** Returns what npm finds wrong with packages that are installed beside each other. */
function problemsOf(beside: Record<string, string>): Promise<string[]> {
  const { name, version, peerDependencies, peerDependenciesMeta } = packageJson;
  const folder = makeFolder();
  const write = (path: string, content: object) => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), JSON.stringify(content));
  };
  write('.', { dependencies: { [name]: version, ...beside } });
  write(`node_modules/${name}`, { name, version, peerDependencies, peerDependenciesMeta });
  for (const [peer, installed] of Object.entries(beside))
    write(`node_modules/${peer}`, { name: peer, version: installed });
  return new Promise((resolve) => {
    execFile('npm', ['ls', '--all', '--json'], { cwd: folder }, (_, out) =>
      resolve(JSON.parse(out).problems ?? []),
    );
  });
}

it.each([
  { vitest: '3.0.0' },
  { vitest: '3.2.7', playwright: '1.50.0' },
  { vitest: '4.1.12' },
  { vitest: '5.1.1', playwright: '1.65.1' },
])('can be installed beside %o', async (beside) => {
  expect(await problemsOf(beside)).toEqual([]);
});

it('says which peers it does not work with', async () => {
  expect(await problemsOf({ vitest: '2.1.9' })).toEqual([
    expect.stringMatching(/^invalid: vitest@2\.1\.9/),
  ]);
});
