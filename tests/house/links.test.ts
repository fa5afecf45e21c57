import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';

const root = projectFile('.');
const pages = globSync(['*.md', '{docs,examples}/*.md'], { cwd: root });

/** The text without blocks of code, where neither links nor headings are. */
function proseOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').replace(/^```.*?^```$/gms, '');
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = resolve(root, dirname(page), path);
      const linked = path === '' ? page : relative(root, file);
      if (!existsSync(join(root, linked))) return true;
      return anchor !== undefined && !anchorsOf(linked).includes(anchor);
    });
}

it('makes anchors as GitHub does', () => {
  expect(anchorsOf('README.md')).toContain('what-it-does-not-do');
  expect(anchorsOf('docs/limits.md')).toContain('your-own-keys-and-plans');
});

it.each(pages)('%s has no broken link', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

const tops =
  '\\.ci|common|contracts|docs|examples|fixtures|mock|openapi|package|reference|tests|tools';

/** The files of the project that a page or its blocks of code name. */
function namedFiles(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const paths = text.matchAll(new RegExp(`(?<=[\`\\s(])(?:${tops})/[\\w./-]*\\w(?![\\w<*])`, 'g'));
  return paths.map(([path]) => path).toArray();
}

// The changelog tells of files that have gone since.
it.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
  '%s names no file that is gone',
  (page) => {
    expect(namedFiles(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

it('knows a file by its path', () => {
  expect(namedFiles('CONTRIBUTING.md')).toContain('contracts/checks/index.ts');
});
