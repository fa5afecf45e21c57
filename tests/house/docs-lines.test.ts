import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parseConfig } from '../../mock/settings/config.ts';
import { docsPages, readDocsBlocks, toScript } from '../support/docs-blocks.ts';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import { parseOptions } from '../support/verify-options.ts';

it.each(docsPages)('%s gives lines that work, one after another', async (page) => {
  const { origin } = await startTwin();
  const folder = makeFolder();
  const blocks = await readDocsBlocks(page);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks)
    await promisify(execFile)('bash', ['-c', toScript(block, origin)], { cwd: folder });
});

const pages = globSync(['*.md', '{docs,examples}/*.md', 'examples/*.yml'], {
  cwd: projectFile('.'),
});

/** The options that pages show after a command, each use as the words that a shell makes of it. */
async function usesOf(command: string): Promise<string[][]> {
  const texts = await Promise.all(pages.map((page) => readFile(projectFile(page), 'utf8')));
  const uses = texts.join('\n').matchAll(new RegExp(`${command} (-[^\`\n#&|]+)`, 'g'));
  return Array.from(uses, ([, words = '']) =>
    (words.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", '')),
  );
}

it('shows options of the mock and of verify that they take', async () => {
  const started = await usesOf('(?:npm start --|petstore-twin mock)');
  const verified = await usesOf('(?:npm run verify --|petstore-twin verify)');
  expect(started.length).toBeGreaterThan(5);
  expect(verified.length).toBeGreaterThan(4);
  for (const words of started) expect(() => parseConfig(words, {})).not.toThrow();
  for (const words of verified)
    expect(() => parseOptions(words.filter((word) => word !== '...'))).not.toThrow();
});
