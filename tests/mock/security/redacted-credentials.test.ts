import { afterAll, beforeAll, expect, it } from 'vitest';
import { bearer, type TestTwin } from '../../support/twin.ts';
import { basic, openSecuredTwin, toSecuredDocument } from './secured-document.ts';

let twin: TestTwin;
beforeAll(async () => {
  twin = await openSecuredTwin(
    toSecuredDocument({
      header: [{ header: [] }],
      query: [{ query: [] }],
      cookie: [{ cookie: [] }],
      basic: [{ basic: [] }],
      hawk: [{ hawk: [] }],
    }),
  );
});
afterAll(() => twin.close());

type Headers = Record<string, string>;

/** What was sent, with a valid key and with another secret in its place. */
const calls: [what: string, call: (key: string) => [path: string, headers: Headers]][] = [
  ['a header', (key) => ['/header', { 'X-Shop-Key': key }]],
  ['the query', (key) => [`/query?a=b&appid=${key}`, {}]],
  ['a cookie', (key) => ['/cookie', { Cookie: `session=${key}; other=${key}` }]],
  ['basic credentials', (key) => ['/basic', basic('demo', key)]],
  ['another scheme', (key) => ['/hawk', { Authorization: `Hawk ${key}` }]],
  ['a token where a key is asked for', (key) => ['/header', bearer(key)]],
];

it.each(calls)('shows no credentials of %s in the journal and the log', async (_, call) => {
  for (const secret of ['demo-free', 'hunter2-of-nobody']) {
    const [path, headers] = call(secret);
    await (await fetch(twin.api + path, { headers })).text();
    const shown = await (await fetch(`${twin.origin}/__admin/requests/latest`)).text();
    const hidden = [secret, btoa(`demo:${secret}`)];
    const { request } = JSON.parse(shown) as { request: object };
    for (const text of hidden) {
      expect(JSON.stringify(request)).not.toContain(text);
      expect(shown.replace('"key":"demo-free"', '')).not.toContain(text);
      expect(twin.lines.join('\n')).not.toContain(text);
    }
  }
});

it.each(calls.slice(0, 5))('repeats a call with %s as curl', async (_, call) => {
  const [path, headers] = call('demo-free');
  expect((await fetch(twin.api + path, { headers })).status).toBe(200);
  const line = await (await fetch(`${twin.origin}/__admin/requests/latest/curl`)).text();
  expect(line).not.toContain('[Filtered]');
  const expected = {
    '/header': "-H 'X-Shop-Key: demo-free'",
    '/query?a=b&appid=demo-free': "query?a=b&appid=demo-free'",
    '/cookie': "-H 'Cookie: session=demo-free; other=demo-free'",
    '/basic': '-u demo:demo-free',
    '/hawk': "-H 'Authorization: Hawk demo-free'",
  }[path];
  expect(
    line.replaceAll('authorization', 'Authorization').replaceAll('cookie:', 'Cookie:'),
  ).toContain(expected);
});
