import { execFileSync } from 'node:child_process';
import { Ajv } from 'ajv';
import harSchemas from 'har-schema';
import { expect, it } from 'vitest';
import { toCurl } from '../../../mock/curl/curl.ts';
import { toEntry } from '../../../mock/journal/entry.ts';
import type { Exchange } from '../../../mock/journal/exchange.ts';
import { toHar } from '../../../mock/journal/har.ts';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createRedact } from '../../../mock/redact.ts';

const secret = 's3cret/key+of.some~length==';
const redact = createRedact([secret, 'mine', 'admin-token-1']);

it.each([
  ['a key', secret, '[Filtered]'],
  ['a key inside of a word', `x${secret}x`, 'x[Filtered]x'],
  ['a key in other letters', secret.toUpperCase(), '[Filtered]'],
  ['a percent-encoded key', `?a=${encodeURIComponent(secret)}`, '?a=[Filtered]'],
  ['a key percent-encoded to the last letter', percent(secret), '[Filtered]'],
  ['a key escaped in JSON', `{"a":"${secret.replace('/', '\\/')}"}`, '{"a":"[Filtered]"}'],
  ['a key with an escape', `"${secret.replace('s', '\\u0073')}"`, '"[Filtered]"'],
  ['a key that was cut off', `"${secret.slice(0, 20)}..."`, '"[Filtered]..."'],
  ['two keys', `${secret} and admin-token-1`, '[Filtered] and [Filtered]'],
  ['a short key that stands alone', '"mine"', '"[Filtered]"'],
  ['no short key inside of a word', 'determined mines', 'determined mines'],
  ['no other text', 's3cret', 's3cret'],
])('filters %s', (_, text, shown) => {
  expect(redact.text(text)).toBe(shown);
});

it.each([
  ['/v1/pets?name=shared-beginning-ZZZZ-secret-end', '/v1/pets?name=[Filtered]'],
  ['/v1/pets?name=shared-beginning-AAAA-other-end', '/v1/pets?name=[Filtered]'],
  ['shared-beginning-ZZZZ-secr ...', '[Filtered] ...'],
  ['/v1/pets?name=%22abc1234%22', '/v1/pets?name=%22[Filtered]%22'],
  ['"x\\nabc1234"', '"x\\n[Filtered]"'],
  ['/v1/pets?name=%22abc1%22&a=abc1', '/v1/pets?name=%22[Filtered]%22&a=[Filtered]'],
  ['"x\\nabc1"', '"x\\nabc1"'],
  ['"\\u0022abc1234\\u0022"', '"\\u0022[Filtered]\\u0022"'],
  ['"\\u0041abc1234 xabc1234"', '"\\u0041abc1234 xabc1234"'],
])('leaves nothing of keys that begin alike or stand behind an escape in %s', (text, shown) => {
  const shared = ['shared-beginning-AAAA-other-end', 'shared-beginning-ZZZZ-secret-end'];
  const both = createRedact([...shared, 'abc1234', 'abc1']);
  expect(both.text(text)).toBe(shown);
});

it('filters keys that are named later as well', () => {
  const growing = createRedact([]);
  expect(growing.text(`${secret} later-secret`)).toBe(`${secret} later-secret`);
  growing.hide(['later-secret']);
  expect(growing.text(`${secret} later-secret`)).toBe(`${secret} [Filtered]`);
});

it.each([
  ['Authorization', 'Bearer unknown', 'Bearer [Filtered]'],
  ['authorization', 'unknown', '[Filtered]'],
  ['Proxy-Authorization', 'Basic eDp5', 'Basic [Filtered]'],
  ['Cookie', 'a=b', 'a=[Filtered]'],
  ['Set-Cookie', 'a=b; Path=/', 'a=[Filtered]; Path=/'],
  ['X-Api-Key', 'unknown', '[Filtered]'],
  ['X-Auth-Token', 'unknown', '[Filtered]'],
  ['Accept', 'text/html', 'text/html'],
  ['X-Note', `it is ${secret}`, 'it is [Filtered]'],
  ['Referer', 'http://x/?api_key=unknown&a=b', 'http://x/?api_key=[Filtered]&a=b'],
])('shows the header %s: %s as %s', (name, value, shown) => {
  expect(redact.header(name, value)).toBe(shown);
});

