import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/secrets/texts.ts';
import { secretsOf } from '../../../contracts/verify/options.ts';

const long = createRedactor(['hunterpassword']);
const short = createRedactor(['abc12', '12345']);

test.each([
  [`invalid key 'hunterpassword': not known`, `invalid key '$KEY': not known`],
  [`{"error":"Key \\"hunterpassword\\": bad"}`, `{"error":"Key \\"$KEY\\": bad"}`],
  [`key "hunterpassword" : bad`, `key "$KEY" : bad`],
  [`got: 'x', 'hunterpassword': bad`, `got: 'x', '$KEY': bad`],
])('hides a secret before a colon: %s', (text, hidden) => {
  expect(long(text)).toBe(hidden);
});

test.each([
  `{"hunterpassword":1}`,
  `{"a":1, "hunterpassword" : 2}`,
  `{\n  "hunterpassword": 1}`,
  `{"text":"{\\"hunterpassword\\":1}"}`,
  `{"text":"{\\n  \\"a\\":1,\\n  \\"hunterpassword\\":1}"}`,
])('keeps the name of a member: %s', (text) => {
  expect(long(text)).toBe(text);
});

test.each([
  ['{"k":12345}', '{"k":$KEY}'],
  ['{"k":[1, 12345]}', '{"k":[1, $KEY]}'],
  ['Authorization: Bearer abc12', 'Authorization: Bearer $KEY'],
  [`curl -H 'X-Api-Key: abc12' /pets`, `curl -H 'X-Api-Key: $KEY' /pets`],
  ['X-Api-Key: abc12\r\nAccept: */*', 'X-Api-Key: $KEY\r\nAccept: */*'],
])('hides a short secret that is a whole value: %s', (text, hidden) => {
  expect(short(text)).toBe(hidden);
});

test.each([
  '{"k":123456}',
  '{"k":12345.6}',
  '{"k":"x12345"}',
  'Your code abc12 is bad',
  'User: abc12',
  '{"user":12345}',
  'Error: abc12 is bad',
])('keeps what a short secret is a part of, and names of users: %s', (text) => {
  expect(short(text)).toBe(text);
});

test('a short header is a secret where its name says so', () => {
  const headers = { 'X-Api-Key': 'abc12', Authorization: 'Token x1', 'X-Tenant': '7' };
  expect(secretsOf({ keys: [], headers })).toEqual(['abc12', 'Token x1', 'x1']);
});
