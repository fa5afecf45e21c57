// Alone in its process, as MSW replaces what sends requests.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../support/listen-on.ts';
import { projectFile } from '../support/twin.ts';

/** Runs a block of a page as a module in the project, and gives what it printed. */
async function run(code: string): Promise<string> {
  const folder = await mkdtemp(projectFile('node_modules/.docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'block.mjs');
  const own = (name: string) => `'${projectFile(`package/${name}.ts`)}'`;
  await writeFile(
    file,
    code.replaceAll("'petstore-twin'", own('twin')).replaceAll("'petstore-twin/msw'", own('msw')),
  );
  return (await promisify(execFile)(process.execPath, [file])).stdout;
}

async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(projectFile(page), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
}

const [inProcess = '', withMsw = ''] = await blocksOf('docs/in-process.md');

it('has an example without a port that runs', async () => {
  expect(await run(inProcess)).toMatch(/^200 \[\s*\{ id: 1, name: 'Rex'/);
});

it('has an example with MSW that runs', async () => {
  expect(await run(`${withMsw}\nconsole.log(response.status);\nserver.close();`)).toBe('401\n');
});

it('has an example with a real service that runs', async () => {
  const server = createServer((request, response) => {
    response.end(`${request.url} with ${request.headers.authorization}`);
  });
  const origin = await listenOn(server);
  onTestFinished(() => void server.close());
  const [block = ''] = await blocksOf('docs/forward.md');
  const code = block
    .replace('https://staging.example.com', origin)
    .replace('process.env.STAGING_KEY', "'real'");
  const call = `const headers = { Authorization: 'Bearer demo-pro' };
    console.log(await (await twin.fetch(twin.url + '/pets', { headers })).text());`;
  expect(await run(code + call)).toBe('/v1/pets with Bearer real\n');
});
