import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect, onTestFinished } from 'vitest';
import { openBrowser } from './browser.ts';

/** A page, and what it complained of or asked of anybody but its own server. */
export type OpenedPage = { page: Page; problems: string[] };

export type OpenPage = (url: string, options?: BrowserContextOptions) => Promise<OpenedPage>;

/** Opens pages, each in a context of its own that ends with the test. */
export function usePages(): OpenPage {
  return async (url, options = {}) => {
    const browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
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

const looks: BrowserContextOptions[] = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    colorScheme,
    viewport: { width, height: 900 },
  })),
);

/**
 * Expects that a page works for everybody: in light and dark, narrow and wide, nothing that axe
 * finds wrong, nothing wider than the window, no complaint and no request elsewhere. `prepare`
 * brings the page to what is to be looked at.
 */
export async function expectAccessible(
  openPage: OpenPage,
  url: string,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (const look of looks) {
    const { page, problems } = await openPage(url, look);
    await prepare(page);
    const { violations } = await new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`,
    );
    const width = `${look.viewport?.width} ${look.colorScheme}`;
    expect({ width, found, problems }).toEqual({ width, found: [], problems: [] });
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect({ width, overflow }).toEqual({ width, overflow: 0 });
    await page.context().close();
  }
}
