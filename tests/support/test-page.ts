import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { openBrowser } from './browser.ts';

const viewport = { width: 1280, height: 900 };
const blankFile = new URL('blank.html', import.meta.url);

/** Describes what the pages of a browser share, and those of them that no test uses. */
type Shared = { context: BrowserContext; blank: string; idle: Page[] };

const sharedBy = new WeakMap<Browser, Promise<Shared>>();

/**
 * Opens an empty page that ends with the test. It is one that another test has left, as a new one
 * takes longer to start than most tests take; where the options are more than a size, it is new and
 * in a context of its own.
 */
export async function openTestPage(options: BrowserContextOptions = {}): Promise<Page> {
  const { viewport: size = viewport, ...others } = options;
  const browser = await openBrowser();
  if (Object.keys(others).length > 0) {
    const context = await browser.newContext({ viewport, ...options });
    onTestFinished(() => context.close());
    return context.newPage();
  }
  if (!sharedBy.has(browser)) sharedBy.set(browser, share(browser));
  const { context, idle } = await (sharedBy.get(browser) as Promise<Shared>);
  const page = idle.pop() ?? (await context.newPage());
  onTestFinished(() => leavePage(page));
  await page.setViewportSize(size ?? viewport);
  return page;
}

/**
 * Ends the use of a page: the next one finds nothing of it. A test that lets Playwright add scripts
 * or functions to its page, which cannot be taken back, asks for options of its own.
 */
export async function leavePage(page: Page): Promise<void> {
  const browser = page.context().browser();
  const shared = browser && (await sharedBy.get(browser));
  const isShared = shared?.context === page.context();
  if (!isShared || page.isClosed() || shared.idle.includes(page)) return;
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page that may store nothing has nothing stored.
  await page.evaluate('sessionStorage.clear()').catch(() => {});
  // A page of the same site stays in its process.
  await page.goto(page.url().startsWith('file:') ? blankFile.href : shared.blank);
  await page.emulateMedia({ media: null, colorScheme: null });
  shared.idle.push(page);
}

async function share(browser: Browser): Promise<Shared> {
  const html = readFileSync(blankFile);
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(html),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext({ viewport });
  return { context, blank: `http://127.0.0.1:${port}/`, idle: [] };
}
