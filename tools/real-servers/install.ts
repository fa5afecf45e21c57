import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './processes.ts';
import type { RealServer } from './real-server.ts';

/** Installs a server into a folder of its version, unless it is there, and gives the folder. */
export async function ensureInstalled(
  server: RealServer,
  folder: string,
  given = '',
): Promise<string> {
  const installed = join(folder, `${server.name}-${server.version}`);
  if (isInstalled(server, folder)) return installed;
  mkdirSync(installed, { recursive: true });
  await server.install(installed, given);
  writeFileSync(join(installed, '.installed'), '');
  return installed;
}

/** Tells whether `folder` has this version of a server. */
export function isInstalled({ name, version }: RealServer, folder: string): boolean {
  return existsSync(join(folder, `${name}-${version}`, '.installed'));
}

/** Installs packages of PyPI into `folder`/venv. */
export async function installFromPyPi(folder: string, packages: string[]): Promise<void> {
  const log = join(folder, 'install.log');
  const venv = join(folder, 'venv');
  await run({ command: 'python3', args: ['-m', 'venv', venv] }, log);
  await run(
    {
      command: join(venv, 'bin/pip'),
      args: ['install', '--disable-pip-version-check', ...packages],
    },
    log,
  );
}

/**
 * Builds a program of a Go module into `folder`/program, and copies its document to `folder`/document.
 * `pages` are files that it embeds, and that the module does not bring.
 */
export async function installFromGo(
  folder: string,
  options: { module: string; main: string; document: string; pages: string[] },
): Promise<void> {
  const log = join(folder, 'install.log');
  const source = join(folder, 'source');
  const cache = join(folder, 'modules');
  const env = {
    GOMODCACHE: cache,
    GOCACHE: join(folder, 'build'),
    GOFLAGS: '-modcacherw -buildvcs=false',
    GOTOOLCHAIN: 'local',
  };
  await run({ command: 'go', args: ['mod', 'download', options.module], env }, log, folder);
  cpSync(join(cache, options.module), source, { recursive: true });
  // The files of a module are read-only.
  await run({ command: 'chmod', args: ['-R', 'u+w', source] }, log);
  for (const page of options.pages) {
    mkdirSync(dirname(join(source, page)), { recursive: true });
    writeFileSync(join(source, page), '<!doctype html>');
  }
  const args = ['build', '-ldflags', '-s -w', '-o', join(folder, 'program'), options.main];
  await run({ command: 'go', args, env }, log, source);
  copyFileSync(join(source, options.document), join(folder, 'document'));
  for (const rest of [source, cache, env.GOCACHE]) rmSync(rest, { recursive: true });
}
