import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedact } from '../../../../mock/redact.ts';
import { bearer, type TestTwin } from '../../../support/twin.ts';
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

/** Lists what is sent, with a valid key and with another secret in its place. */
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

const redact = createRedact([]);
redact.hide([], { tokens: true });

const token = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiJhIn0', 'c2lnbmF0dXJl'].join('.');

it.each([
  [token, '[Filtered]'],
  [`a ${token}, "${token}".`, 'a [Filtered], "[Filtered]".'],
  [`a.b${token}.c`, 'a.b[Filtered].c'],
  ['eyJhbGciOiJIUzI1NiJ9..c2lnbmF0dXJl', '[Filtered]'],
  ['a eyJhbGciOiJkaXIifQ..aXYtb2YtaXQtMTI.Y2lwaGVydGV4dA.dGFnLW9mLWl0 b', 'a [Filtered] b'],
  ['eyJhbGciOiJub25lIn0..short', 'eyJhbGciOiJub25lIn0..short'],
  ['eyJhbGciOiJub25lIn0.short.c2lnbmF0dXJl', 'eyJhbGciOiJub25lIn0.short.c2lnbmF0dXJl'],
  ['eyJ.eyJzdWIiOiJhIn0.c2lnbmF0dXJl', 'eyJ.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
])('filters signed tokens in %s', (text, shown) => {
  expect(redact.text(text)).toBe(shown);
});

it.each([
  ['a=b; session=c=d;e', 'a=[Filtered]; session=[Filtered];[Filtered]'],
  ['a', '[Filtered]'],
  ['', ''],
])('filters the values of the cookies %s', (value, shown) => {
  expect(redact.header('Cookie', value)).toBe(shown);
});
