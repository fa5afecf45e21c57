import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../', import.meta.url));
const folders = ['contracts', 'fixtures', 'mock', 'package'];

rmSync(`${root}dist`, { recursive: true, force: true });
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);

// What the code reads beside itself, and types that no code gives.
const assets = globSync(
  folders.flatMap((folder) => [`${folder}/**/*.{css,json,yaml}`, `${folder}/**/*.d.ts`]),
  { cwd: root },
);
for (const path of assets) cpSync(`${root}${path}`, `${root}dist/${path}`);

// Of the declarations, only those that an import of the package leads to.
const needed = new Set<string>();
const follow = (file: string) => {
  if (needed.has(file)) return;
  needed.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+\.ts)['"]/g);
  for (const [, path = ''] of imports)
    follow(join(dirname(file), path.replace(/(\.d)?\.ts$/, '.d.ts')));
};
for (const target of Object.values(packageJson.exports))
  if (typeof target === 'object') follow(join(root, target.types));
for (const path of globSync('dist/**/*.d.ts', { cwd: root }))
  if (!needed.has(join(root, path))) rmSync(join(root, path));
