import { expect, it } from 'vitest';
import { explainValue, type Sample } from '../../../contracts/learn/explain-value.ts';

const sample = (value: unknown, item: object, more: object = {}, now = 0): Sample => ({
  value,
  scope: { now, item, ...more },
});

const explain = (samples: readonly Sample[], keeps = true, name = 'x') =>
  explainValue(samples, { name, mayKeep: () => keeps })?.expression;

it.each([
  ['nothing', [sample(undefined, {}), sample(undefined, { a: 1 })], '{absent}'],
  ['a constant', [sample('open', { a: 'b' }), sample('open', { a: 'c' })], 'open'],
  [
    'a constant with its members in any order',
    [sample({ a: 1, b: { c: 2, d: 3 } }, {}), sample({ b: { d: 3, c: 2 }, a: 1 }, {})],
    { a: 1, b: { c: 2, d: 3 } },
  ],
  ['a constant with braces', [sample('{a}', {}), sample('{a}', {})], '{{a}}'],
  ['a copy', [sample('bolt', { a: 'bolt' }), sample('nut', { a: 'nut' })], '{a}'],
  [
    'a copy of what was sent, before one of the item',
    [sample('bolt', {}, { body: { a: 'bolt' } }), sample('nut', {}, { body: { a: 'nut' } })],
    '{body.a}',
  ],
  [
    'a text in lower case',
    [sample('bolt', { a: 'Bolt' }), sample('nut', { a: 'NUT' })],
    '{lower(a)}',
  ],
  ['a slug', [sample('big-co', { a: 'Big Co' }), sample('a-b-c', { a: 'A b C' })], '{slug(a)}'],
  ['a count', [sample(2, { a: ['x', 'y'] }), sample(0, { a: [] })], '{count(a)}'],
  [
    'a sum',
    [sample(30, { a: [{ b: 10 }, { b: 20 }] }), sample(7, { a: [{ b: 7 }] })],
    '{sum(a.b)}',
  ],
  [
    'one more than before',
    [sample(2, {}, { before: { n: 1 } }), sample(9, {}, { before: { n: 8 } })],
    '{before.n + 1}',
  ],
  [
    'a text of several',
    [
      sample('ada/bolt', { o: { l: 'ada' }, n: 'bolt' }),
      sample('ben/nut', { o: { l: 'ben' }, n: 'nut' }),
    ],
    '{o.l}/{n}',
  ],
  [
    'a text of several, where another value is in it by chance',
    [
      sample('http://host1/pets/1', { id: 1 }, { serial: 1, parent: { url: 'http://host1/pets' } }),
      sample('http://host1/pets/2', { id: 2 }, { serial: 1, parent: { url: 'http://host1/pets' } }),
    ],
    '{parent.url}/{id}',
  ],
  ['a number in a text', [sample('/a/7', { n: 7 }), sample('/a/12', { n: 12 })], '/a/{n}'],
  [
    'the time',
    [
      sample('2026-11-30T00:00:10Z', {}, {}, Date.UTC(2026, 10, 30)),
      sample('2026-11-30T01:00:00Z', {}, {}, Date.UTC(2026, 10, 30, 1)),
    ],
    '{now}',
  ],
  [
    'one of two values by what was sent',
    ['a', 'b', undefined, undefined].map((at) =>
      sample(at ? 'is set' : 'free', {}, { body: { on: at, set_at: at } }),
    ),
    '{body.set_at ? is set : free}',
  ],
  [
    'nothing that all samples share',
    [sample('x1y', { a: 'b' }), sample('z2w', { a: 'c' })],
    undefined,
  ],
  ['nothing for what is only there at times', [sample('x', {}), sample(undefined, {})], undefined],
])('explains %s', (_, samples, expression) => {
  expect(explain(samples)).toEqual(expression);
});

it('names no other value for a constant that two places may have by chance', () => {
  const samples = [sample(1, { n: 1 }), sample(1, { n: 1 })];
  expect(explain(samples, false)).toBeUndefined();
  expect(explain([sample('bolt', { n: 'bolt' })], false)).toBe('{n}');
});

it('names a value of the same name, however short', () => {
  const deep = { singles: { users: { me: { data: { id: 1234 } } } } };
  expect(explain([sample(1234, {}, deep)], false, 'id')).toBe('{singles.users.me.data.id}');
  expect(explain([sample(1, {}, { singles: { user: { id: 1 } } })], false, 'id')).toBe(
    '{singles.user.id}',
  );
});

it.each([
  [1, 'low'],
  [2, 'medium'],
  [3, 'high'],
])('is after %i observations of %s confidence', (times, confidence) => {
  const samples = Array.from({ length: times }, () => sample('open', {}));
  expect(explainValue(samples, { mayKeep: () => true })?.confidence).toBe(confidence);
});
