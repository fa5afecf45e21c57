import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenLinks } from '../../tools/site/broken-links.ts';
import { createSite } from '../../tools/site/create-site.ts';
import { makeFolder } from '../support/make-folder.ts';
import { expectAccessible, usePages } from '../support/open-page.ts';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
const openPage = usePages();
const server = createServer(({ url = '' }, response) => {
  const path = new URL(url, 'http://site').pathname;
  response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain');
  response.end(readFileSync(join(folder, path)));
});
let folder = '';
let origin = '';
let made: Awaited<ReturnType<typeof createSite>>;

beforeAll(async () => {
  folder = makeFolder();
  made = await createSite({ out: folder });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

it('has no link that leads nowhere', () => {
  expect(made.broken).toEqual([]);
  expect(made.files).toBeGreaterThan(50);
});

it('finds links that lead nowhere, and what is loaded from elsewhere', () => {
  const site = makeFolder();
  mkdirSync(join(site, 'deep'));
  writeFileSync(
    join(site, 'a.html'),
    '<a href="deep/b.html#there">1</a><a href="deep/b.html#gone">2</a><a href="https://x.test">3</a>',
  );
  writeFileSync(
    join(site, 'deep/b.html'),
    '<h1 id="there">b</h1><a href="../a.html">4</a><img src="c.png"><script src="https://x.test/y.js"></script>',
  );
  expect(brokenLinks(site)).toEqual([
    'a.html: deep/b.html#gone is not there',
    'deep/b.html: c.png is not there',
    'deep/b.html: https://x.test/y.js is elsewhere',
  ]);
});

it.each(['index.html', 'limits.html', 'checks.html'])('works for everybody on %s', (page) =>
  expectAccessible(openPage, `${origin}/${page}`),
);

/** How far each of some elements of a page reaches beyond what it shows. */
const hiddenIn = (page: Page, what: string) =>
  page
    .locator(what)
    .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));

it('shows all code of the first page on a laptop, and whole tables on a phone', async () => {
  const { page } = await openPage(`${origin}/index.html`);
  const code = await hiddenIn(page, 'main pre');
  expect(code.length).toBeGreaterThan(4);
  expect(Math.max(...code)).toBe(0);
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of ['options', 'corpus']) {
      await page.goto(`${origin}/${name}.html`);
      const tables = await hiddenIn(page, '.table, .table td');
      expect(tables.length).toBeGreaterThan(20);
      expect(Math.max(...tables)).toBe(0);
    }
    await page.goto(`${origin}/options.html`);
    const lefts = await page
      .locator('tbody tr:first-child td')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
    expect(new Set(lefts).size).toBe(1);
  }
});

it('lists every page, folded on a phone', async () => {
  const { page } = await openPage(`${origin}/limits.html`, {
    viewport: { width: 360, height: 800 },
  });
  const links = page.getByRole('navigation').getByRole('link');
  expect(await links.count()).toBe(0);
  await page.getByText('All pages').click();
  expect(await links.count()).toBeGreaterThan(30);
  const current = page.getByRole('navigation').locator('[aria-current=page]');
  expect(await current.textContent()).toBe('Keys, plans and limits');
});

it('finds sections by their words', async () => {
  const { page, problems } = await openPage(`${origin}/index.html`);
  await page.keyboard.press('/');
  await page.keyboard.type('baseline');
  await expectAccessible(openPage, `${origin}/index.html`, async (other) => {
    await other.getByRole('searchbox').fill('baseline');
    await other.getByRole('link', { name: 'Known findings' }).waitFor();
  });
  await page.getByRole('link', { name: 'Known findings' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/verify\.html#known-findings$/);
  expect(problems).toEqual([]);
});
