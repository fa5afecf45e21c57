import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { npm, packProject } from '../support/consumer.ts';
import { makeFolder } from '../support/make-folder.ts';
import { itInAll as it } from '../support/sample.ts';

const isEach = process.env.NODES === 'all';

/**
 * The oldest Node that the package names and the newest line; for `NODES=all` that of this checkout
 * too, which the other tests of the package run on.
 */
const oldest = `${packageJson.engines.node.slice('>='.length)}.0`;
const nodes = [oldest, ...(isEach ? [process.versions.node] : []), '26.10.0'];
const vitests = ['3.2.7', ...(isEach ? ['4.1.12'] : []), '5.1.2'];

/** Each Node with one Vitest; for `NODES=all`, with each. */
const pairs = nodes.flatMap((node, at) =>
  vitests.flatMap((vitest, other) => (isEach || at === other ? [[node, vitest] as const] : [])),
);

const folder = makeFolder();
const programs = new Map([[process.versions.node, process.execPath]]);

beforeAll(async () => {
  const tarball = await packProject();
  const missing = nodes.filter((version) => !programs.has(version));
  await Promise.all([
    ...missing.map(async (version) => programs.set(version, await installNode(version))),
    ...vitests.map((version) =>
      install(join(folder, `vitest-${version}`), tarball, `vitest@${version}`),
    ),
  ]);
}, 240_000);

/**
 * Makes a project that has these packages. Throws where npm finds that they do not fit together.
 */
async function install(place: string, ...packages: string[]): Promise<void> {
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(['install', '--strict-peer-deps', ...quiet, ...packages], place);
}

/** Installs a Node, as npm's package `node` does, and gives the path of its program. */
async function installNode(version: string): Promise<string> {
  const system = platform() === 'win32' ? 'win' : platform();
  const name = `node${system === 'darwin' && arch() === 'arm64' ? '-bin' : ''}-${system}-${arch()}`;
  const place = join(folder, `node-${version}`);
  await install(place, `${name}@${version}`);
  return join(place, 'node_modules', name, 'bin', system === 'win' ? 'node.exe' : 'node');
}

/** Returns what a program prints; of a Node, in the project that has a Vitest. */
async function run(version: string, vitest: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(programs.get(version) as string, args, {
    cwd: join(folder, `vitest-${vitest}`),
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
  });
  return stderr + stdout;
}

it('brings at most 80 packages and 15 MB', async () => {
  await install(join(folder, 'alone'), await packProject());
  const root = join(folder, 'alone/node_modules');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const sizes = files.map((file) =>
    file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0,
  );
  const lock = JSON.parse(readFileSync(join(folder, 'alone/package-lock.json'), 'utf8'));
  expect(Object.keys(lock.packages).length - 1).toBeLessThanOrEqual(80);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000_000);
}, 120_000);

const newestVitest = vitests.at(-1) ?? '';
const own = 'node_modules/petstore-twin';

it.each(pairs)('runs the test of its README on Node %s with Vitest %s', async (node, vitest) => {
  const project = join(folder, `vitest-${vitest}`);
  const readme = readFileSync(join(project, own, 'README.md'), 'utf8');
  const [, snippet = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(project, 'readme.test.ts'), snippet);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=60000'];
  const out = await run(node, vitest, ...args);
  expect(out).toMatch(/Tests +1 passed \(1\)/);
});

it.each(pairs)('sets up a project on Node %s with Vitest %s', async (node, vitest) => {
  const project = join(folder, `vitest-${vitest}`);
  const files = ['openapi.yaml', 'twin.config.yaml', 'twin.overlay.yaml', 'tests', '.github'];
  onTestFinished(() => {
    for (const file of files) rmSync(join(project, file), { recursive: true, force: true });
  });
  copyFileSync(join(project, own, 'examples/bookshop.yaml'), join(project, 'openapi.yaml'));
  const set = await run(node, vitest, 'node_modules/petstore-twin/dist/package/bin.js', 'init');
  expect(set).toMatch(/wrote +tests\/twin\.test\.ts/);
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'twin', '--testTimeout=60000'];
  expect(await run(node, vitest, ...args)).toMatch(/Tests +2 passed \(2\)/);
});

const modules = Object.entries(packageJson.exports).flatMap(([path, exported]) =>
  typeof exported === 'object' && 'default' in exported ? [`petstore-twin${path.slice(1)}`] : [],
);

it.each(nodes)('can be imported and required on Node %s', async (node) => {
  // Modules for runners can be loaded by their runs alone.
  const names = modules.filter((name) => !/\/(vitest|playwright|msw)$/.test(name));
  expect(names).toContain('petstore-twin');
  const code = `(async () => {
    for (const name of ${JSON.stringify(names)}) {
      const imported = await import(name);
      const keys = Object.keys(imported);
      console.log(keys.length > 0 && keys.every((key) => require(name)[key] === imported[key]));
    }
  })()`;
  const out = await run(node, newestVitest, '--input-type=commonjs', '--eval', code);
  expect(out).toBe('true\n'.repeat(names.length));
});

it.each(nodes)('verifies a twin that holds its state in a file on Node %s', async (node) => {
  const code = `
    import { createTwin } from 'petstore-twin';
    import { verify } from 'petstore-twin/verify';
    const twin = await createTwin({ store: 'sqlite:${node}.db' });
    console.log(await twin.data.create('pets', { name: 'Rex', categoryId: 9007199254740993n }));
    console.log((await verify({ seed: 7 })).verdict);
    await twin.close();`;
  const out = await run(
    node,
    newestVitest,
    ...['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code],
  );
  expect(out).toMatch(/categoryId: 9007199254740993n.*\nclean\n$/s);
});
