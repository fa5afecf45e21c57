import { expect } from 'vitest';
import { type BadInputs, forEach, get } from '../../support/bad-input.ts';

const length = (expected: number) => (exchange: { answers: readonly { text: string }[] }) =>
  expect(JSON.parse(exchange.answers[0]?.text ?? '')).toHaveLength(expected);

/** Numbers that are no id and no page size, as they are written in a URL. */
const numbers: [name: string, text: string][] = [
  ['0', '0'],
  ['-1', '-1'],
  ['-0', '-0'],
  ['01', '01'],
  ['+5', '+5'],
  ['+5 escaped', '%2B5'],
  ['1.0', '1.0'],
  ['1e2', '1e2'],
  ['0x10', '0x10'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['2^31', '2147483648'],
  ['2^53-1', '9007199254740991'],
  ['2^53+1', '9007199254740993'],
  ['2^63-1', '9223372036854775807'],
  ['2^63', '9223372036854775808'],
  ['-2^63-1', '-9223372036854775809'],
  ['of 30 digits', '9'.repeat(30)],
  ['in Arabic-Indic digits', encodeURIComponent('٥')],
  ['in full-width digits', encodeURIComponent('５')],
  ['of spaces', '%20%20'],
  ['after a space', '%201'],
];

/** petId, limit and status. */
export const parameters: BadInputs = {
  // No animal has such an id; 404 is the only error stated for one (§4.3).
  ...forEach(numbers, (text) => [get(`/v1/pets/${text}`), 'not_found'], 'a petId '),
  ...forEach(numbers, (text) => [get(`/v1/pets?limit=${text}`), 'invalid_parameter'], 'a limit '),
  'an empty petId': [get('/v1/pets/'), 'unknown_path'],
  'an empty limit': [get('/v1/pets?limit='), 'invalid_parameter'],
  'a limit without a value': [get('/v1/pets?limit'), 'invalid_parameter'],
  'limit twice, different': [get('/v1/pets?limit=1&limit=2'), 'invalid_parameter'],
  'limit twice, equal': [get('/v1/pets?limit=1&limit=1'), 'invalid_parameter'],
  // It is another name than limit, and unknown parameters are ignored.
  'limit[]': [get('/v1/pets?limit[]=1'), 200, { check: length(20) }],
  // These are other names than limit, and unknown parameters are ignored.
  'limit[a]': [
    get('/v1/pets?limit[a]=1&limit[__proto__]=1&__proto__[limit]=1'),
    200,
    { check: length(20) },
  ],
  'a limit %zz': [get('/v1/pets?limit=%zz'), 'malformed_request'],
  '%zz in a parameter that is not described': [get('/v1/pets?note=%zz'), 'malformed_request'],
  'an unknown status': [get('/v1/pets?status=lost'), 'invalid_parameter'],
  'a status in capitals': [get('/v1/pets?status=Available'), 'invalid_parameter'],
  'a list of status': [get('/v1/pets?status=available,sold'), 'invalid_parameter'],
  'an empty status': [get('/v1/pets?status='), 'invalid_parameter'],
  'status twice': [get('/v1/pets?status=available&status=sold'), 'invalid_parameter'],
  'the status __proto__': [get('/v1/pets?status=__proto__'), 'invalid_parameter'],
};
