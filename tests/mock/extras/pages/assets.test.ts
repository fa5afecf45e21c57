import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile, startTwin } from '../../../support/twin.ts';

const folders: Readonly<Record<string, string>> = {
  console: 'mock/extras/console/browser',
  look: 'contracts/look/browser',
  pages: 'mock/extras/pages/browser',
};

it('serves whatever a module of a page imports, across folders and packages', async () => {
  const { origin } = await startTwin();
  const seen = new Map<string, number>();
  const load = async (url: string): Promise<void> => {
    if (seen.has(url)) return;
    seen.set(url, 0);
    const response = await fetch(url);
    seen.set(url, response.status);
    const code = await response.text();
    for (const [, imported = ''] of code.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'\s]+)["']/g))
      await load(new URL(imported, url).href);
  };
  for (const [name, folder] of Object.entries(folders))
    for (const file of globSync(`${folder}/*.ts`, { cwd: projectFile('.') }))
      await load(`${origin}/__pages/${name}/${basename(file)}`);
  expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
  const paths = [...seen.keys()].map((url) => url.slice(`${origin}/__pages/`.length));
  expect(paths).toContain('vendor/preact.mjs');
  expect(paths).toContain('both/visible.ts');
});

it('serves no other file of the project', async () => {
  const { origin } = await startTwin();
  for (const path of ['both/curl-trust.ts', 'pages/../page.ts', 'pages/%2e%2e/page.ts', 'vendor/x'])
    expect((await fetch(`${origin}/__pages/${path}`)).status).toBe(404);
});
