import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { rolldown } from 'rolldown';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { listenOn } from '../support/listen-on.ts';
import { projectFile, startTwin } from '../support/twin.ts';

const docs = await readFile(projectFile('docs/in-process.md'), 'utf8');
const [, block = ''] = /```ts\n(import \{ setupWorker .*?)```/s.exec(docs) ?? [];

/** What the documentation shows, as the script of a page. */
const script = (url: string) => `
${block
  .replace("'petstore-twin/msw'", `'${projectFile('package/msw.ts')}'`)
  .replace('http://127.0.0.1:4010/v1', url)}
const at = 'https://api.example.com/v1';
window.call = async (method, path, body) => {
  const headers = { Authorization: 'Bearer demo-pro', 'Content-Type': 'application/json' };
  const response = await fetch(at + path, { method, headers, body });
  return [response.status, await response.json()];
};`;

async function bundle(code: string): Promise<string> {
  const input = projectFile('page.js');
  const build = await rolldown({
    input,
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === input ? id : null),
        load: (id) => (id === input ? code : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm' });
  return output[0].code;
}

it('answers in a browser through the worker of MSW', async () => {
  const twin = await startTwin();
  const files: Record<string, string> = {
    '/': '<!doctype html><script type="module" src="/page.js"></script>',
    '/page.js': await bundle(script(twin.api)),
    '/mockServiceWorker.js': await readFile(
      projectFile('node_modules/msw/lib/mockServiceWorker.js'),
      'utf8',
    ),
  };
  const server = createServer(({ url = '' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(files[url] === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(files[url]);
  });
  const origin = await listenOn(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const context = await (await openBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(origin);
  await page.waitForFunction(() => 'call' in globalThis);
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
});
