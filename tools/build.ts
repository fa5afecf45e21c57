import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folders = ['contracts', 'fixtures', 'mock', 'package'];

rmSync(`${root}dist`, { recursive: true, force: true });
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);

// What the code reads beside itself, and types that no code gives.
const assets = globSync(
  folders.flatMap((folder) => [`${folder}/**/*.{json,yaml}`, `${folder}/**/*.d.ts`]),
  { cwd: root },
);
for (const path of assets) cpSync(`${root}${path}`, `${root}dist/${path}`);
