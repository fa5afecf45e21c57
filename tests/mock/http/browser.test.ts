import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { expectAnswer } from '../../support/expect-answer.ts';
import { openTestPage } from '../../support/test-page.ts';
import { startTwin, type TestTwin } from '../../support/twin.ts';

const noon = Date.UTC(2026, 0, 15, 12);

/**
 * A page of another origin than the twin's, by its host name where asked for and by its port in any
 * case.
 */
async function openPage(host = '127.0.0.1'): Promise<Page> {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>shop</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await openTestPage();
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
  return page;
}

type Call = {
  url: string;
  method?: string;
  key?: string;
  body?: string;
  type?: string;
  mode?: 'cors' | 'no-cors';
};

/**
 * Returns what a script of the page sees of a call; `error` where the browser does not let it see
 * anything.
 */
function callFrom(page: Page, call: Call) {
  return page.evaluate(async ({ url, method = 'GET', key, body, type, mode = 'cors' }: Call) => {
    const headers: Record<string, string> = {};
    if (key) headers.Authorization = `Bearer ${key}`;
    if (type) headers['Content-Type'] = type;
    try {
      const response = await fetch(url, {
        method,
        headers,
        mode,
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        json: text === '' ? undefined : JSON.parse(text),
      };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }, call);
}

async function startAtNoon(settings: Parameters<typeof startTwin>[0] = {}): Promise<TestTwin> {
  const twin = await startTwin(settings);
  twin.app.clock.freeze(noon);
  return twin;
}

it('lets a page of another origin list, create and read, and see the quota', async () => {
  const { api } = await startAtNoon();
  const page = await openPage();
  const listed = await callFrom(page, { url: `${api}/pets?status=sold&limit=2`, key: 'demo-free' });
  expectAnswer(listed, 200, [{ id: 3, name: 'Goldie' }, { id: 5 }]);
  expect(listed.headers).toMatchObject({
    ...{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' },
    'x-ratelimit-reset': String(noon / 1000 + 60),
  });
  const sent = {
    method: 'POST',
    type: 'application/json',
    body: '{"name":"Bello","categoryId":1}',
  };
  const created = await callFrom(page, { url: `${api}/pets`, key: 'demo-free', ...sent });
  expectAnswer(created, 201, { id: 121, name: 'Bello', categoryId: 1 });
  const read = await callFrom(page, { url: `${api}/pets/121`, key: 'demo-free' });
  expectAnswer(read, 200, { id: 121, name: 'Bello', categoryId: 1 });
  expect(read.headers).toMatchObject({
    deprecation: '@1733356800',
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '</v1/pets>; rel="successor-version"',
    'x-ratelimit-remaining': '57',
  });
});

it.each(['127.0.0.1', 'localhost'])(
  'keeps a page of %s away from the admin, reading and changing',
  async (host) => {
    const twin = await startAtNoon();
    const page = await openPage(host);
    const change = '{"action":"freeze","instant":"2031-01-01T00:00:00Z"}';
    const admin = (call: Partial<Call> & { path: string }) =>
      callFrom(page, { url: `${twin.origin}/__admin/${call.path}`, ...call });
    const failed = { error: 'Failed to fetch' };
    for (const path of ['health', 'limits', 'clock']) expect(await admin({ path })).toEqual(failed);
    const sent = { method: 'PUT', body: change, type: 'application/json' };
    expect(await admin({ path: 'clock', ...sent })).toEqual(failed);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(await admin({ path: 'reset', method: 'POST', body: change, type })).toEqual(failed);
    expect(await admin({ path: 'reset', method: 'POST' })).toEqual(failed);
    await admin({ path: 'reset', method: 'POST', mode: 'no-cors' });
    const form = `<form method="post" action="${twin.origin}/__admin/reset"><button>win</button></form>`;
    await page.setContent(form);
    const response = page.waitForResponse('**/__admin/reset');
    await page.click('button');
    const posted = await response;
    expect(posted.status()).toBe(403);
    expect([twin.app.clock.frozen, twin.app.clock.now()]).toEqual([true, noon]);
  },
);

it('lets no page of another origin call if CORS is off', async () => {
  const twin = await startAtNoon({ cors: false });
  const page = await openPage();
  const failed = { error: 'Failed to fetch' };
  expect(await callFrom(page, { url: `${twin.api}/pets`, key: 'demo-free' })).toEqual(failed);
  expect(await callFrom(page, { url: `${twin.api}/pets` })).toEqual(failed);
  await page.goto(`${twin.origin}/__admin/health`);
  expectAnswer(await callFrom(page, { url: `${twin.api}/pets`, key: 'demo-free' }), 200);
});

it('lets a page of a named origin control the twin with its token, and no other page', async () => {
  const [panel, other] = [await openPage('localhost'), await openPage()];
  const adminOrigins = [new URL(panel.url()).origin];
  const { origin } = await startTwin({ adminOrigins, adminToken: 's3cret' });
  const url = `${origin}/__admin/faults`;
  const body = '{"id":"a","status":503}';
  const add = { url, method: 'POST', type: 'application/json', body };
  expectAnswer(await callFrom(panel, { ...add, key: 's3cret' }), 201, { id: 'a', status: 503 });
  const refused = await callFrom(panel, add);
  expectAnswer(refused, 401);
  expect(refused.headers).toMatchObject({ 'www-authenticate': 'Bearer realm="admin"' });
  expect(await callFrom(other, { ...add, key: 's3cret' })).toEqual({ error: 'Failed to fetch' });
  const remove = { url: `${url}/a`, method: 'DELETE', key: 's3cret' };
  expectAnswer(await callFrom(panel, remove), 204);
});
