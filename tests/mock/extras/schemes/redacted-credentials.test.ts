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

/** What was sent, with a valid key and with another secret in its place, and how curl repeats it. */
const calls: [
  what: string,
  call: (key: string) => [path: string, headers: Headers],
  line: string,
][] = [
  ['a header', (key) => ['/header', { 'X-Shop-Key': key }], "-h 'x-shop-key: demo-free'"],
  ['the query', (key) => [`/query?a=b&appid=${key}`, {}], "appid=demo-free'"],
  [
    'a cookie',
    (key) => ['/cookie', { Cookie: `session=${key}; other=${key}` }],
    "'cookie: session=demo-free; other=demo-free'",
  ],
  ['basic credentials', (key) => ['/basic', basic('demo', key)], '-u demo:demo-free'],
  [
    'another scheme',
    (key) => ['/hawk', { Authorization: `Hawk ${key}` }],
    "'authorization: hawk demo-free'",
  ],
  ['a token where a key is asked for', (key) => ['/header', bearer(key)], 'curl'],
];

it.each(calls)('shows no credentials of %s in the journal and the log', async (_, call, line) => {
  for (const secret of ['demo-free', 'hunter2-of-nobody']) {
    const [path, headers] = call(secret);
    await (await fetch(twin.api + path, { headers })).text();
    const shown = await (await fetch(`${twin.origin}/__admin/requests/latest`)).text();
    for (const text of [secret, btoa(`demo:${secret}`)]) {
      expect(shown.replace('"key":"demo-free"', '')).not.toContain(text);
      expect(twin.lines.join('\n')).not.toContain(text);
    }
  }
  const [path, headers] = call('demo-free');
  await fetch(twin.api + path, { headers });
  const again = await (await fetch(`${twin.origin}/__admin/requests/latest/curl`)).text();
  expect(again.toLowerCase()).toContain(line);
});

const redact = createRedact([]);
redact.hide([], { tokens: true });

const token = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiJhIn0', 'c2lnbmF0dXJl'].join('.');

it.each([
  [token, '[Filtered]'],
  [`a ${token}, "${token}".`, 'a [Filtered], "[Filtered]".'],
  ['eyJhbGciOiJIUzI1NiJ9..c2lnbmF0dXJl', '[Filtered]'],
  ['a eyJhbGciOiJkaXIifQ..aXYtb2YtaXQtMTI.Y2lwaGVydGV4dA.dGFnLW9mLWl0 b', 'a [Filtered] b'],
  ['eyJhbGciOiJub25lIn0..short', 'eyJhbGciOiJub25lIn0..short'],
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

// Looking from each place to the end would take minutes here.
it('filters long texts in one pass', () => {
  const almost = 'eyJ'.repeat(200_000);
  expect(redact.text(almost)).toBe(almost);
  expect(redact.text(`${almost}.${almost}.`)).toBe(`${almost}.${almost}.`);
  const name = 'a'.repeat(200_000);
  expect(redact.header('Cookie', `${name}=x`)).toBe(`${name}=[Filtered]`);
});
