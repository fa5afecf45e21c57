import { expect, it } from 'vitest';
import { isOfService, mayKeep } from '../../../contracts/learn/may-keep.ts';

const keeps = (
  value: unknown,
  name: string,
  { samples = 3, schema = {}, keepValues = false } = {},
) => mayKeep(value, samples, { name, schema, keepValues, names: new Set(['ada']) });

it.each([
  ['open', 'status'],
  [25, 'size'],
  [null, 'email'],
  [[], 'tags'],
  ['', 'phone'],
  [{ admin: true }, 'permissions'],
  ['1970-01-01T00:00:00Z', 'last_seen'],
])('keeps %j as %s', (value, name) => {
  expect(keeps(value, name)).toBe(true);
});

it.each([
  ['ada@example.com', 'contact'],
  ['Ada', 'first_name_login'],
  ['Eve', 'first_name'],
  ['lovelace', 'familyName'],
  ['+43 1 234 567 89', 'line'],
  ['10.1.2.3', 'host'],
  ['https://ada.example.com/x', 'homepage'],
  ['ada/bolts', 'full_name'],
  ['a text that is as long as only people write them, and no service does', 'note'],
  [{ owner: { email: 'a@b.co' } }, 'settings'],
  ['8f2a6c', 'api_key'],
  ['hunter22', 'password'],
  [{ api_token: 'hunter' }, 'settings'],
  [[{ label: 'ada' }], 'labels'],
  [9007199254740993n, 'big'],
])('does not keep %s as %s', (value, name) => {
  expect(keeps(value, name)).toBe(false);
});

it('keeps nothing of one observation but what the document states', () => {
  expect(keeps('open', 'status', { samples: 1 })).toBe(false);
  expect(keeps('open', 'status', { samples: 1, schema: { enum: ['open', 'paid'] } })).toBe(true);
});

it('keeps what it is told to, but no secret', () => {
  expect(keeps('ada@example.com', 'email', { keepValues: true })).toBe(true);
  expect(keeps('hunter22', 'password', { keepValues: true })).toBe(false);
});

it.each([
  ['Not found', true],
  ["You don't have permission.", true],
  ['order_not_draft', true],
  ["No such customer: 'x'", false],
  ['Try again in 7 seconds', false],
  ['ada@example.com is taken', false],
  ['No access for Ada Lovelace', false],
  [404, true],
  [4711, false],
])('takes %j for words of a service: %s', (value, are) => {
  expect(isOfService(value, 'message', 1)).toBe(are);
});

it.each([
  ['eve', 'owner', false],
  ['eve', 'assigned_by', false],
  ['Eve', 'lastName', false],
  [null, 'user', true],
  ['validation_error', 'name', true],
  ['card_declined', 'code', true],
])('takes %j as %s of an error for a word of a service: %s', (value, name, is) => {
  expect(isOfService(value, name, 3)).toBe(is);
});
