import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../common/built-in-document.ts';
import { type Api, compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';

const document = await compile(builtInDocument);
const now = Date.parse('2026-11-22T00:00:00Z');

function pagesOf(described: Api): Map<string, string> {
  const { paths, render } = createReference(described);
  const pages = paths.filter((path) => path.endsWith('.html'));
  return new Map(pages.map((path) => [path, render(path, { now })?.text ?? '']));
}

const pages = pagesOf(document);
const index = pages.get('index.html') ?? '';

/** Returns what stands in the element with an id, up to the next one of its kind. */
function partOf(page: string, id: string, end: string): string {
  return page.split(` id="${id}"`)[1]?.split(end)[0] ?? '';
}

it('shows what each section states at its number, with the clauses and what is left open', () => {
  for (const { id, title, statements } of document.sections) {
    const part = partOf(index, id, '</article>');
    expect(part).toContain(
      `<h3><a class="anchor" href="#${id}"><span class="number">§${id}</span> <bdi>${title}</bdi></a></h3>`,
    );
    expect(part.match(/<li>/g)?.length).toBeGreaterThanOrEqual(statements.length);
    for (const clause of statements.flatMap(({ clauses }) => clauses))
      expect(part).toContain(`<a href="#${clause}">`);
  }
  const list = partOf(index, '4.1', '</article>');
  expect(list).toContain('href="silences.html#list-order"><bdi>In which order');
  expect(list).not.toContain('#default-status');
});

it('shows each clause at its id, with the sections that it is from', () => {
  for (const { id } of document.clauses)
    expect(index.split(` id="${id}"`), `one place for ${id}`).toHaveLength(2);
  const clause = partOf(index, 'page-size', '</li>');
  expect(clause).toContain('default 20, maximum 100');
  expect(clause).toContain(
    '<a href="index.html#4.1"><bdi>§4.1</bdi></a>, <a href="index.html#8"><bdi>§8</bdi></a>',
  );
});

it('leads from no page of the reference to a place that is not there', () => {
  const ids = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const places = new Map([...pages].map(([path, page]) => [path, ids(page)]));
  for (const [path, page] of pages) {
    expect(new Set(places.get(path)).size, path).toBe(places.get(path)?.length);
    for (const [, file = '', id = ''] of page.matchAll(/ href="([^":#]*)#([^"]*)"/g)) {
      const aim = file === '' ? path : posix.join(posix.dirname(path), file);
      expect(places.get(aim), `${path} leads to ${aim}`).toContain(id);
    }
  }
  expect(index).toContain('href="index.html#sections"');
});

it('shows a source as it is where the document has no such section, and no empty parts', () => {
  const other = compile({
    openapi: '3.1.0',
    info: { title: 'Depot', version: '1', 'x-source': '§4, page 3' },
    paths: { '/a': { get: { 'x-source': 'page 4', responses: { 200: { description: 'A.' } } } } },
  });
  const page = pagesOf(other).get('index.html') ?? '';
  expect(page).toContain('Stated in <bdi>§4</bdi>, <bdi>page 3</bdi>.');
  for (const part of ['sections', 'clauses']) expect(page).not.toContain(`#${part}`);
  expect(page).not.toContain('<section id="sections"');
});

it('lets nothing of a document act', () => {
  const hostile = '"><script>alert(1)</script>';
  const other = compile({
    ...document.asOpenApi(),
    'x-sections': [
      { id: hostile, title: hostile, statements: [{ text: hostile, clauses: [hostile] }] },
    ],
    'x-clauses': [{ id: hostile, source: `§1, ${hostile}`, text: hostile }],
  });
  expect(pagesOf(other).get('index.html')).not.toContain('<script>alert');
});
