import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { openBrowser } from './browser.ts';

const viewport = { width: 1280, height: 900 };

let shared: { browser: Browser; context: Promise<BrowserContext> } | undefined;

/**
 * Opens an empty page that closes with the test, in the context that all such pages share: a
 * context of its own costs as much again as the page, so a page has one only where its options are
 * more than a size. Each page has its own `sessionStorage`; no page stores anything elsewhere.
 */
export async function openTestPage(options: BrowserContextOptions = {}): Promise<Page> {
  const { viewport: size, ...others } = options;
  const browser = await openBrowser();
  if (Object.keys(others).length > 0) {
    const context = await browser.newContext({ viewport, ...options });
    onTestFinished(() => context.close());
    return context.newPage();
  }
  if (shared?.browser !== browser) shared = { browser, context: browser.newContext({ viewport }) };
  const page = await (await shared.context).newPage();
  onTestFinished(() => page.close());
  if (size) await page.setViewportSize(size);
  return page;
}