it.each([
  [
    '/v1/pets?limit=2&api_key=unknown&access_token=x&status=sold',
    '/v1/pets?limit=2&api_key=[Filtered]&access_token=[Filtered]&status=sold',
  ],
  ['/v1/pets?api%5Fkey=unknown', '/v1/pets?api%5Fkey=[Filtered]'],
  ['/v1/pets?a=b?token=unknown', '/v1/pets?a=b?token=[Filtered]'],
  ['/v1/pets?%zztoken=unknown', '/v1/pets?%zztoken=[Filtered]'],
  ['/v1/pets?tok%65n%zz=unknown', '/v1/pets?tok%65n%zz=[Filtered]'],
  ['/v1/pets?token=', '/v1/pets?token='],
])('shows %s as %s', (url, shown) => {
  expect(redact.url(url)).toBe(shown);
});

/** An exchange of a POST. */
function toExchange(more: Partial<Exchange> = {}): Exchange {
  return {
    id: 7,
    api: undefined,
    sandbox: 'default',
    at: Date.parse('2026-11-21T04:05:06.789Z'),
    clockOffset: 1000,
    microseconds: 1235,
    method: 'POST',
    target: '/sandboxes/a/v1/pets?limit=2&note=x%20y',
    httpVersion: '1.1',
    prefix: '/sandboxes/a',
    secure: false,
    rawHeaders: [
      ...['Host', 'localhost:4010', 'AUTHORIZATION', `Bearer ${secret}`],
      ...['Content-Type', 'application/json', 'X-A', '1', 'x-a', '2'],
    ],
    body: toByteText('{"name":"it\'s $HOME `x`\\n"}'),
    wholeBody: undefined,
    operation: 'createPet',
    key: 'main',
    reason: { step: 'behaviour', kind: 'list' },
    status: 201,
    fields: ['Content-Type', 'application/json'],
    content: toByteText('{"id":1}'),
    wholeContent: undefined,
    size: 0,
    ...more,
  };
}

const withBody = (text: string) => toExchange({ body: toByteText(text) });

it('shows an exchange', () => {
  expect(toEntry(toExchange(), redact)).toStrictEqual({
    id: 7,
    at: '2026-11-21T04:05:06.789Z',
    clock: '2026-11-21T04:05:07.789Z',
    sandbox: 'default',
    method: 'POST',
    url: '/v1/pets?limit=2&note=x%20y',
    absoluteUrl: 'http://localhost:4010/sandboxes/a/v1/pets?limit=2&note=x%20y',
    operation: 'createPet',
    unmatched: false,
    key: 'main',
    traceparent: null,
    status: 201,
    milliseconds: 1.235,
    reason: { step: 'behaviour', kind: 'list' },
    request: {
      httpVersion: '1.1',
      headers: {
        Host: 'localhost:4010',
        AUTHORIZATION: 'Bearer [Filtered]',
        'Content-Type': 'application/json',
        'X-A': ['1', '2'],
      },
      body: toByteText('{"name":"it\'s $HOME `x`\\n"}'),
      bytes: 27,
      truncated: false,
    },
    response: {
      headers: { 'Content-Type': 'application/json' },
      body: '{"id":1}',
      bytes: 8,
      truncated: false,
    },
  });
});

