import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { projectFile, startTwin } from '../support/twin.ts';

/** The blocks for a shell that only call a twin on the usual address. */
function blocksOf(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, block = '']) => block)
    .filter((block) => /^curl .*127\.0\.0\.1:4010/m.test(block) && !/^(npm|docker) /m.test(block));
}

it.each(['README.md', 'docs/admin.md', 'docs/sandboxes.md', 'docs/journal.md'])(
  '%s gives lines that work, one after another',
  async (file) => {
    const { origin } = await startTwin();
    const folder = await mkdtemp(join(tmpdir(), 'docs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const blocks = blocksOf(await readFile(projectFile(file), 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const script = `set -e\ncurl() { command curl --silent --show-error --fail-with-body "$@"; }\n${block}`;
      await promisify(execFile)(
        'bash',
        ['-c', script.replaceAll('http://127.0.0.1:4010', origin)],
        { cwd: folder },
      );
    }
  },
);
