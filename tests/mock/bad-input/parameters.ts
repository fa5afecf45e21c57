import { expect } from 'vitest';
import { type BadInput, get } from '../../support/bad-input.ts';

const notFound = {
  status: 404,
  code: 'not_found',
  why: 'No animal has this id; 404 is the only error stated for one (§4.3).',
} as const;
const invalid = { status: 400, code: 'invalid_parameter' } as const;
const malformed = { status: 400, code: 'malformed_request' } as const;
const length = (expected: number) => (exchange: { answers: readonly { text: string }[] }) =>
  expect(JSON.parse(exchange.answers[0]?.text ?? '')).toHaveLength(expected);

/** Numbers that are no id and no page size, as they are written in a URL. */
const numbers: [id: number, name: string, text: string][] = [
  [73, '0', '0'],
  [74, '-1', '-1'],
  [75, '-0', '-0'],
  [76, '01', '01'],
  [77, '+5', '+5'],
  [77, '+5 escaped', '%2B5'],
  [78, '1.0', '1.0'],
  [79, '1e2', '1e2'],
  [80, '0x10', '0x10'],
  [81, 'NaN', 'NaN'],
  [82, 'Infinity', 'Infinity'],
  [83, '2^31', '2147483648'],
  [84, '2^53-1', '9007199254740991'],
  [85, '2^53+1', '9007199254740993'],
  [86, '2^63-1', '9223372036854775807'],
  [87, '2^63', '9223372036854775808'],
  [88, '-2^63-1', '-9223372036854775809'],
  [89, 'of 30 digits', '9'.repeat(30)],
  [90, 'in Arabic-Indic digits', encodeURIComponent('٥')],
  [91, 'in full-width digits', encodeURIComponent('５')],
  [93, 'of spaces', '%20%20'],
  [93, 'after a space', '%201'],
];

/** petId, limit and status. */
export const parameters: BadInput[] = [
  ...numbers.map(([id, name, text]) => ({
    id,
    name: `a petId ${name}`,
    send: get(`/v1/pets/${text}`),
    ...notFound,
  })),
  ...numbers.map(([id, name, text]) => ({
    id,
    name: `a limit ${name}`,
    send: get(`/v1/pets?limit=${text}`),
    ...invalid,
  })),
  { id: 92, name: 'an empty petId', send: get('/v1/pets/'), status: 404, code: 'unknown_path' },
  { id: 92, name: 'an empty limit', send: get('/v1/pets?limit='), ...invalid },
  { id: 92, name: 'a limit without a value', send: get('/v1/pets?limit'), ...invalid },
  { id: 94, name: 'limit twice, different', send: get('/v1/pets?limit=1&limit=2'), ...invalid },
  { id: 94, name: 'limit twice, equal', send: get('/v1/pets?limit=1&limit=1'), ...invalid },
  {
    id: 95,
    name: 'limit[]',
    send: get('/v1/pets?limit[]=1'),
    status: 200,
    why: 'It is another name than limit, and unknown parameters are ignored.',
    check: length(20),
  },
  {
    id: 96,
    name: 'limit[a]',
    send: get('/v1/pets?limit[a]=1&limit[__proto__]=1&__proto__[limit]=1'),
    status: 200,
    why: 'These are other names than limit, and unknown parameters are ignored.',
    check: length(20),
  },
  { id: 97, name: 'a limit %zz', send: get('/v1/pets?limit=%zz'), ...malformed },
  {
    id: 97,
    name: '%zz in a parameter that is not described',
    send: get('/v1/pets?note=%zz'),
    ...malformed,
  },
  { id: 98, name: 'an unknown status', send: get('/v1/pets?status=lost'), ...invalid },
  { id: 98, name: 'a status in capitals', send: get('/v1/pets?status=Available'), ...invalid },
  { id: 98, name: 'a list of status', send: get('/v1/pets?status=available,sold'), ...invalid },
  { id: 98, name: 'an empty status', send: get('/v1/pets?status='), ...invalid },
  { id: 98, name: 'status twice', send: get('/v1/pets?status=available&status=sold'), ...invalid },
  { id: 98, name: 'the status __proto__', send: get('/v1/pets?status=__proto__'), ...invalid },
];
