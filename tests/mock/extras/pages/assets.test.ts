import { expect, it } from 'vitest';
import { startTwin } from '../../../support/twin.ts';

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
  for (const page of ['console/browser/main', 'pages/browser/start', 'pages/browser/try-it'])
    await load(`${origin}/__pages/mock/extras/${page}.ts`);
  expect([...seen].filter(([, status]) => status !== 200)).toEqual([]);
  expect([...seen.keys()]).toContain(`${origin}/__pages/vendor/preact.mjs`);
  expect([...seen.keys()]).toContain(`${origin}/__pages/common/look/visible.ts`);
});

it.each(['mock/../package.json', 'mock/%2e%2e/package.json', 'package.json', 'vendor/x'])(
  'does not serve %s',
  async (path) => {
    const { origin } = await startTwin();
    expect((await fetch(`${origin}/__pages/${path}`)).status).toBe(404);
  },
);
