import { readFile } from 'node:fs/promises';
import { projectFile } from './twin.ts';

/** Pages whose lines for a shell work one after another. */
export const docsPages = [
  'README.md',
  'docs/admin.md',
  'docs/data.md',
  'docs/domains.md',
  'docs/sandboxes.md',
  'docs/journal.md',
];

/** The blocks of a page for a shell that only call a mock on the default address. */
export async function readDocsBlocks(page: string): Promise<string[]> {
  const text = await readFile(projectFile(page), 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block)
    .filter((block) => /^curl .*127\.0\.0\.1:4010/m.test(block) && !/^(npm|docker) /m.test(block));
}

/** A script for bash that calls a mock elsewhere, and ends at the first call that is refused. */
export function toScript(block: string, origin: string): string {
  const strict = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
  return `set -e\n${strict}\n${block.replaceAll('http://127.0.0.1:4010', origin)}`;
}
