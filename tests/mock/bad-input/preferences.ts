import { expect } from 'vitest';
import { animal, type BadInputs, get, post } from '../../support/bad-input.ts';

const twoPrefer = (first: string, second: string) =>
  get('/v1/pets', { Prefer: first, prefer: second });

/** Prefer, its query twins, and values that are nearly magic. */
export const preferences: BadInputs = {
  'Prefer: code=4x4': [get('/v1/pets', { Prefer: 'code=4x4' }), 'invalid_preference'],
  'Prefer: code': [get('/v1/pets', { Prefer: 'code' }), 'invalid_preference'],
  'Prefer: code=101': [get('/v1/pets', { Prefer: 'code=101' }), 'invalid_preference'],
  'a quote that does not end': [get('/v1/pets', { Prefer: 'code="404' }), 'invalid_preference'],
  'a latin-1 example': [get('/v1/pets', { Prefer: 'example=Se\u00f1or' }), 'invalid_preference'],
  'an example named __proto__': [
    get('/v1/pets', { Prefer: 'example=__proto__' }),
    'invalid_preference',
  ],
  'a delay of an hour': [get('/v1/pets', { Prefer: 'delay=3600000' }), 'invalid_preference'],
  'a delay of 1e3': [get('/v1/pets', { Prefer: 'delay=1e3' }), 'invalid_preference'],
  // They are one list, and the first of each name counts (RFC 7240 §2).
  'two Prefer headers that differ': [twoPrefer('code=404', 'code=4x4'), 'not_found'],
  // A server ignores preferences that it does not know (RFC 7240 §2).
  'preferences that nobody knows': [
    get('/v1/pets', { Prefer: 'respond-async, wait=10; strict, "code=404", =404, ;, colour' }),
    200,
    {
      check: ({ answers }) => expect(answers[0]?.headers).not.toHaveProperty('preference-applied'),
    },
  ],
  '10,000 commas in Prefer': [get('/v1/pets', { Prefer: ','.repeat(10_000) }), 200],
  '__code twice': [get('/v1/pets?__code=404&__code=404'), 'invalid_preference'],
  '__code=%zz': [get('/v1/pets?__code=%zz'), 'malformed_request'],
  'an empty __code': [get('/v1/pets?__code='), 'invalid_preference'],
  'a line break in __seed': [get('/v1/pets?__seed=a%0d%0ab'), 'invalid_preference'],
  // Any answer can be had, whatever the body holds.
  'a forced answer to a body that is not JSON': [
    post('{"name"', { Prefer: 'code=404' }),
    'not_found',
  ],
  'a forced answer to a body of another type and too large': [
    post('x'.repeat(2_000_000), { Prefer: 'code=404', 'Content-Type': 'text/plain' }),
    'not_found',
  ],
  'a forced answer without content to a body': [
    post(animal, { Prefer: 'code=204' }),
    204,
    { check: ({ answers }) => expect(answers[0]?.headers).not.toHaveProperty('content-length') },
  ],
  // A caller without a key learns nothing else.
  'a preference with a wrong key': [
    get('/v1/pets', { Prefer: 'code=4x4', Authorization: 'Bearer no' }),
    'invalid_api_key',
  ],
  'a preference at an unknown path': [get('/v1/nowhere', { Prefer: 'code=500' }), 'unknown_path'],
  'a magic id with a zero before it': [get('/v1/pets/09000000000000000500'), 'not_found'],
  'a magic id with a sign': [get('/v1/pets/+9000000000000000500'), 'not_found'],
  'a magic id with a fraction': [get('/v1/pets/9000000000000000500.0'), 'not_found'],
  'a magic name in a body that is not valid': [post('{"name":"magic:500"}'), 'invalid_body'],
  'a magic name with a space': [post('{"name":"magic:500 ","categoryId":1}'), 201],
};
