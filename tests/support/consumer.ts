import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeFolder } from './make-folder.ts';
import { projectFile } from './twin.ts';

type Names = Record<string, unknown>;

type LockEntry = {
  version?: string;
  license?: string;
  dependencies?: Names;
  optionalDependencies?: Names;
  peerDependencies?: Names;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

export type Run = { code: number | null; out: string; err: string };

/** A folder that has the package, as npm installs it from its tarball, and nothing else. */
export type Consumer = {
  folder: string;
  /** The packages that came along, by their paths below `node_modules`. */
  installed: string[];
  /** Runs a program there, with plain Node alone on the path. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Run>;
  start(program: string, args: readonly string[]): ChildProcess;
  remove(): void;
};

const path = `${dirname(process.execPath)}:/usr/bin:/bin`;

/**
 * Packs the project and installs the tarball in an empty folder. The lock file says which versions,
 * so nobody is asked for them.
 */
export async function createConsumer(): Promise<Consumer> {
  const folder = makeFolder();
  const tarball = await packProject();
  const { name, version, dependencies, bin } = JSON.parse(
    readFileSync(projectFile('package.json'), 'utf8'),
  );
  const own = { [name]: `file:${tarball}` };
  const packages = {
    '': { dependencies: own },
    [`node_modules/${name}`]: { version, resolved: `file:${tarball}`, dependencies, bin },
    ...productionPackages(dependencies),
  };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ version: '1.0.0', type: 'module', private: true, dependencies: own }),
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  await npm(['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);

  const start = (program: string, args: readonly string[], env = {}) =>
    spawn(program, args, {
      cwd: folder,
      env: { PATH: path, HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    folder,
    installed: Object.keys(
      JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages,
    ),
    start,
    run: (program, args, env) =>
      new Promise((resolve) => {
        const child = start(program, args, env);
        const run: Run = { code: null, out: '', err: '' };
        child.stdout.setEncoding('utf8').on('data', (chunk) => (run.out += chunk));
        child.stderr.setEncoding('utf8').on('data', (chunk) => (run.err += chunk));
        child.on('close', (code) => resolve({ ...run, code }));
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs npm in a folder. */
export function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return promisify(execFile)('npm', args, { cwd });
}

/**
 * Gives the path of the project's tarball. The first test file of a run that asks builds and packs
 * it, in the temporary folder of that run; one that asks meanwhile waits.
 */
export async function packProject(): Promise<string> {
  const folder = join(tmpdir(), 'packed');
  const tarball = join(folder, 'package.tgz');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    const pack = ['pack', '--silent', '--pack-destination', folder];
    const { stdout } = await npm(pack, projectFile('.'));
    renameSync(join(folder, stdout.trim().split('\n').at(-1) as string), tarball);
  }
  while (!existsSync(tarball)) await setTimeout(100);
  return tarball;
}

/** The entries of our lock file that the dependencies of the package lead to. */
export function productionPackages(dependencies: Names): Record<string, LockEntry> {
  const { packages } = JSON.parse(readFileSync(projectFile('package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const found: Record<string, LockEntry> = {};
  const add = (from: string, entry: LockEntry) => {
    const peers = Object.keys(entry.peerDependencies ?? {}).filter(
      (name) => !entry.peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [
      ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
      ...peers,
    ]) {
      const path = [...foldersAbove(from)]
        .map((folder) => `${folder}node_modules/${name}`)
        .find((one) => packages[one]);
      const dependency = path === undefined ? undefined : packages[path];
      if (path === undefined || !dependency || found[path]) continue;
      found[path] = dependency;
      add(path, dependency);
    }
  };
  add('', { dependencies });
  return found;
}

/** The folders in which a package looks for what it needs, its own first. */
function* foldersAbove(path: string): Generator<string> {
  for (
    let folder = path;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  )
    yield `${folder}/`;
  yield '';
}

/**
 * Puts a package of the checkout beside the installed one, as somebody does who wants what needs
 * it.
 */
export function addPeer({ folder }: Consumer, name: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(projectFile(`node_modules/${name}`), place);
}
