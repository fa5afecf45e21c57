import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { runTool } from '../run-tool.ts';
import type { GeneratedLab } from './labs.ts';

const folder = join(tmpdir(), 'petstore-twin-generated-sdks');

const steadyPackage = '@stdy/cli@0.22.2';

/** The packages that tests of SDKs need besides the SDKs. */
const testPackages = [
  ...['pytest==9.*', 'pytest-asyncio', 'pytest-xdist', 'respx', 'time-machine', 'dirty-equals'],
  ...['rich', 'standardwebhooks', 'httpx-aiohttp'],
];

/** The files of a lab: its tests and its document. */
export type PreparedTests = { tests: string; document: string };

/** The Python that runs the tests, and the script of steady. */
export const python = join(folder, 'python/bin/python');
export const steady = join(folder, 'node_modules/@stdy/cli/steady.js');

/** Installs a generated SDK with its tests, once, and takes the document out of its repository. */
export function prepareTests(lab: GeneratedLab): PreparedTests {
  prepareTools();
  const { name, sdk, version } = lab;
  const own = join(folder, `${name}-${version}`);
  const document = join(own, lab.document.file.endsWith('.yml') ? 'openapi.yaml' : 'openapi.json');
  const tests = join(own, 'source');
  if (existsSync(join(own, 'complete'))) return { tests, document };
  process.stderr.write(`Fetching ${sdk} ${version} into ${own} ...\n`);
  mkdirSync(tests, { recursive: true });
  const pip = (...args: string[]) => runTool(own, python, ['-m', 'pip', ...args, '--quiet']);
  pip('install', `${sdk}==${version}`);
  pip('download', '--no-deps', '--no-binary', ':all:', `${sdk}==${version}`);
  const archive = `${sdk.replaceAll('-', '_')}-${version}.tar.gz`;
  runTool(own, 'tar', ['-xzf', archive, '-C', tests, '--strip-components=1']);
  writeFileSync(document, fetchDocument(own, lab.document));
  writeFileSync(join(own, 'complete'), '');
  return { tests, document };
}

function prepareTools(): void {
  if (existsSync(join(folder, 'complete'))) return;
  process.stderr.write(`Installing pytest and steady into ${folder} ...\n`);
  mkdirSync(folder, { recursive: true });
  runTool(folder, 'python3', ['-m', 'venv', 'python']);
  runTool(folder, python, ['-m', 'pip', 'install', '--quiet', ...testPackages]);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  runTool(folder, 'npm', ['install', ...flags, steadyPackage]);
  writeFileSync(join(folder, 'complete'), '');
}

/** Fetches one commit of a repository, and returns the document in one of its files. */
function fetchDocument(
  cwd: string,
  { repository, commit, file }: GeneratedLab['document'],
): string {
  const bare = join(cwd, 'repository');
  runTool(cwd, 'git', ['init', '--quiet', '--bare', bare]);
  const url = `https://github.com/${repository}`;
  runTool(bare, 'git', ['fetch', '--quiet', '--depth', '1', url, commit]);
  return toDocument(runTool(bare, 'git', ['show', `${commit}:${file}`]));
}

/** Returns the document that a script has as compressed text, or the text itself. */
function toDocument(text: string): string {
  const [, packed] = /EMBEDDED_SPEC="([^"]*)"/.exec(text) ?? [];
  return packed === undefined ? text : gunzipSync(Buffer.from(packed, 'base64')).toString('utf8');
}
