import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { expectAccessible, usePages } from '../../../support/open-page.ts';
import { startTwin } from '../../../support/twin.ts';
import { writeJson } from '../../../support/write-json.ts';

const openPage = usePages();
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const copied = 'navigator.clipboard.readText()';
const unseen = /[\p{Cc}\p{Cf}]/u;

/** Would act on a page, a terminal or the order of a line. */
const hostile = '</script><script>alert(1)</script>\x1b[31m\u202eevil"\'`';

/** A document with so many operations, and texts that attack. */
function hostileDocument(count: number) {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const json = { 'application/json': { schema, example: { name: hostile } } };
  const post = {
    tags: [hostile],
    summary: hostile,
    requestBody: { required: true, content: json },
    responses: { 200: { description: hostile } },
  };
  const paths = Object.fromEntries(
    [...Array(count).keys()].map((n) => [
      `/things${n}`,
      { post: { ...post, operationId: n === 0 ? hostile : `make${n}` } },
    ]),
  );
  return writeJson({ openapi: '3.1.0', info: { title: hostile, version: hostile }, paths });
}

/** A proxy that has a twin below `/tools/twin/`. */
async function startProxy(origin: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const proxy = createServer((request, response) => {
    const path = request.url?.replace('/tools/twin', '') ?? '';
    const { method, headers } = request;
    const host = `${hostname}:${port}`;
    const onward = send(
      { hostname, port, path, method, headers: { ...headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/tools/twin`;
}

it('shows what runs, and copies the base URL, a key and a line', async () => {
  const { origin, api } = await startTwin();
  const { page, problems } = await openPage(`${origin}/`, clipboard);
  await page.getByRole('heading', { name: 'Pet Store Service 1.0.0' }).waitFor();
  for (const [name, text] of [
    ['Copy the base URL', api],
    ['Copy the key demo-pro', 'demo-pro'],
    ['Copy the curl of listPets', `curl -H 'Authorization: Bearer demo-free' ${api}/pets`],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).first().waitFor();
    expect(await page.evaluate<string>(copied)).toBe(text);
  }
  for (const name of ['Console', 'Reference', 'Admin API', 'OpenAPI document'])
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(1);
  expect(problems).toEqual([]);
});

it('names the place behind a proxy that the browser knows', async () => {
  const { origin } = await startTwin();
  const proxied = await startProxy(origin);
  for (const place of [proxied, `${proxied}/sandboxes/a`]) {
    const { page, problems } = await openPage(`${place}/`, clipboard);
    await page.getByRole('button', { name: 'Copy the curl of listPets' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate<string>(copied)).toMatch(` ${place}/v1/pets`);
    expect(problems).toEqual([]);
  }
});

it('runs nothing of a document that attacks', async () => {
  const { origin } = await startTwin({ spec: await hostileDocument(2) });
  const { page, problems } = await openPage(`${origin}/`);
  await page.getByRole('button', { name: 'Copy the curl of make1' }).waitFor();
  expect(await page.locator('script').count()).toBe(1);
  expect((await page.textContent('body'))?.replaceAll('\n', '')).not.toMatch(unseen);
  expect(await page.title()).not.toMatch(unseen);
  expect(await page.title()).not.toContain('unseen');
  expect(problems).toEqual([]);
});

it('works for everybody', async () => {
  const { origin } = await startTwin();
  await expectAccessible(openPage, `${origin}/`);
});
