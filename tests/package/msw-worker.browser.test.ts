import { createServer } from 'node:http';
import { rolldown } from 'rolldown';
import { it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listen-on.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import { expectWorkerAnswers, workerFiles, workerScript } from './msw-worker.ts';

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
  const { api } = await startTwin();
  const script = workerScript(api).replace('petstore-twin/msw', projectFile('package/msw.ts'));
  const files: Record<string, string> = { ...workerFiles, '/page.js': await bundle(script) };
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
  await expectWorkerAnswers(origin);
});
