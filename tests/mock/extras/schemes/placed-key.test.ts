import { expect, it } from 'vitest';
import { toCurl, toFetch } from '../../../../mock/curl/to-curl.ts';
import type { KeyPlace } from '../../../../openapi/index.ts';
import { withJson } from '../../../support/with-json.ts';

const places: KeyPlace[] = [
  { in: 'authorization', scheme: 'Basic' },
  { in: 'header', name: 'X-Key' },
  { in: 'query', name: 'a key' },
  { in: 'query', name: 'again' },
  { in: 'cookie', name: 'session' },
];
const called = { method: 'GET', keyPlaces: places };
const base = 'http://127.0.0.1:1';

it('leaves a key that is not shown to a variable of the shell', () => {
  expect(toCurl(called, { target: '/x?b=c' }, { base, key: '$KEY', trust: [] })).toBe(
    'curl -u "demo:$KEY" -H "X-Key: $KEY" -b "session=$KEY" "http://127.0.0.1:1/x?b=c&a%20key=$KEY""&again=$KEY"',
  );
  const odd = { method: 'GET', keyPlaces: [{ in: 'header', name: 'X-$HOME`' } as const] };
  expect(toCurl(odd, { target: '/' }, { base, key: '$KEY', trust: [] })).toBe(
    'curl -H \'X-$HOME`: \'"$KEY" http://127.0.0.1:1/',
  );
});

it('encodes a shown key where a URL has it', () => {
  const line = toCurl(called, { target: '/x' }, { base, key: 'a+b/=', trust: [] });
  expect(line).toMatch(/ 'http:\/\/127\.0\.0\.1:1\/x\?a%20key=a%2Bb%2F%3D'/);
});

const mark = ['a$', '{b}`c'].join('');

it('calls with fetch', async () => {
  const snippet = toFetch(
    { method: 'POST', keyPlaces: [...places, { in: 'cookie', name: 'two' }] },
    { target: `/x?mark=${mark}`, body: '{}' },
    { base, key: 'k+/=' },
  );
  const calls: [string, { headers: Record<string, string> }][] = [];
  const fetch = (...call: (typeof calls)[0]) => {
    calls.push(call);
    return { status: 200, text: () => '' };
  };
  const run = new Function('fetch', 'console', `return (async () => {{${snippet}}})()`);
  await run(fetch, { log() {} });
  expect(calls).toEqual([
    [
      `${base}/x?mark=${mark}&a%20key=k%2B%2F%3D&again=k%2B%2F%3D`,
      withJson(
        'POST',
        {},
        {
          Authorization: `Basic ${btoa('demo:k+/=')}`,
          'X-Key': 'k+/=',
          Cookie: 'session=k+/=; two=k+/=',
        },
      ),
    ],
  ]);
});
