import { globSync, readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { docsPages } from '../support/docs-blocks.ts';
import { projectFile } from '../support/twin.ts';

type Fence = { line: number; info: string; text: string };

const read = (path: string) => readFileSync(projectFile(path), 'utf8');
const pages = globSync(['*.md', '{docs,examples}/*.md'], { cwd: projectFile('.') });

/** The tests that run what a page shows in a language, beside the lines of `docsPages`. */
const runners: Record<string, Record<string, string>> = {
  'README.md': { ts: 'tests/package/use-vitest.ts' },
  'docs/behaviours.md': { ts: 'tests/mock/extras/behaviours/behaviours-docs.test.ts' },
  'docs/browsers.md': { js: 'tests/house/browsers-docs.test.ts' },
  'docs/control.md': { sh: 'tests/house/control-docs.test.ts' },
  'docs/data.md': { ts: 'tests/house/library-docs.test.ts' },
  'docs/forward.md': { ts: 'tests/house/library-docs.test.ts' },
  'docs/in-process.md': { ts: 'tests/package/in-process-docs.test.ts' },
  'docs/library.md': { ts: 'tests/house/library-docs.test.ts' },
  'docs/proxy.md': {
    ts: 'tests/house/proxy-docs.test.ts',
    js: 'tests/house/proxy-docs.test.ts',
    sh: 'tests/house/proxy-docs.test.ts',
  },
  'docs/webhooks.md': { ts: 'tests/mock/extras/webhooks/webhooks-docs.test.ts' },
};

function fencesOf(markdown: string): Fence[] {
  return Array.from(
    markdown.matchAll(/^ *```(.*)\n((?:.*\n)*?) *```$/gm),
    ({ 1: info = '', 2: text = '', index }) => ({
      line: markdown.slice(0, index).split('\n').length,
      info,
      text,
    }),
  );
}

/** A command of ours; tests compare its name and its options with those that there are. */
const isOwn = (line: string) =>
  /^(\w+=\S+ )*(npm (start|ci|test|pack|run [\w:-]+)|\.ci\/run|(npx|node_modules\/\.bin\/|bin\/) ?petstore-twin)\b/.test(
    line,
  );

/** Why a fence is neither run, nor read by what it is for, nor marked; undefined where it is. */
function whyUntested(page: string, { info, text }: Fence): string | undefined {
  const [language = '', mark] = info.split(' ');
  if (language === '') return 'it has no language; what is printed is text';
  if (language === 'text' || mark === 'excerpt' || runners[page]?.[language]) return undefined;
  if (language === 'json') return attempt(() => JSON.parse(text));
  if (language === 'yaml') return attempt(() => loadAll(text));
  if (language !== 'sh') return `no test runs its ${language}`;
  const lines = text.replaceAll(/ \\\n/g, ' ').trim().split('\n');
  const isRun = (line: string) =>
    isOwn(line) || (docsPages.includes(page) && /^curl .*127\.0\.0\.1:4010/.test(line));
  const other = lines.find((line) => line !== '' && !line.startsWith('#') && !isRun(line));
  return other === undefined ? undefined : `no test runs "${other}"`;
}

function attempt(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it('finds what no test runs', () => {
  const untested = (info: string, text: string, page = 'docs/limits.md') =>
    whyUntested(page, { line: 1, info, text });
  expect(untested('sh', 'npm start\nnpx petstore-twin mock --port 1\n')).toBeUndefined();
  expect(untested('sh', 'curl http://127.0.0.1:4010/v1/pets\n', 'README.md')).toBeUndefined();
  expect(untested('sh excerpt', 'rm -r site\n')).toBeUndefined();
  expect(untested('sh', 'npm start\nrm -r site\n')).toBe('no test runs "rm -r site"');
  expect(untested('ts', 'go();\n')).toBe('no test runs its ts');
  expect(untested('json', '{ "a": }')).toContain('JSON');
  expect(untested('', '')).toContain('no language');
});

it.each(pages)('%s shows nothing that no test runs, unless marked as an excerpt', (page) => {
  const untested = fencesOf(read(page)).flatMap((fence) => {
    const reason = whyUntested(page, fence);
    return reason === undefined
      ? []
      : [
          `${page}:${fence.line}: ${reason}. Let a test run it, or mark it: \`\`\`${fence.info || 'text'} excerpt`,
        ];
  });
  expect(untested).toEqual([]);
});

it('names tests that read the pages that they run', () => {
  for (const [page, tests] of Object.entries(runners))
    for (const test of Object.values(tests)) expect(read(test)).toContain(page);
});
