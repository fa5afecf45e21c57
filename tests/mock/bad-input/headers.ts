import { expect } from 'vitest';
import { animal, type BadInputs, get, head, post } from '../../support/bad-input.ts';
import { bearer, type TestTwin } from '../../support/twin.ts';

const manyLong = Object.fromEntries(
  Array.from({ length: 2100 }, (_, index) => [`X-Number-${index}`, 'value']),
);

/** Header fields. */
export const headers: BadInputs = {
  'NUL in a value': [get('/v1/pets', { 'X-Note': 'a\0b' }), 'malformed_request'],
  'a header of 20 KB': [get('/v1/pets', { 'X-Note': 'a'.repeat(20_000) }), 'headers_too_large'],
  '2,100 headers of normal length': [get('/v1/pets', manyLong), 'headers_too_large'],
  'a latin-1 value': [get('/v1/pets', { 'X-Note': 'Se\u00f1or' }), 200],
  'a header named __proto__': [
    get('/v1/pets', { ['__proto__']: 'authorization' }),
    200,
    { check: expectCleanPrototype },
  ],
  'a header named constructor': [
    get('/v1/pets', { constructor: 'x' }),
    200,
    { check: expectCleanPrototype },
  ],
  // Of a header that may be sent once, the first one counts.
  'two Authorization headers': [get('/v1/pets', { authorization: 'Bearer other' }), 200],
  // Of a header that may be sent once, the first one counts.
  'two Content-Type headers': [post(animal, { 'content-type': 'text/plain' }), 201],
  'Expect: 200-ok': [get('/v1/pets', { Expect: '200-ok' }), 'expectation_failed'],
  'Expect: 100-continue': [
    post(animal, { Expect: '100-continue' }),
    201,
    { check: ({ answers }) => expect(answers.map(({ status }) => status)).toEqual([100, 201]) },
  ],
  'Expect: 100-continue with a wrong key': [
    head(
      'POST /v1/pets HTTP/1.1',
      'Host: localhost',
      'Authorization: Bearer no',
      'Content-Length: 29',
      'Expect: 100-continue',
    ),
    'invalid_api_key',
    { check: ({ answers }) => expect(answers).toHaveLength(1) },
  ],
  // A server may ignore Upgrade (RFC 9110 §7.8).
  'Upgrade: websocket': [
    get('/v1/pets', {
      Upgrade: 'websocket',
      Connection: 'Upgrade, close',
      'Sec-WebSocket-Version': '13',
    }),
    200,
  ],
  // A server may ignore Range (RFC 9110 §14.2).
  Range: [
    get('/v1/pets/1', { Range: 'bytes=0-1' }),
    200,
    { check: ({ answers }) => expect(JSON.parse(answers[0]?.text ?? '').id).toBe(1) },
  ],
  // The twin gives out no validators, and the interface states 200 alone (§4.1).
  'If-None-Match: *': [get('/v1/pets', { 'If-None-Match': '*' }), 200],
  // Limits go by the key (§8), wherever it is sent from.
  'X-Forwarded-For of a key that is used up': [
    get('/v1/pets', {
      Authorization: 'Bearer demo-free',
      'X-Forwarded-For': '203.0.113.7',
      Forwarded: 'for=203.0.113.7',
    }),
    'rate_limit_exceeded',
    { prepare: useUp },
  ],
  // The interface knows no such header; the method is the one of the request line.
  'X-HTTP-Method-Override': [get('/v1/pets', { 'X-HTTP-Method-Override': 'POST' }), 200],
  'TE: trailers': [get('/v1/pets', { TE: 'trailers', Connection: 'TE, close' }), 200],
  'Connection: X-RateLimit-Limit': [
    get('/v1/pets', { Connection: 'X-RateLimit-Limit, close' }),
    200,
  ],
};

async function useUp({ api, app }: TestTwin): Promise<void> {
  app.clock.freeze(Date.UTC(2026, 0, 1));
  for (let call = 0; call < 60; call++)
    await (await fetch(`${api}/pets?limit=1`, { headers: bearer('demo-free') })).bytes();
}

function expectCleanPrototype(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).authorization).toBeUndefined();
}
