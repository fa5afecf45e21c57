import { expect } from 'vitest';
import { animal, type BadInput, get, post } from '../../support/bad-input.ts';

const invalid = { status: 400, code: 'invalid_preference' } as const;
const asked = { status: 404, code: 'not_found' } as const;
const twoPrefer = (first: string, second: string) =>
  get('/v1/pets', { Prefer: first, prefer: second });

/** Prefer, its query twins, and values that are nearly magic. */
export const preferences: BadInput[] = [
  { id: 179, name: 'Prefer: code=4x4', send: get('/v1/pets', { Prefer: 'code=4x4' }), ...invalid },
  { id: 179, name: 'Prefer: code', send: get('/v1/pets', { Prefer: 'code' }), ...invalid },
  { id: 179, name: 'Prefer: code=101', send: get('/v1/pets', { Prefer: 'code=101' }), ...invalid },
  {
    id: 180,
    name: 'a quote that does not end',
    send: get('/v1/pets', { Prefer: 'code="404' }),
    ...invalid,
  },
  {
    id: 181,
    name: 'a latin-1 example',
    send: get('/v1/pets', { Prefer: 'example=Se\u00f1or' }),
    ...invalid,
  },
  {
    id: 182,
    name: 'an example named __proto__',
    send: get('/v1/pets', { Prefer: 'example=__proto__' }),
    ...invalid,
  },
  {
    id: 183,
    name: 'a delay of an hour',
    send: get('/v1/pets', { Prefer: 'delay=3600000' }),
    ...invalid,
  },
  { id: 183, name: 'a delay of 1e3', send: get('/v1/pets', { Prefer: 'delay=1e3' }), ...invalid },
  {
    id: 184,
    name: 'two Prefer headers that differ',
    send: twoPrefer('code=404', 'code=4x4'),
    ...asked,
    why: 'They are one list, and the first of each name counts (RFC 7240 §2).',
  },
  {
    id: 185,
    name: 'preferences that nobody knows',
    send: get('/v1/pets', {
      Prefer: 'respond-async, wait=10; strict, "code=404", =404, ;, colour',
    }),
    status: 200,
    why: 'What a server does not know of Prefer, it ignores (RFC 7240 §2).',
    check: ({ answers }) => expect(answers[0]?.headers).not.toHaveProperty('preference-applied'),
  },
  {
    id: 186,
    name: '10,000 commas in Prefer',
    send: get('/v1/pets', { Prefer: ','.repeat(10_000) }),
    status: 200,
  },
  { id: 187, name: '__code twice', send: get('/v1/pets?__code=404&__code=404'), ...invalid },
  {
    id: 187,
    name: '__code=%zz',
    send: get('/v1/pets?__code=%zz'),
    status: 400,
    code: 'malformed_request',
  },
  { id: 187, name: 'an empty __code', send: get('/v1/pets?__code='), ...invalid },
  { id: 187, name: 'a line break in __seed', send: get('/v1/pets?__seed=a%0d%0ab'), ...invalid },
  {
    id: 188,
    name: 'a forced answer to a body that is not JSON',
    send: post('{"name"', { Prefer: 'code=404' }),
    ...asked,
    why: 'Any answer can be had, whatever the body holds.',
  },
  {
    id: 188,
    name: 'a forced answer to a body of another type and too large',
    send: post('x'.repeat(2_000_000), { Prefer: 'code=404', 'Content-Type': 'text/plain' }),
    ...asked,
  },
  {
    id: 189,
    name: 'a forced answer without content to a body',
    send: post(animal, { Prefer: 'code=204' }),
    status: 204,
    check: ({ answers }) => expect(answers[0]?.headers).not.toHaveProperty('content-length'),
  },
  {
    id: 190,
    name: 'a preference with a wrong key',
    send: get('/v1/pets', { Prefer: 'code=4x4', Authorization: 'Bearer no' }),
    status: 401,
    code: 'invalid_api_key',
    why: 'A caller without a key learns nothing else.',
  },
  {
    id: 191,
    name: 'a preference at an unknown path',
    send: get('/v1/nowhere', { Prefer: 'code=500' }),
    status: 404,
    code: 'unknown_path',
  },
  {
    id: 192,
    name: 'a magic id with a zero before it',
    send: get('/v1/pets/09000000000000000500'),
    ...asked,
  },
  { id: 192, name: 'a magic id with a sign', send: get('/v1/pets/+9000000000000000500'), ...asked },
  {
    id: 192,
    name: 'a magic id with a fraction',
    send: get('/v1/pets/9000000000000000500.0'),
    ...asked,
  },
  {
    id: 193,
    name: 'a magic name in a body that is not valid',
    send: post('{"name":"magic:500"}'),
    status: 400,
    code: 'invalid_body',
  },
  {
    id: 193,
    name: 'a magic name with a space',
    send: post('{"name":"magic:500 ","categoryId":1}'),
    status: 201,
    creates: 1,
  },
];
