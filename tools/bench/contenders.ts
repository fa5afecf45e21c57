import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contender } from './server-process.ts';

const files = mkdtempSync(join(tmpdir(), 'bench-twin-'));
const document = projectFile('contracts/openapi.yaml');
/** The flags with which `npm start` runs Node. */
const startFlags =
  readFileSync(projectFile('package.json'), 'utf8').match(/(?<="start": "node .*)--\S+/g) ?? [];

/** The twin with all that it does, on a key whose limits no run of the bench can reach. */
export function twin(
  name = 'twin',
  args: readonly string[] = [],
  script = 'mock/start.js',
): Contender {
  const settings = ['--disable-banner', '--log-level', 'error', '--keys', writeKeys(), ...args];
  return {
    name,
    basePath: '/v1',
    args: (port) => [...startFlags, projectFile(script), '--port', String(port), ...settings],
  };
}

/** The twin as a test has it: `createTwin()` of the package, which it builds first. */
export function packagedTwin(): Contender {
  const build = [projectFile('tools/build/main.ts')];
  const { status } = spawnSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The package cannot be built. Run: npm run build');
  const script = projectFile('tools/bench/servers/packaged-twin.ts');
  const keys = writeKeys();
  return { name: 'package', basePath: '/v1', args: (port) => [script, String(port), keys] };
}

function writeKeys(): string {
  const file = join(files, 'keys.json');
  const keys = [{ key: 'bench', plan: 'free', perMinute: 2e9, perDay: 2e9 }];
  writeFileSync(file, JSON.stringify({ keys }));
  return file;
}

/** The twin with its journal and without, by turns. */
export const switchingTwin: Contender = {
  ...twin('by turns', [], 'tools/bench/servers/switching-twin.ts'),
  talks: true,
};

export const bareHttp = bare('node:http', 'bare-http.ts');
export const bareExpress = bare('Express 5', 'bare-express.ts');

/** A proxy that only passes calls on to a target. */
export function bareProxy(target: string): Contender {
  const script = projectFile('tools/bench/servers/bare-proxy.ts');
  return { name: 'bare proxy', basePath: '/v1', args: (port) => [script, String(port), target] };
}

/** The proxy with all that it does. */
export function judgingProxy(target: string): Contender {
  const script = projectFile('contracts/main.ts');
  return {
    name: 'judging proxy',
    basePath: '/v1',
    args: (port) => [script, 'proxy', '--target', target, '--port', String(port), '--quiet'],
  };
}

export function prism(peers: string, file = document): Contender {
  const command = join(peers, 'node_modules/@stoplight/prism-cli/dist/index.js');
  return {
    name: 'Prism',
    basePath: '',
    args: (port) => [command, 'mock', file, '--port', String(port), '--host', '127.0.0.1'],
  };
}

export function scalar(peers: string, file = document): Contender {
  const script = projectFile('tools/bench/servers/scalar.ts');
  return { name: 'Scalar', basePath: '', args: (port) => [script, String(port), file, peers] };
}

/**
 * A copy of the document whose list can also be filtered by category, so that a value can be as
 * rare as wanted.
 */
export function documentWithCategoryFilter(): string {
  const path = join(files, 'openapi.yaml');
  const parameter =
    '        - { name: categoryId, in: query, schema: { type: integer, format: int64 } }\n';
  writeFileSync(
    path,
    readFileSync(document, 'utf8').replace('      parameters:\n', (line) => line + parameter),
  );
  return path;
}

function bare(name: string, script: string): Contender {
  return {
    name,
    basePath: '/v1',
    args: (port) => [projectFile(`tools/bench/servers/${script}`), String(port)],
  };
}

function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
