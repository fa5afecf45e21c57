import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';
import { findVague } from './vague-words.ts';

const root = projectFile('.');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
// These are generated, one sentence a line.
const generated = [
  'docs/checks.md',
  'docs/clients.md',
  'docs/corpus-comparison.md',
  'docs/corpus.md',
  'docs/large-documents.md',
  'docs/interface.md',
];
const pages = globSync(['*.md', '{docs,examples}/*.md'], { cwd: root });

/**
 * The lines of prose that are wider than 120 columns: none of code, of tables, or without a space.
 */
function wideLines(text: string): string[] {
  return text
    .replace(/^ *```.*?^ *```$/gms, '')
    .split('\n')
    .filter(
      (line) => line.length > 120 && !/^[|<!]/.test(line) && /\S \S/.test(line.slice(0, 120)),
    );
}

it('finds prose that is too wide, but no code and no table', () => {
  const wide = 'word '.repeat(25).trim();
  expect(wideLines(`${wide}\n| ${wide} |\n\`\`\`sh\n${wide}\n\`\`\`\n`)).toEqual([wide]);
});

it.each(pages.filter((page) => !generated.includes(page)))('%s wraps at 120 columns', (page) => {
  expect(wideLines(textOf(page))).toEqual([]);
});

const code = globSync('{mock,contracts,openapi,common,package,tools,fixtures}/**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: (name) => name === 'node_modules',
});

/** Finds the comments that begin with a pronoun instead of a verb or a noun. */
const findRiddles = (text: string, start = String.raw`\/\*\*|\/\/`) =>
  text.match(new RegExp(`^ *(${start})[\\s*]*(What|Where|One that|Those|Makes what)\\b.*`, 'gm')) ??
  [];

it('begins doc comments, and all comments of tests, with a verb or a noun', () => {
  const riddles = '/**\n * What it is. */\n  // What it is.\n/** Says what it is. */';
  expect(findRiddles(riddles)).toHaveLength(2);
  expect(code).toContain('mock/main.ts');
  expect(code.flatMap((file) => findRiddles(textOf(file), String.raw`\/\*\*`))).toEqual([]);
  const tests = globSync('tests/**/*.ts', { cwd: root });
  expect(tests.flatMap((file) => findRiddles(textOf(file)))).toEqual([]);
});

const participle =
  /[^e]ed$|^(Un)?(begun|built|done|found|given|held|known|left|made|meant|said|seen|sent|shown|taken|told|written)$/i;

/** Finds the exported types whose names are bare participles, such as `Asked`. */
const findParticiples = (text: string) =>
  [...text.matchAll(/^export (?:type|interface) (\w[a-z]+)\b/gm)]
    .map(([, name = '']) => name)
    .filter((name) => participle.test(name));

it('names exported types by nouns', () => {
  const text = 'export type Asked = 1;\nexport interface Unknown {}\nexport type Call = 2;';
  expect(findParticiples(text)).toEqual(['Asked', 'Unknown']);
  const found = code.flatMap((file) => findParticiples(textOf(file)));
  // Users import these two.
  expect(found).toEqual(['Refused', 'Learned']);
});

it('finds vague words, but none in code', () => {
  expect(findVague('What is kept, `told` or\nmade up.\n```sh\nnobody\n```\n')).toEqual([
    'kept',
    'made up',
  ]);
});

it.each(pages.filter((page) => page !== 'CHANGELOG.md' && !generated.includes(page)))(
  '%s has no vague words',
  (page) => {
    expect(findVague(textOf(page))).toEqual([]);
  },
);
