import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { writeSite } from '../../contracts/docs/command.ts';
import { compile } from '../../openapi/index.ts';
import { createReference } from '../../reference/reference.ts';
import { makeFolder } from '../support/make-folder.ts';
import { expectAccessible, usePages } from '../support/open-page.ts';
import { startTwin } from '../support/twin.ts';

const openPage = usePages();

/** Writes the static site of a document, and gives the address of a file of it on disk. */
async function writeToDisk(raw: Record<string, unknown>): Promise<(path: string) => string> {
  const folder = makeFolder();
  await writeSite(createReference(compile(raw)), { folder, now: 0 });
  return (path) => pathToFileURL(join(folder, path)).href;
}

it('leads from the address of the reference to an operation, in a sandbox too', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(`${origin}/sandboxes/a/__docs`);
  expect(page.url()).toBe(`${origin}/sandboxes/a/__docs/`);
  await page.getByRole('main').getByRole('link', { name: 'GET /pets/{petId}' }).click();
  await page.getByRole('heading', { name: 'Get an animal', level: 1 }).waitFor();
  await page.getByText('To be removed on 5 December 2030.').waitFor();
  await page.getByRole('link', { name: '§4.3' }).first().click();
  await page.getByRole('heading', { name: /4\.3/ }).waitFor();
  expect(page.url()).toBe(`${origin}/sandboxes/a/__docs/index.html#4.3`);
  expect(problems).toEqual([]);
});

it('highlights what nobody states', async () => {
  const { origin } = await startTwin();
  const { page, problems } = await openPage(`${origin}/__docs/operations/createPet.html`);
  const outlineOf = (status: string) =>
    page.evaluate(
      `getComputedStyle(document.getElementById('response-${status}')).boxShadow !== 'none'`,
    );
  expect(await outlineOf('413')).toBe(false);
  await page.getByRole('checkbox', { name: 'Highlight assumptions' }).check();
  expect([await outlineOf('413'), await outlineOf('201')]).toEqual([true, false]);
  expect(problems).toEqual([]);
});

it('is read with the keyboard alone', async () => {
  const { origin } = await startTwin();
  const { page } = await openPage(`${origin}/__docs/operations/listPets.html`);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('/');
  await page.keyboard.type('animal');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('3 operations').waitFor();
  await page.getByRole('searchbox').fill('add animal');
  await page.getByRole('status').getByText('1 operation').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Add an animal', level: 1 }).waitFor();
  const refusal = page.locator('#response-400 > summary');
  await refusal.focus();
  await page.keyboard.press('Enter');
  await page.locator('#response-400').getByText('"invalid_body"').waitFor();
});

it('opens from disk, and asks nothing of anybody', async () => {
  const site = await writeToDisk({
    openapi: '3.1.0',
    info: { title: 'Disk', version: '1', description: '![](https://example.com/a.png)' },
    paths: {
      '/a': { get: { operationId: 'a', 'x-source': '§1', responses: { 200: {} } } },
      '/b': { get: { operationId: 'b', responses: {} } },
    },
  });
  const { page, problems } = await openPage(site('index.html'));
  await page.getByRole('searchbox', { name: 'Search operations' }).fill('/b');
  await page.getByRole('status').getByText('1 operation').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'GET /b' }).click();
  await page.getByRole('heading', { name: 'b', level: 1 }).waitFor();
  await page.getByRole('searchbox').fill('/a');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('status').getByText('1 operation').waitFor();
  expect(page.url()).toBe(`${site('index.html')}?q=%2Fa`);
  expect(problems).toEqual([]);
});

it('runs nothing of a document, and breaks no layout by it', async () => {
  const text =
    '"><script>alert(1)</script><img src=x onerror=alert(1)> \u202e[x](javascript:alert(1))';
  const long = `${text}${'x'.repeat(3000)}`;
  const schema = { type: 'object', description: long, properties: { [long]: { enum: [long] } } };
  const site = await writeToDisk({
    openapi: '3.1.0',
    info: { title: long, version: text, description: long },
    paths: {
      '/a': {
        post: {
          operationId: text,
          summary: long,
          tags: [long],
          parameters: [{ name: long, in: 'query', schema }],
          requestBody: { content: { [text]: { schema, example: { [long]: long } } } },
          responses: { 200: { description: long } },
        },
      },
    },
    components: { schemas: { [text]: schema } },
  });
  for (const path of [
    'index.html',
    'operations/script-alert-1-script-img-src-x-onerror-alert-1-x-javascript-alert-1.html',
  ])
    for (const width of [360, 1280]) {
      const { page, problems } = await openPage(site(path), { viewport: { width, height: 900 } });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ path, width, overflow, problems }).toEqual({
        path,
        width,
        overflow: 0,
        problems: [],
      });
    }
});

const highlight = (page: Page) =>
  page.getByRole('checkbox', { name: 'Highlight assumptions' }).check();

it.each<[path: string, prepare?: (page: Page) => Promise<void>]>([
  [''],
  ['operations/createPet.html'],
  ['operations/createPet.html', highlight],
  ['schemas/Pet.html'],
  ['silences.html'],
])('works for everybody: %s', async (path, prepare) => {
  const { origin } = await startTwin();
  await expectAccessible(openPage, `${origin}/__docs/${path}`, prepare);
});
