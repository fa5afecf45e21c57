import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './processes.ts';
import type { RealServer } from './real-server.ts';

/** Installs a server into a folder of its version, unless it is there, and gives the folder. */
export async function ensureInstalled(server: RealServer, folder: string): Promise<string> {
  const installed = join(folder, `${server.name}-${server.version}`);
  const done = join(installed, '.installed');
  if (existsSync(done)) return installed;
  mkdirSync(installed, { recursive: true });
  await server.install(installed);
  writeFileSync(done, '');
  return installed;
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
