import { expect } from 'vitest';
import { animal, type BadInputs, get, key, post } from '../../support/bad-input.ts';

const authorized = (value: string) => get('/v1/pets', { Authorization: value });

/** The Authorization header (§5, RFC 6750). */
export const credentials: BadInputs = {
  'no Authorization': [get('/v1/pets', { Authorization: undefined }), 'missing_api_key'],
  'an empty Authorization': [authorized(''), 'invalid_api_key'],
  'Bearer without a key': [authorized('Bearer'), 'invalid_api_key'],
  'Bearer with a space and no key': [authorized('Bearer '), 'invalid_api_key'],
  // One or more spaces may stand there (RFC 6750 §2.1, RFC 9110 §11.4).
  'two spaces before the key': [authorized(`Bearer  ${key}`), 200],
  // The name of a scheme is case-insensitive (RFC 9110 §11.1).
  'bearer in lower case': [authorized(`bearer ${key}`), 200],
  'BEARER in capitals': [authorized(`BEARER ${key}`), 200],
  'the key in capitals': [authorized(`Bearer ${key.toUpperCase()}`), 'invalid_api_key'],
  Basic: [authorized(`Basic ${btoa(`${key}:`)}`), 'invalid_api_key'],
  'the key in the query': [
    get(`/v1/pets?access_token=${key}`, { Authorization: undefined }),
    'missing_api_key',
  ],
  'the key in the body': [
    post(`access_token=${key}`, {
      Authorization: undefined,
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    'missing_api_key',
  ],
  // The query is no place for a key here, so access_token is a parameter that is not described.
  'the key in the header and in the query': [get(`/v1/pets?access_token=${key}`), 200],
  'a key of 8 KB': [authorized(`Bearer ${'a'.repeat(8192)}`), 'invalid_api_key'],
  'a key with a quote': [authorized(`Bearer ${key}"`), 'invalid_api_key'],
  'a key with an escaped line break': [
    authorized(`Bearer ${key}%0d%0aX-Injected:%201`),
    'invalid_api_key',
  ],
  'a key that is not ASCII': [authorized(`Bearer ${key}\u00e9`), 'invalid_api_key'],
  // A revoked key is one that the keys no longer hold; the interface shows no other way (§5).
  'a revoked key': [authorized('Bearer demo-retired'), 'invalid_api_key'],
  // Nothing in the answers tells how near a key was.
  'keys that nearly match': [
    Buffer.concat([
      get('/v1/pets', { Authorization: `Bearer ${key.slice(0, -1)}`, Connection: undefined }),
      get('/v1/pets', { Authorization: `Bearer ${key}e`, Connection: undefined }),
      authorized('Bearer x'),
    ]),
    'invalid_api_key',
    {
      before: [401, 401],
      check: ({ answers }) => expect(new Set(answers.map(({ text }) => text)).size).toBe(1),
    },
  ],
  'two keys with a comma': [authorized(`Bearer ${key}, Bearer ${key}`), 'invalid_api_key'],
  'a creation with two keys and a comma': [
    post(animal, { Authorization: `Bearer ${key},x` }),
    'invalid_api_key',
  ],
};
