import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createViteServer } from 'vitest/node';
import { makeFolder } from '../support/make-folder.ts';
import { projectFile, startTwin } from '../support/twin.ts';

const text = await readFile(projectFile('docs/browsers.md'), 'utf8');
const blocks = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, block = '']) => block);
const blockWith = (part: string) => blocks.find((block) => block.includes(part)) ?? '';

it('gives a parser that keeps the large integers of the default data', async () => {
  const { api } = await startTwin();
  const headers = { Authorization: 'Bearer demo-free' };
  const rounded = await (await fetch(`${api}/pets`, { headers })).text();
  const run = new Function(
    'response',
    `return (async () => { ${blockWith('parseExact')}
    return { pets, body, again: stringifyExact(pets), small: parseExact('[1e20, 0.5, "7", -1]') }; })()`,
  );
  const { pets, body, again, small } = await run(await fetch(`${api}/pets`, { headers }));
  const shown = (row: number) => String(JSON.parse(rounded)[row].categoryId);
  for (const row of [8, 9]) {
    const exact = String(pets[row].categoryId);
    expect(rounded).toContain(exact);
    expect(shown(row)).not.toBe(exact);
    expect(text).toContain(`\`${exact}\``);
    expect(text).toContain(`\`${shown(row)}\``);
  }
  expect(again).toBe(rounded);
  expect(body).toBe('{"name":"Rex","categoryId":9223372036854775807}');
  expect(small).toEqual([1e20, 0.5, '7', -1]);
});

/** Starts Vite with a configuration, and gives what a page of it sends to the admin. */
async function openPage(configuration: string) {
  const root = makeFolder();
  const configFile = join(root, 'vite.config.mjs');
  await writeFile(configFile, configuration);
  const server = await createViteServer({
    root,
    configFile,
    logLevel: 'silent',
    cacheDir: join(root, 'cache'),
    server: { host: '127.0.0.1', port: 0, hmr: false, ws: false },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const { port } = new URL(server.resolvedUrls?.local[0] ?? '');
  return (name: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = {
        Host: `${name}:${port}`,
        Origin: `http://${name}:${port}`,
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/json',
      };
      const options = { host: '127.0.0.1', port, path: '/__admin/faults', method: 'POST', headers };
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end('{"operation":"listPets","status":503}');
    });
}

it('shows a proxy of Vite through which a page can use the admin', async () => {
  const { origin } = await startTwin();
  const asShown = blockWith('proxy:').replaceAll('http://127.0.0.1:4010', origin);
  const asShort = asShown.replace(/\{ target: ('[^']+') \}/g, '$1');
  expect(asShort).not.toBe(asShown);
  expect(await (await openPage(asShown))('localhost')).toBe(201);
  expect(await (await openPage(asShort))('localhost')).toBe(403);
});
