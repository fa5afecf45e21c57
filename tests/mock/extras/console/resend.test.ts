import { expect, it } from 'vitest';
import { filteredKey, needsKey, toResend } from '../../../../mock/extras/console/browser/resend.ts';
import type { Entry, Message } from '../../../../mock/journal/entry.ts';
import { filtered } from '../../../../mock/redact.ts';

const base = 'http://127.0.0.1:4010/sandboxes/a/__admin/console#requests';

function toEntry(more: Partial<Entry> = {}, request: Partial<Message> = {}): Entry {
  return {
    id: 1,
    at: '2026-01-01T00:00:00.000Z',
    clock: '2026-01-01T00:00:00.000Z',
    sandbox: 'a',
    method: 'POST',
    url: '/v1/pets?limit=1',
    absoluteUrl: 'http://127.0.0.1:4010/sandboxes/a/v1/pets?limit=1',
    operation: 'createPet',
    unmatched: false,
    key: 'demo-free',
    status: 201,
    milliseconds: 1,
    reason: { step: 'behaviour', kind: 'create' },
    response: null,
    ...more,
    request: {
      httpVersion: '1.1',
      headers: { Host: '127.0.0.1:4010', 'Content-Type': 'application/json' },
      body: '{"id":9223372036854775807}',
      bytes: 26,
      truncated: false,
      ...request,
    },
  };
}

it('repeats a request below the URL of its twin and sandbox', () => {
  const resend = toResend(toEntry(), '', base);
  expect(resend).toEqual({
    method: 'POST',
    url: new URL('http://127.0.0.1:4010/sandboxes/a/v1/pets?limit=1'),
    headers: [['Content-Type', 'application/json']],
    body: '{"id":9223372036854775807}',
    notes: [],
  });
  const proxied = toResend(toEntry(), '', 'https://host/some/path/__admin/console');
  expect(proxied).toMatchObject({ url: new URL('https://host/some/path/v1/pets?limit=1') });
});

it('puts the key into basic credentials, as their password', () => {
  const entry = toEntry({}, { headers: { Authorization: `Basic ${filtered}` } });
  expect(toResend(entry, 'k/1', base)).toMatchObject({
    headers: [['Authorization', `Basic ${btoa('demo:k/1')}`]],
  });
});

it('puts the key where the journal hid one', () => {
  expect(filteredKey).toBe(filtered);
  const entry = toEntry(
    { url: `/v1/pets?api_key=${filtered}` },
    { headers: { Authorization: `Bearer ${filtered}` }, body: `{"a":"${filtered}"}` },
  );
  expect(needsKey(entry)).toBe(true);
  expect(needsKey(toEntry())).toBe(false);
  expect(toResend(entry, 'k/1', base)).toMatchObject({
    url: new URL('http://127.0.0.1:4010/sandboxes/a/v1/pets?api_key=k%2F1'),
    headers: [['Authorization', 'Bearer k/1']],
    body: '{"a":"k/1"}',
  });
});

it('says what a browser sets itself', () => {
  const headers = { Host: 'x', Origin: 'http://x', Cookie: 'a=b', 'User-Agent': 'curl' };
  expect(toResend(toEntry({}, { headers }), '', base)).toMatchObject({
    headers: [],
    notes: ['The browser left out or set its own: Origin, Cookie.'],
  });
});

const unread = { body: null, bytes: 0 };

it.each([
  ['what was no HTTP', toEntry({ method: null, url: null }), 'not an HTTP request'],
  ['its method', toEntry({ method: 'TRACE' }, unread), 'do not send TRACE'],
  ['a body of GET', toEntry({ method: 'GET' }), 'no body with GET'],
  ['a cut body', toEntry({}, { truncated: true }), 'only the beginning of its body'],
  ['other bytes', toEntry({}, { body: '\uFFFD', bytes: 1 }), 'not UTF-8'],
  [
    'a body that was not read',
    toEntry({}, { ...unread, headers: { 'content-length': '5' } }),
    'without reading its body',
  ],
  ['a path with dots', toEntry({ url: '/v1/../x' }), 'would change its URL'],
  ['a form that names no path', toEntry({ url: '*' }), 'would change its URL'],
  [
    'repeated headers',
    toEntry({}, { headers: { Authorization: ['a', 'b'] } }),
    'has Authorization more than once',
  ],
  ['a wrong header', toEntry({}, { headers: { 'X-A': 'a\u0000b' } }), 'its header X-A'],
])('says why a browser cannot repeat %s', (_, entry, problem) => {
  expect(toResend(entry, 'key', base)).toEqual({ problem: expect.stringContaining(problem) });
});
