import { readFile } from 'node:fs/promises';
import { expect, onTestFinished } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { projectFile } from '../support/twin.ts';

const docs = await readFile(projectFile('docs/in-process.md'), 'utf8');
const [, block = ''] = /```ts\n(import \{ setupWorker .*?)```/s.exec(docs) ?? [];

/** The page of a test, and the worker of MSW, by their paths; the script is at `/page.js`. */
export const workerFiles = {
  '/': '<!doctype html><script type="module" src="/page.js"></script>',
  '/mockServiceWorker.js': await readFile(
    projectFile('node_modules/msw/lib/mockServiceWorker.js'),
    'utf8',
  ),
};

/** Returns the documentation's code, as the script of a page, for the API of a mock that listens. */
export const workerScript = (api: string) => `
${block.replace('http://127.0.0.1:4010/v1', api)}
const at = 'https://api.example.com/v1';
window.call = async (method, path, body) => {
  const headers = { Authorization: 'Bearer demo-pro', 'Content-Type': 'application/json' };
  const response = await fetch(at + path, { method, headers, body });
  return [response.status, await response.json()];
};`;

/** Expects that the page of an origin runs the script, and gets the answers of the mock, with state. */
export async function expectWorkerAnswers(origin: string): Promise<void> {
  const context = await (await openBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const failed = new Promise<never>((_, reject) => page.on('pageerror', reject));
  failed.catch(() => undefined);
  await page.goto(origin);
  await Promise.race([failed, page.waitForFunction(() => 'call' in globalThis)]);
  const call = (...given: string[]) =>
    page.evaluate(
      (args) => (globalThis as unknown as Record<string, CallableFunction>).call?.(...args),
      given,
    );
  expect(await call('POST', '/pets', '{"name":"Ada","categoryId":3}')).toMatchObject([
    201,
    { name: 'Ada' },
  ]);
  expect(await call('GET', '/pets/121')).toMatchObject([200, { name: 'Ada' }]);
  expect(await call('GET', '/pets/999')).toMatchObject([404, { code: 'not_found' }]);
}
