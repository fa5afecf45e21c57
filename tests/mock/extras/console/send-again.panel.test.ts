import { expect, it } from 'vitest';
import {
  filteredKey,
  needsKey,
  problemOfResend,
  toResend,
} from '../../../../mock/extras/console/browser/send-again.ts';
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
    traceparent: null,
    status: 201,
    milliseconds: 1,
    reason: { step: 'behaviour', kind: 'create' },
    response: null,
    ...more,
    request: {
      httpVersion: '1.1',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '26' },
      body: '{"id":9223372036854775807}',
      bytes: 26,
      truncated: false,
      ...request,
    },
  };
}

it('repeats a request below the URL of its twin and sandbox', () => {
  expect(toResend(toEntry(), '', base)).toEqual({
    url: 'http://127.0.0.1:4010/sandboxes/a/v1/pets?limit=1',
    init: {
      method: 'POST',
      headers: [['Content-Type', 'application/json']],
      body: '{"id":9223372036854775807}',
    },
  });
  const proxied = toResend(toEntry(), '', 'https://host/some/path/__admin/console');
  expect(proxied.url).toBe('https://host/some/path/v1/pets?limit=1');
});

it('puts the key where the journal hid one', () => {
  expect(filteredKey).toBe(filtered);
  const headers = { Authorization: `Bearer ${filtered}`, 'X-Basic': `Basic ${filtered}` };
  const entry = toEntry(
    { url: `/v1/pets?api_key=${filtered}` },
    { headers, body: `{"a":"${filtered}"}` },
  );
  expect([needsKey(entry), needsKey(toEntry())]).toEqual([true, false]);
  expect(toResend(entry, 'k/1', base)).toEqual({
    url: 'http://127.0.0.1:4010/sandboxes/a/v1/pets?api_key=k%2F1',
    init: {
      method: 'POST',
      headers: [
        ['Authorization', 'Bearer k/1'],
        ['X-Basic', `Basic ${btoa('demo:k/1')}`],
      ],
      body: '{"a":"k/1"}',
    },
  });
});

it.each([
  ['what was no HTTP', toEntry({ method: null, url: null }), 'no HTTP request'],
  ['a form that names no path', toEntry({ url: '*' }), 'no HTTP request'],
  ['a body of GET', toEntry({ method: 'GET' }), 'no body with GET'],
  ['a cut body', toEntry({}, { truncated: true }), 'only the beginning of its body'],
])('says why a browser cannot repeat %s', (_, entry, problem) => {
  expect(problemOfResend(entry)).toContain(problem);
  expect(problemOfResend(toEntry())).toBeUndefined();
});
