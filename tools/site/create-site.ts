import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { builtInDocument } from '../../common/built-in-document.ts';
import { readIcon, readLook } from '../../common/look/read-look.ts';
import { writeSite } from '../../contracts/docs/command.ts';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';
import { brokenLinks } from './broken-links.ts';
import { type Group, toPageText } from './layout.ts';
import { type Page, readPage } from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The pages outside docs/. Links from docs/ lead to these pages or to source files. */
const others = ['README.md', 'examples/README.md', '*.md'];

/** Writes the site into a folder, which is emptied, and gives its links that lead nowhere. */
export async function createSite({
  out,
  source,
}: {
  out: string;
  source?: string | undefined;
}): Promise<{ files: number; broken: string[] }> {
  rmSync(out, { recursive: true, force: true });
  const sources = new Set(globSync([...others, 'docs/*.md'], { cwd: root }).toSorted());
  const pages = Array.from(sources, (path) =>
    readPage(path, readFileSync(join(root, path), 'utf8'), { sources, source }),
  );
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  const groups = groupPages(pages);
  for (const page of pages) write(page.file, toPageText(page, groups));
  cpSync(join(root, 'docs/images'), join(out, 'images'), { recursive: true });

  const document = await compile(builtInDocument);
  await writeSite(createReference(document), { folder: join(out, 'api'), now: Date.now() });
  write('assets/look.css', readLook());
  write('assets/icon.svg', readIcon());
  write('assets/site.css', readFileSync(new URL('browser/site.css', import.meta.url), 'utf8'));
  write('assets/site.js', await bundle());
  // A script and no JSON, as pages that are opened from disk may fetch nothing.
  const sections = JSON.stringify(pages.flatMap((page) => page.sections));
  write('assets/sections.js', `globalThis.sections = ${sections};\n`);
  return { files: globSync('**/*.*', { cwd: out }).length, broken: brokenLinks(out) };
}

/**
 * The pages as the table of README.md groups them: a row is a group, which begins with its title.
 * Pages that it does not list come last.
 */
function groupPages(pages: readonly Page[]): Group[] {
  const readme = pages.find(({ path }) => path === 'README.md') as Page;
  const rows = readme.markdown.matchAll(/^\| \*\*(.+?)\*\*(.*?) \|/gm);
  const groups = Array.from(rows, ([, title = '', links = '']): Group => {
    const paths = Array.from(links.matchAll(/\]\(([\w./-]+\.md)\)/g), ([, path]) => path);
    return { title, pages: paths.flatMap((path) => pages.filter((page) => page.path === path)) };
  });
  const listed = new Set(groups.flatMap((group) => group.pages));
  const rest = pages.filter((page) => page !== readme && !listed.has(page));
  const isDocs = ({ path }: Page) => path.startsWith('docs/');
  return [
    ...groups,
    { title: 'More', pages: rest.filter(isDocs) },
    { title: 'The project', pages: rest.filter((page) => !isDocs(page)) },
  ].filter((group) => group.pages.length > 0);
}

async function bundle(): Promise<string> {
  const input = fileURLToPath(new URL('browser/search.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  return output[0].code;
}
