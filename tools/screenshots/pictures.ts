import type { Page } from 'playwright';

/** A picture of docs/images/: the page that it shows, and what brings the page to it. */
export type Picture = { name: string; path: string; prepare: (page: Page) => Promise<unknown> };

const panel = (id: string) => `/__admin/console#${id}`;

/** The pictures, in the order of docs/console.md. */
export const pictures: readonly Picture[] = [
  {
    name: 'start-page',
    path: '/',
    prepare: (page) => page.getByRole('button', { name: 'Copy the base URL' }).waitFor(),
  },
  {
    name: 'console-requests',
    path: panel('requests'),
    prepare: openRefusal,
  },
  {
    name: 'console-limits',
    path: panel('limits'),
    prepare: (page) => page.getByText('demo-free').first().waitFor(),
  },
  {
    name: 'console-clock',
    path: panel('clock'),
    prepare: (page) =>
      page
        .getByRole('button', { name: /removal of getPet/ })
        .first()
        .waitFor(),
  },
  {
    name: 'console-data',
    path: panel('data'),
    prepare: filterItems,
  },
  {
    name: 'reference',
    path: '/__docs/operations/getPet.html',
    prepare: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  },
  {
    name: 'try-it',
    path: '/__docs/operations/listPets.html',
    prepare: tryIt,
  },
];

/** Opens the request that was refused for its limit. */
async function openRefusal(page: Page): Promise<void> {
  await page.getByRole('row').filter({ hasText: '429' }).click();
  await page.getByRole('heading', { name: /^Request \d+$/ }).waitFor();
}

/** Shows those whose names all fonts can draw. */
async function filterItems(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'status' }).selectOption('sold');
  await page.getByText('Odd One').waitFor();
}

/** Sends a request whose key has nothing left, and shows the response with its reason. */
async function tryIt(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'status' }).fill('available');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(/^429: the minute of demo-free is used up/).waitFor();
  await page.getByRole('heading', { name: 'Try it' }).evaluate(scrollToIt);
}

const scrollToIt = '(heading) => heading.scrollIntoView()';