it('shows what was no request', () => {
  const fields = ['method', 'target', 'httpVersion', 'microseconds', 'operation'];
  const none = Object.fromEntries(fields.map((name) => [name, undefined]));
  const reason = { step: 'connection' } as const;
  const content = toByteText('{"code":"malformed_request"}');
  const entry = toEntry(toExchange({ ...none, reason, status: 400, content }), redact);
  const shown = { method: null, url: null, absoluteUrl: null, milliseconds: null };
  expect(entry).toMatchObject({ ...shown, unmatched: true });
  expect(entry.reason).toEqual({ step: 'connection', error: 'malformed_request' });
  expect(toCurl(entry)).toBeUndefined();
});

/** Returns what curl is given by a line, once a shell has read it. */
function readLine(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nKEY=the-key\n${line}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

it.each([
  '{"name":"it\'s $HOME `x` $(y) \\"!"}',
  'one\nline\ttab \u0007 \u{1f600} \u2028',
  `{"name":"${secret}x"}`,
  `'${secret}'`,
])('repeats the body %j in a line that a shell takes to the letter', (body) => {
  const line = toCurl(toEntry(withBody(body), redact)) ?? '';
  expect(line).toMatch(/^[^\n]+\n$/);
  expect(line).not.toContain(secret);
  const fields = ['AUTHORIZATION: Bearer the-key', 'Content-Type: application/json'];
  expect(readLine(line)).toEqual([
    '-i',
    ...[...fields, 'X-A: 1', 'X-A: 2'].flatMap((one) => ['-H', one]),
    ...['--data-raw', body.replace(secret, 'the-key')],
    'http://localhost:4010/sandboxes/a/v1/pets?limit=2&note=x%20y',
  ]);
});

it.each<[string, Partial<Exchange>]>([
  ['only the beginning of a body', { wholeBody: 70_000 }],
  ['a body without its coding', { rawHeaders: ['CONTENT-ENCODING', 'gzip'] }],
])('says that the line sends %s', (_, exchange) => {
  const line = toCurl(toEntry(toExchange(exchange), redact)) ?? '';
  expect(line.split('\n')[0]).toBe('# The body differs from what was sent.');
});

const unchecked = { validateFormats: false, meta: false, validateSchema: false };
const ajv = new Ajv({ strict: false, schemas: Object.values(harSchemas), ...unchecked });

it('archives requests as HAR 1.2', () => {
  const broken = toExchange({ id: 3, rawHeaders: ['Host', 'no host'], status: undefined });
  const second = toExchange({ id: 2, rawHeaders: [], body: undefined });
  const all = [withBody(`"${secret}"`), second, broken];
  const entries = all.map((one) => toEntry(one, redact));
  const har = JSON.parse(JSON.stringify(toHar(entries, '1.2.3')));
  const validate = ajv.getSchema('har.json#');
  validate?.(har);
  expect(validate?.errors ?? []).toEqual([]);
  const creator = { name: 'petstore-twin', version: '1.2.3' };
  expect(har.log).toMatchObject({ version: '1.2', creator });
  expect(JSON.stringify(har)).not.toContain(secret);
  expect(har.log.entries[0]).toMatchObject({
    startedDateTime: '2026-11-21T04:05:06.789Z',
    time: 1.235,
    request: {
      method: 'POST',
      url: 'http://localhost:4010/sandboxes/a/v1/pets?limit=2&note=x%20y',
      httpVersion: 'HTTP/1.1',
      queryString: [
        { name: 'limit', value: '2' },
        { name: 'note', value: 'x y' },
      ],
      postData: { mimeType: 'application/json', text: '"[Filtered]"' },
      bodySize: 29,
    },
    response: {
      status: 201,
      statusText: 'Created',
      content: { size: 8, mimeType: 'application/json', text: '{"id":1}' },
    },
    timings: { send: 0, wait: 1.235, receive: 0 },
    _operation: 'createPet',
    _key: 'main',
    _reason: { step: 'behaviour', kind: 'list' },
  });
  const unsent = { request: { url: 'http://localhost/' }, response: { status: 0, statusText: '' } };
  expect(har.log.entries[2]).toMatchObject(unsent);
});

function percent(text: string): string {
  return [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
}
