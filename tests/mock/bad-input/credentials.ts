import { expect } from 'vitest';
import { animal, type BadInput, get, key, post } from '../../support/bad-input.ts';
import type { RawExchange } from '../../support/raw-socket.ts';

const missing = {
  status: 401,
  code: 'missing_api_key',
  check: (exchange: RawExchange) => expectChallenge(exchange, false),
} as const;
const invalid = {
  status: 401,
  code: 'invalid_api_key',
  check: (exchange: RawExchange) => expectChallenge(exchange, true),
} as const;
const authorized = (value: string) => get('/v1/pets', { Authorization: value });

/** The Authorization header (§5, RFC 6750). */
export const credentials: BadInput[] = [
  {
    id: 99,
    name: 'no Authorization',
    send: get('/v1/pets', { Authorization: undefined }),
    ...missing,
  },
  { id: 100, name: 'an empty Authorization', send: authorized(''), ...invalid },
  { id: 101, name: 'Bearer without a key', send: authorized('Bearer'), ...invalid },
  { id: 101, name: 'Bearer with a space and no key', send: authorized('Bearer '), ...invalid },
  {
    id: 102,
    name: 'two spaces before the key',
    send: authorized(`Bearer  ${key}`),
    status: 200,
    why: 'One or more spaces may stand there (RFC 6750 §2.1, RFC 9110 §11.4).',
  },
  {
    id: 103,
    name: 'bearer in lower case',
    send: authorized(`bearer ${key}`),
    status: 200,
    why: 'The name of a scheme is case-insensitive (RFC 9110 §11.1).',
  },
  { id: 103, name: 'BEARER in capitals', send: authorized(`BEARER ${key}`), status: 200 },
  {
    id: 103,
    name: 'the key in capitals',
    send: authorized(`Bearer ${key.toUpperCase()}`),
    ...invalid,
  },
  { id: 104, name: 'Basic', send: authorized(`Basic ${btoa(`${key}:`)}`), ...invalid },
  {
    id: 105,
    name: 'the key in the query',
    send: get(`/v1/pets?access_token=${key}`, { Authorization: undefined }),
    ...missing,
  },
  {
    id: 106,
    name: 'the key in the body',
    send: post(`access_token=${key}`, {
      Authorization: undefined,
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    ...missing,
  },
  {
    id: 107,
    name: 'the key in the header and in the query',
    send: get(`/v1/pets?access_token=${key}`),
    status: 200,
    why: 'The query is no place for a key here, so access_token is a parameter that is not described.',
  },
  { id: 108, name: 'a key of 8 KB', send: authorized(`Bearer ${'a'.repeat(8192)}`), ...invalid },
  { id: 109, name: 'a key with a quote', send: authorized(`Bearer ${key}"`), ...invalid },
  {
    id: 109,
    name: 'a key with an escaped line break',
    send: authorized(`Bearer ${key}%0d%0aX-Injected:%201`),
    ...invalid,
  },
  { id: 110, name: 'a key that is not ASCII', send: authorized(`Bearer ${key}\u00e9`), ...invalid },
  {
    id: 111,
    name: 'a revoked key',
    send: authorized('Bearer demo-retired'),
    ...invalid,
    why: 'A revoked key is one that the keys no longer hold; the interface shows no other way (§5).',
  },
  {
    id: 112,
    name: 'keys that nearly match',
    send: Buffer.concat([
      get('/v1/pets', { Authorization: `Bearer ${key.slice(0, -1)}`, Connection: undefined }),
      get('/v1/pets', { Authorization: `Bearer ${key}e`, Connection: undefined }),
      authorized('Bearer x'),
    ]),
    status: [401, 401, 401],
    code: 'invalid_api_key',
    why: 'Nothing in the answers tells how near a key was.',
    check: ({ answers }) => expect(new Set(answers.map(({ text }) => text)).size).toBe(1),
  },
  {
    id: 113,
    name: 'two keys with a comma',
    send: authorized(`Bearer ${key}, Bearer ${key}`),
    ...invalid,
  },
  {
    id: 113,
    name: 'a creation with two keys and a comma',
    send: post(animal, { Authorization: `Bearer ${key},x` }),
    ...invalid,
  },
];

function expectChallenge({ answers }: RawExchange, withError: boolean): void {
  const challenge = answers[0]?.headers['www-authenticate'];
  expect(challenge).toMatch(/^Bearer realm="petstore"/);
  expect(challenge?.includes('error="invalid_token"')).toBe(withError);
  expect(answers[0]?.headers).not.toHaveProperty('x-injected');
}
