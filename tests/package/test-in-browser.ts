import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createViteServer } from 'vitest/node';
import { openBrowser } from '../support/browser.ts';
import { addPeer, type Consumer } from '../support/consumer.ts';
import { itInAll as it } from '../support/sample.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import { expectWorkerAnswers, workerFiles, workerScript } from './msw-worker.ts';

/** Tests what a browser loads of an installed package, through the server of Vite. */
export function testInBrowser(consumer: () => Consumer): void {
  it('answers in a browser through the worker of MSW', async () => {
    addPeer(consumer(), 'msw');
    const { api } = await startTwin();
    await expectWorkerAnswers(await serve({ ...workerFiles, '/page.js': workerScript(api) }));
  });

  it.each(['', '/vitest'])('says in a browser that petstore-twin%s is for Node', async (path) => {
    addPeer(consumer(), 'vitest');
    const script = `import 'petstore-twin${path}';`;
    const origin = await serve({ ...workerFiles, '/page.js': script });
    const context = await (await openBrowser()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const failed = page.waitForEvent('pageerror');
    await page.goto(origin);
    expect((await failed).message).toBe(
      'petstore-twin needs Node, but this is a browser. Browsers load petstore-twin/msw alone: give its handlers the URL of a mock that runs elsewhere.',
    );
  });

  /** Serves files of the consumer's folder by Vite, and gives the origin. */
  async function serve(files: Record<string, string>): Promise<string> {
    const root = consumer().folder;
    for (const [path, text] of Object.entries(files))
      writeFileSync(join(root, path === '/' ? 'index.html' : path), text);
    const server = await createViteServer({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, fs: { allow: [root, projectFile('.')] } },
    });
    onTestFinished(() => server.close());
    await server.listen();
    return server.resolvedUrls?.local[0] ?? '';
  }
}
