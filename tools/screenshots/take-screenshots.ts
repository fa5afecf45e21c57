import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { createLog } from '../../mock/log.ts';
import { parseConfig } from '../../mock/settings/config.ts';
import { openTwin, type Twin } from '../../mock/twin.ts';
import { openBrowser } from '../../tests/support/browser.ts';
import { pictures } from './pictures.ts';

const folder = new URL('../../docs/images/', import.meta.url);

/** All pictures together may have so many bytes. */
const maxBytes = 600_000;

const viewport = { width: 1280, height: 690 };

/** A twin at the address that the documentation names, with the same requests and time each time. */
async function startTwin(): Promise<Twin> {
  const { config } = parseConfig([], {});
  if (!config) throw new Error('There is no configuration.');
  const twin = await openTwin(config, { log: createLog('error', console.error) });
  twin.app.clock.freeze(Date.parse('2030-12-01T09:41:26Z'));
  const api = `${twin.origin}${twin.document.basePath}`;
  const send = async (path: string, key: string | undefined, body?: string) => {
    const headers = {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    await (await fetch(api + path, init)).arrayBuffer();
  };
  for (let call = 0; call < 60; call++) await send('/pets?status=available', 'demo-free');
  await send('/pets', 'demo-pro', '{"name":"Rex","categoryId":9223372036854775807}');
  await send('/pets', 'demo-pro', '{"name":7}');
  await send('/pets/121', 'demo-pro');
  await send('/pets/999', 'demo-pro');
  await send('/pets', undefined);
  await send('/pets?limit=101', 'demo-business');
  await send('/pets?status=available', 'demo-free');
  return twin;
}

async function takePictures(browser: Browser, { origin }: Twin): Promise<number> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let bytes = 0;
  for (const { name, path, prepare } of pictures) {
    const page = await context.newPage();
    await page.goto(origin + path);
    await prepare(page);
    const png = await takePicture(page);
    await writeFile(new URL(`${name}.png`, folder), png);
    console.log(`${name}: ${png.length.toLocaleString('en')} bytes`);
    bytes += png.length;
    await page.close();
  }
  return bytes;
}

async function takePicture(page: Page): Promise<Buffer> {
  await page.evaluate('document.activeElement?.blur()');
  await page.mouse.move(0, 0);
  return page.screenshot({ animations: 'disabled' });
}

const twin = await startTwin();
const browser = await openBrowser();
try {
  const bytes = await takePictures(browser, twin);
  if (bytes > maxBytes) {
    console.error(`The pictures have ${bytes} bytes, and may have ${maxBytes} together.`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await twin.close();
}
