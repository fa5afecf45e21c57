import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createViteServer } from 'vitest/node';
import { findFreePort } from '../support/free-port.ts';
import { makeFolder } from '../support/make-folder.ts';
import { bearer, projectFile, startTwin } from '../support/twin.ts';

const text = await readFile(projectFile('docs/proxy.md'), 'utf8');

/** The recipe of this name, with the command of the repository and a free port. */
async function readRecipe(name: string) {
  const port = await findFreePort();
  const [, section = ''] = text.split(`### ${name}\n`);
  const [, block = ''] = /```\w+\n(.*?)```/s.exec(section) ?? [];
  const command = `${process.execPath} ${projectFile('contracts/main.ts')} proxy --port ${port}`;
  const recipe = block
    .replace(/(?:node_modules\/\.bin\/|npx )petstore-twin proxy/, command)
    .replaceAll('127.0.0.1:4011', `127.0.0.1:${port}`);
  return { recipe, origin: `http://127.0.0.1:${port}` };
}

async function openFolder(): Promise<string> {
  const folder = makeFolder();
  return folder;
}

/** Runs lines of a shell in a folder, with a twin as staging. */
function run(script: string, folder: string, staging: string) {
  const child = spawn('sh', ['-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', STAGING_BASE_URL: staging, PRO_KEY: 'demo-pro' },
    stdio: 'ignore',
    detached: true,
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  return { child, closed };
}

it('shows lines for CI that pass without drift and fail with it', async () => {
  const { api } = await startTwin();
  for (const [fault, code] of [
    ['', 0],
    [`-H 'Prefer: code=500'`, 1],
  ] as const) {
    const folder = await openFolder();
    const { recipe, origin } = await readRecipe('CI');
    const call = `curl -s -o /dev/null -H 'Authorization: Bearer demo-pro' ${fault} ${origin}/v1/pets`;
    const script = recipe.replace('npm test', call);
    expect(script).not.toBe(recipe);
    expect(await run(script, folder, api).closed).toBe(code);
    expect(await readFile(join(folder, 'traffic.xml'), 'utf8')).toContain('<testsuites');
  }
});

it('shows a configuration of Playwright whose server is judged and ends with its reports', async () => {
  const { api } = await startTwin();
  const folder = await openFolder();
  const { recipe, origin } = await readRecipe('Playwright');
  await symlink(projectFile('node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'playwright.config.ts');
  await writeFile(file, recipe.replace('@playwright/test', 'playwright/test'));
  const { webServer } = (await import(file)).default;
  const { child, closed } = run(`exec ${webServer.command}`, folder, api);
  const isUp = () =>
    fetch(webServer.url).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true);
  await fetch(`${origin}/v1/pets`, { headers: bearer('demo-pro') });
  child.kill(webServer.gracefulShutdown.signal);
  expect(await closed).toBe(0);
  const report = JSON.parse(await readFile(join(folder, 'traffic.json'), 'utf8'));
  expect(report.targets[0].requests).toBe(1);
  expect(await readFile(join(folder, 'traffic.html'), 'utf8')).toContain('<!doctype html>');
});

it('shows a configuration of Vite that passes calls on to the proxy', async () => {
  const { api } = await startTwin();
  const folder = await openFolder();
  const { recipe, origin } = await readRecipe('The proxy of a development server');
  const port = new URL(origin).port;
  const { child } = run(
    `exec ${process.execPath} ${projectFile('contracts/main.ts')} proxy --port ${port} --target staging`,
    folder,
    api,
  );
  const health = () =>
    fetch(`${origin}/__proxy/health`).then(
      (one) => one.json(),
      () => ({}),
    );
  await expect.poll(health, { timeout: 20_000 }).toHaveProperty('status');
  const configFile = join(folder, 'vite.config.mjs');
  await writeFile(configFile, recipe);
  const server = await createViteServer({
    root: folder,
    configFile,
    logLevel: 'silent',
    cacheDir: join(folder, 'cache'),
    server: { host: '127.0.0.1', port: 0, hmr: false, ws: false },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const page = server.resolvedUrls?.local[0] ?? '';
  const { status } = await fetch(`${page}v1/pets`, { headers: bearer('demo-pro') });
  expect(status).toBe(200);
  child.kill('SIGTERM');
});
