import { expect, it } from 'vitest';
import { Correspondence } from '../../../contracts/fidelity/correspondence.ts';
import { formOf, nounOf } from '../../../contracts/fidelity/value-form.ts';

const open = (names: readonly string[] = []) =>
  new Correspondence({
    bases: { recorded: 'https://api.example.com/v1', twin: 'http://127.0.0.1:4010/v1' },
    nouns: new Map([['owner', 'user']]),
    names: new Set(names),
  });

const at = (name: string, owner = '') => ({ name, owner });

it.each([
  ['9f0f8a7e-6a0c-4a86-9a8e-0d8c53a1d1f2', 'id', 'a UUID'],
  ['2026-11-29T23:41:56Z', 'created', 'a time like 0000-00-00T00:00:00Z'],
  ['2026-11-29T23:41:56.04081512Z', 'created', 'a time like 0000-00-00T00:00:00.0Z'],
  ['AlcAUbPPqCE-_kV', 'token', '****************'],
  ['price_P_d7Ox4ysWHW0hLz', 'id', 'price_****************'],
  ['ORD-0042ab', 'id', 'ORD-********'],
  ['2026-11-29', 'day', 'a time like 0000-00-00'],
  ['Sun, 29 Nov 2026 05:14:48 +0000', 'date', 'a time like Aaa, 00 Aaa 0000 00:00:00 +0000'],
  ['cus_9s6XKzkNRiz8i3', 'id', 'cus_****************'],
  ['9s6XKzkNRiz8i3', 'token', '****************'],
  ['17', 'id', 'a number as text'],
  ['a@b.co', 'mail', 'an e-mail address'],
  [17, 'id', 'a number'],
  [17, 'pet_id', 'a number'],
  [1_793_523_608, 'created', 'a time in seconds'],
  [1_793_523_608_123, 'created', 'a time in milliseconds'],
  [17, 'amount', undefined],
  ['draft', 'status', undefined],
  ['v1.2.3', 'version', undefined],
  [true, 'id', undefined],
])('reads the form of %j in %s', (value, name, form) => {
  expect(formOf(value, at(name))).toBe(form);
});

it.each([
  ['id', 'pets', 'pet'],
  ['petId', 'orders', 'pet'],
  ['tag_ids', '', 'tag'],
  ['customer', '', 'customer'],
])('names what %s of %s names', (name, owner, noun) => {
  expect(nounOf({ name, owner })).toBe(noun);
});

it('lets any text stand for a secret that was hidden, the same each time', () => {
  const ids = open();
  expect(ids.pair('redacted-1', 'AWH0wZ5r0Mbac.r', at('token'))).toBe(true);
  expect(ids.pair('redacted-1', 'AnOther0Mbac.r', at('token'))).toBe(false);
  expect(ids.pair('redacted-2', 5, at('token'))).toBe(false);
});

it('lets the same UUID stand for things of two kinds', () => {
  const ids = open();
  const uuid = (first: number) => `${first}f0f8a7e-6a0c-4a86-9a8e-0d8c53a1d1f2`;
  const twin = '00000000-0000-4000-8000-000000000001';
  expect(ids.pair(uuid(1), twin, at('id', 'pets'))).toBe(true);
  expect(ids.pair(uuid(2), twin, at('id', 'tags'))).toBe(true);
  expect(ids.pair(uuid(3), twin, at('id', 'tags'))).toBe(false);
});

it('lets made up values stand for each other, one for one', () => {
  const ids = open();
  expect(ids.pair(17, 1, at('id', 'pets'))).toBe(true);
  expect(ids.pair(17, 1, at('petId'))).toBe(true);
  expect(ids.pair(17, 2, at('id', 'pets'))).toBe(false);
  expect(ids.pair(18, 1, at('id', 'pets'))).toBe(false);
  expect(ids.pair(17, 9, at('id', 'tags'))).toBe(true);
  expect(ids.toTwin(17, at('pet_id'))).toBe(1);
  expect(ids.toTwin(18, at('pet_id'))).toBe(18);
});

it('takes no words, and no other forms, for made up', () => {
  const ids = open();
  expect(ids.pair('draft', 'open', at('status'))).toBe(false);
  expect(ids.pair('cus_9s6XKzkNRiz8i3', '1', at('id'))).toBe(false);
});

it('knows names that clients took from answers, and what the document refers to', () => {
  const ids = open(['ada']);
  expect(ids.pair('ada', 'taro', at('login'))).toBe(true);
  expect(ids.toTwin('ada', at('owner'))).toBe('taro');
  expect(ids.pair(5, 1, at('id', 'users'))).toBe(true);
  expect(ids.toTwin(5, at('owner'))).toBe(1);
});

it('finds them within addresses and other texts', () => {
  const ids = open(['ada']);
  ids.pair('ada', 'taro', at('login'));
  ids.pair(17, 1, at('id', 'pets'));
  ids.pair('cus_9s6XKzkNRiz8i3', 'cus_00000000000001', at('id', 'customers'));
  expect(ids.inText('https://api.example.com/v1/ada/pets/17/toys')).toBe(
    'http://127.0.0.1:4010/v1/taro/pets/1/toys',
  );
  expect(ids.inText("No such customer: 'cus_9s6XKzkNRiz8i3'")).toBe(
    "No such customer: 'cus_00000000000001'",
  );
  expect(ids.isSameText('/a#pet-17', '/a#pet-1')).toBe(true);
  expect(ids.isSameText('/a#pet-17', '/a#pet-2')).toBe(false);
});

it('reads the form of a long text in no time', () => {
  const start = performance.now();
  formOf(`a@${'.'.repeat(50_000)} `, { name: 'x', owner: '' });
  expect(performance.now() - start).toBeLessThan(1000);
});
