import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { runCommand as calibrate } from '../../contracts/calibrate/command.ts';
import { runCommand as verify } from '../../contracts/command/run-command.ts';
import { runCommand as data } from '../../contracts/data/command.ts';
import { runCommand as docs } from '../../contracts/docs/command.ts';
import { runCommand as dredd } from '../../contracts/dredd/command.ts';
import { runCommand as fidelity } from '../../contracts/fidelity/command.ts';
import { runCommand as judge } from '../../contracts/judge/command.ts';
import { runCommand as learn } from '../../contracts/learn/command.ts';
import { runCommand as proxy } from '../../contracts/proxy/command.ts';
import { createTypesCommand } from '../../contracts/types/command.ts';
import { runCommand as explain } from '../../mock/explain/command.ts';
import { runCommand as init } from '../../mock/init/command.ts';
import { toHelpText } from '../../mock/process/serve.ts';
import { serveMcp } from '../../mock/process/serve-mcp.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { projectFile } from '../support/twin.ts';
import { findVague } from './vague-words.ts';

const root = projectFile('.');
const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'examples/**/*.{md,yml}'], {
  cwd: root,
});
const scripts: readonly string[] = Object.keys(packageJson.scripts);
const types = createTypesCommand();
const suite = { verify, proxy, judge, calibrate, docs, types, data, dredd, fidelity, learn };
const runs = { ...suite, explain, init, mcp: serveMcp };
const helps = new Map([['mock', toHelpText('npm start --')]]);

beforeAll(async () => {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  for (const [name, run] of Object.entries(runs)) {
    printed = '';
    await run(['--help'], { env: {}, command: name });
    helps.set(name, printed);
  }
  write.mockRestore();
});

/**
 * Returns what is wrong with the commands of a text: those that are none, and options that they
 * lack.
 */
function wrongCommands(text: string): string[] {
  const lines = text.matchAll(
    /(?:npm run (?:--silent )?(?<script>[\w:-]+)|(?<start>npm start)|(?:npx |bin\/)petstore-twin (?<command>[\w-]+))(?<rest>[^`\n#|&;]*)/g,
  );
  return [...lines].flatMap(({ 0: line, groups = {} }) => {
    const { script, start, command, rest = '' } = groups;
    if (script !== undefined && !scripts.includes(script)) return [line];
    const name = start ? 'mock' : (command ?? script ?? '');
    const help = helps.get(name);
    if (command !== undefined && help === undefined) return [line];
    const options = [...rest.matchAll(/(?<= )--[a-z][\w-]*/g)].map(([option]) => option);
    return options.some((option) => help !== undefined && !help.includes(option)) ? [line] : [];
  });
}

it('finds commands and options that do not exist', () => {
  expect(
    wrongCommands('npm run verfy\nnpx petstore-twin --port 1\nnpm start -- --prot 1'),
  ).toHaveLength(3);
  expect(wrongCommands('npm run verify -- --target URL\nnpm start -- --port 1')).toEqual([]);
});

it.each(pages)('%s names only commands and options that exist', (page) => {
  expect(wrongCommands(readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

it('has no vague words in help texts', () => {
  const found = [...helps].flatMap(([name, help]) => findVague(help).map((word) => [name, word]));
  expect(found).toEqual([]);
});
