import { expect } from 'vitest';
import { animal, type BadInput, get, head, post } from '../../support/bad-input.ts';
import { bearer, type TestTwin } from '../../support/twin.ts';

const manyLong = Object.fromEntries(
  Array.from({ length: 2100 }, (_, index) => [`X-Number-${index}`, 'value']),
);

/** Header fields. */
export const headers: BadInput[] = [
  {
    id: 35,
    name: 'NUL in a value',
    send: get('/v1/pets', { 'X-Note': 'a\0b' }),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 36,
    name: 'a header of 20 KB',
    send: get('/v1/pets', { 'X-Note': 'a'.repeat(20_000) }),
    status: 431,
    code: 'headers_too_large',
  },
  {
    id: 37,
    name: '2,100 headers of normal length',
    send: get('/v1/pets', manyLong),
    status: 431,
    code: 'headers_too_large',
  },
  {
    id: 38,
    name: 'a latin-1 value',
    send: get('/v1/pets', { 'X-Note': 'Se\u00f1or' }),
    status: 200,
  },
  {
    id: 39,
    name: 'a header named __proto__',
    send: get('/v1/pets', { ['__proto__']: 'authorization' }),
    status: 200,
    check: expectCleanPrototype,
  },
  {
    id: 40,
    name: 'a header named constructor',
    send: get('/v1/pets', { constructor: 'x' }),
    status: 200,
    check: expectCleanPrototype,
  },
  {
    id: 41,
    name: 'two Authorization headers',
    send: get('/v1/pets', { authorization: 'Bearer other' }),
    status: 200,
    why: 'Of a header that may be sent once, the first one counts.',
  },
  {
    id: 42,
    name: 'two Content-Type headers',
    send: post(animal, { 'content-type': 'text/plain' }),
    status: 201,
    creates: 1,
    why: 'Of a header that may be sent once, the first one counts.',
  },
  {
    id: 43,
    name: 'Expect: 200-ok',
    send: get('/v1/pets', { Expect: '200-ok' }),
    status: 417,
    code: 'expectation_failed',
  },
  {
    id: 44,
    name: 'Expect: 100-continue',
    send: post(animal, { Expect: '100-continue' }),
    status: 201,
    creates: 1,
    check: ({ answers }) => expect(answers.map(({ status }) => status)).toEqual([100, 201]),
  },
  {
    id: 45,
    name: 'Expect: 100-continue with a wrong key',
    send: head(
      'POST /v1/pets HTTP/1.1',
      'Host: localhost',
      'Authorization: Bearer no',
      'Content-Length: 29',
      'Expect: 100-continue',
    ),
    status: 401,
    code: 'invalid_api_key',
    check: ({ answers }) => expect(answers).toHaveLength(1),
  },
  {
    id: 46,
    name: 'Upgrade: websocket',
    send: get('/v1/pets', {
      Upgrade: 'websocket',
      Connection: 'Upgrade, close',
      'Sec-WebSocket-Version': '13',
    }),
    status: 200,
    why: 'A server may ignore Upgrade (RFC 9110 §7.8).',
  },
  {
    id: 47,
    name: 'Range',
    send: get('/v1/pets/1', { Range: 'bytes=0-1' }),
    status: 200,
    why: 'A server may ignore Range (RFC 9110 §14.2).',
    check: ({ answers }) => expect(JSON.parse(answers[0]?.text ?? '').id).toBe(1),
  },
  {
    id: 48,
    name: 'If-None-Match: *',
    send: get('/v1/pets', { 'If-None-Match': '*' }),
    status: 200,
    why: 'The twin gives out no validators, and the interface states 200 alone (§4.1).',
  },
  {
    id: 49,
    name: 'X-Forwarded-For of a key that is used up',
    prepare: useUp,
    send: get('/v1/pets', {
      Authorization: 'Bearer demo-free',
      'X-Forwarded-For': '203.0.113.7',
      Forwarded: 'for=203.0.113.7',
    }),
    status: 429,
    code: 'rate_limit_exceeded',
    why: 'Limits go by the key (§8), wherever it is sent from.',
  },
  {
    id: 50,
    name: 'X-HTTP-Method-Override',
    send: get('/v1/pets', { 'X-HTTP-Method-Override': 'POST' }),
    status: 200,
    why: 'The interface knows no such header; the method is the one of the request line.',
  },
  {
    id: 51,
    name: 'TE: trailers',
    send: get('/v1/pets', { TE: 'trailers', Connection: 'TE, close' }),
    status: 200,
  },
  {
    id: 52,
    name: 'Connection: X-RateLimit-Limit',
    send: get('/v1/pets', { Connection: 'X-RateLimit-Limit, close' }),
    status: 200,
  },
];

async function useUp({ api, app }: TestTwin): Promise<void> {
  app.clock.freeze(Date.UTC(2026, 0, 1));
  for (let call = 0; call < 60; call++)
    await (await fetch(`${api}/pets?limit=1`, { headers: bearer('demo-free') })).bytes();
}

function expectCleanPrototype(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).authorization).toBeUndefined();
}
