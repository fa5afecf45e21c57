import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packages = [
  '@stoplight/prism-cli@5.16',
  '@scalar/mock-server@0.14',
  '@hono/node-server@1',
  'autocannon@9',
];

/**
 * Installs the peers into a folder of the system's own for temporary files, once, and gives the
 * folder.
 */
export function fetchPeers(): string {
  const folder = join(tmpdir(), 'petstore-twin-bench');
  if (existsSync(join(folder, 'complete'))) return folder;
  process.stderr.write(`Fetching ${packages.join(', ')} into ${folder} ...\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"scarfSettings":{"enabled":false}}');
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    ...packages,
  ];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('The peers cannot be fetched. Leave them out with --no-peers.');
  writeFileSync(join(folder, 'complete'), '');
  return folder;
}
