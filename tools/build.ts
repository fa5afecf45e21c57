import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserPackages } from '../mock/pages/assets.ts';
import packageJson from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../', import.meta.url));
const folders = ['contracts', 'fixtures', 'mock', 'package'];

rmSync(`${root}dist`, { recursive: true, force: true });
for (const project of ['tsconfig.build.json', 'tsconfig.build.browser.json']) {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', project];
  const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

// What the code reads beside itself, and types that no code gives.
const assets = globSync(
  folders.flatMap((folder) => [`${folder}/**/*.{css,json,lua,svg,yaml}`, `${folder}/**/*.d.ts`]),
  { cwd: root },
);
// What pages load of packages that nobody else needs, with the licence.
for (const [file, name] of Object.entries(browserPackages))
  cpSync(fileURLToPath(import.meta.resolve(name)), `${root}dist/mock/pages/vendor/${file}`);
cpSync(`${root}node_modules/preact/LICENSE`, `${root}dist/mock/pages/vendor/LICENSE`);
bundle('marked', { file: 'contracts/reference/markdown.js', license: 'LICENSE' });
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

/**
 * Puts the one module of a package beside the file that imports it, with the licence, so that nobody
 * installs a package for it.
 */
function bundle(name: string, { file, license }: { file: string; license: string }): void {
  const target = `${root}dist/${file}`;
  const vendor = join(dirname(target), 'vendor');
  const code = readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8');
  mkdirSync(vendor, { recursive: true });
  writeFileSync(`${vendor}/${name}.js`, code.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  cpSync(`${root}node_modules/${name}/${license}`, `${vendor}/LICENSE`);
  const text = readFileSync(target, 'utf8');
  const bundled = text.replace(`from '${name}'`, `from './vendor/${name}.js'`);
  if (bundled === text) throw new Error(`${file} does not import ${name}.`);
  writeFileSync(target, bundled);
}
