import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect, vi } from 'vitest';
import { everyNth } from './sample.ts';
import { leavePage, openTestPage } from './test-page.ts';

/** A page, and what it complained of or asked of anybody but its own server. */
export type OpenedPage = { page: Page; problems: string[] };

export type OpenPage = (url: string, options?: BrowserContextOptions) => Promise<OpenedPage>;

/**
 * Opens pages that close with the test, in a file whose tests may take as long as a busy browser.
 */
export function usePages(): OpenPage {
  vi.setConfig({ testTimeout: 180_000 });
  return async (url, options = {}) => {
    const page = await openTestPage(options);
    const problems: string[] = [];
    const { origin } = new URL(url);
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        problems.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) problems.push(`foreign: ${request.url()}`);
    });
    await page.goto(url);
    return { page, problems };
  };
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const misplacedSource = readFileSync(new URL('find-misplaced.js', import.meta.url), 'utf8');

/**
 * The rules of axe that read colours. All others see the same page in dark as in light, as long as
 * a style changes nothing but colours there.
 */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Expects that a page works for everybody: in light and dark, narrow and wide, nothing that axe
 * finds wrong, nothing wider than the window, no complaint and no request elsewhere. `prepare`
 * brings the page to what is to be looked at.
 */
export async function expectAccessible(
  openPage: OpenPage,
  url: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
  widths = everyNth(2, [360, 1280]),
): Promise<void> {
  for (const width of widths) {
    const { page, problems } = await openPage(url, { viewport: { width, height: 900 } });
    await prepare(page);
    // A script of the page reaches no other frame.
    expect(page.frames()).toHaveLength(1);
    await page.evaluate(axeSource);
    const light = await findViolations(page);
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await findViolations(page, colorRules);
    expect({ width, light, dark, overflow, problems }).toEqual({
      width,
      light: [],
      dark: [],
      overflow: 0,
      problems: [],
    });
    await leavePage(page);
  }
}

/** The controls in a place of a page that are lower than a finger needs, where it is narrow. */
export async function findLowControls(page: Page, place: string): Promise<string[]> {
  if ((page.viewportSize()?.width ?? 0) > 704) return [];
  const controls = page.locator(place).locator('button, input, select, textarea');
  return controls.evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
      .map((one) => `${one.tagName} ${one.id || one.textContent}`),
  );
}

/**
 * The controls of a line, and the cells of a row that opens, whose centres are not on one line; and
 * the selects that cut off what is chosen.
 */
export function findMisplaced(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(misplacedSource);
}

/** Returns what axe finds wrong in a page that has its script, by these rules or by all. */
async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`,
  );
}
