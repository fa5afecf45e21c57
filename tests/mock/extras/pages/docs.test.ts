import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/make-folder.ts';
import { projectFile, startTwin } from '../../../support/twin.ts';

it('leads to a folder, by a way that holds behind the path of a proxy', async () => {
  const { origin } = await startTwin();
  for (const path of ['/__docs', '/__docs?a=b/', '/sandboxes/a/__docs']) {
    const response = await fetch(origin + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '__docs/']);
  }
});

it('lets pages load nothing from elsewhere, and run nothing inline', async () => {
  const { origin } = await startTwin();
  const { status, headers } = await fetch(`${origin}/__docs/`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
});

it('answers other methods and unknown files as an error of the API', async () => {
  const { origin } = await startTwin();
  for (const path of [
    '/__docs',
    '/__docs/',
    '/sandboxes/a/__docs',
    '/__docs/openapi.json',
    '/__pages/common/look/look.css',
    '/__pages/operation.json?id=listPets',
  ])
    for (const [method, status] of [
      ['POST', 405],
      ['DELETE', 405],
      ['OPTIONS', 204],
    ] as const) {
      const { status: given, headers } = await fetch(origin + path, { method, redirect: 'manual' });
      const expected = [method, path, status, 'GET, HEAD, OPTIONS'];
      expect([method, path, given, headers.get('allow')]).toEqual(expected);
    }
  for (const path of [
    'operations/none.html',
    '..%2fopenapi.yaml',
    '__proto__',
    'assets/',
    'a/__docs',
  ])
    expect((await fetch(`${origin}/__docs/${path}`, { redirect: 'manual' })).status).toBe(404);
});

it('gives the document as it is served', async () => {
  const { origin, document } = await startTwin();
  const json = await fetch(`${origin}/__docs/openapi.json`);
  expect(json.headers.get('content-type')).toBe('application/json');
  expect(await json.json()).toEqual(document.asOpenApi());
  const yaml = await fetch(`${origin}/__docs/openapi.yaml`);
  expect(yaml.headers.get('content-type')).toBe('application/yaml');
  const file = join(makeFolder(), 'served.yaml');
  writeFileSync(file, await yaml.text());
  const again = await startTwin({ spec: file });
  expect(again.document.asOpenApi()).toEqual(document.asOpenApi());
});

it.each([
  [
    'grows by its aliases',
    [
      `x-0: &a0 ${'a'.repeat(1000)}`,
      ...[1, 2, 3, 4, 5].map((n) => `x-${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]`),
    ].join('\n'),
  ],
])('has no file of a document which %s', async (_, more) => {
  const file = join(makeFolder(), 'api.yaml');
  const paths = 'paths: { /a: { get: { responses: { 200: { description: A. } } } } }';
  writeFileSync(file, `openapi: 3.1.0\ninfo: { title: A, version: "1" }\n${paths}\n${more}\n`);
  const { origin } = await startTwin({ spec: file });
  for (const path of ['openapi.json', 'openapi.yaml'])
    expect((await fetch(`${origin}/__docs/${path}`)).status).toBe(404);
  expect(await (await fetch(`${origin}/__docs/`)).text()).toContain('cannot be written out');
});

it('shows a changed document at once', async () => {
  const file = join(makeFolder(), 'api.yaml');
  const text = readFileSync(projectFile('contracts/openapi.yaml'), 'utf8');
  writeFileSync(file, text);
  const { origin } = await startTwin({ spec: file, watch: true });
  const read = async () => (await fetch(`${origin}/__docs/operations/listPets.html`)).text();
  expect(await read()).toContain('List animals');
  writeFileSync(file, text.replace('summary: List animals', 'summary: List all animals'));
  await expect.poll(read, { timeout: 20_000 }).toContain('List all animals');
});
