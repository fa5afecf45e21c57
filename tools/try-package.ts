// node tools/try-package.ts TARBALL [VITEST]: installs the packed package in an empty project, beside a version of
// Vitest, and runs there the test that the README shows. It runs on each system and on each Node that the package does.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [tarball, vitest = 'latest'] = process.argv.slice(2);
if (tarball === undefined) throw new Error('Usage: node tools/try-package.ts TARBALL [VITEST]');
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, test] = /```ts\n(.*?)```/s.exec(readme) ?? [];
if (test === undefined) throw new Error('README.md shows no test.');

const folder = mkdtempSync(join(tmpdir(), 'try-package-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
copyFileSync(tarball, join(folder, 'package.tgz'));
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
writeFileSync(join(folder, 'readme.test.ts'), test);

for (const command of [
  `npm install --no-audit --no-fund ./package.tgz vitest@${vitest}`,
  'npx petstore-twin --version',
  'npx petstore-twin verify --only listPets',
  'npx vitest run',
]) {
  console.log(`> ${command}`);
  const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
