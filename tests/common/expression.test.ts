import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  absent,
  evaluateAll,
  Moment,
  parseExpression,
  type Scope,
} from '../../common/expression.ts';

const scope: Scope = {
  now: 1_700_000_000_000,
  serial: 7,
  random: () => 0.5,
  item: { name: 'Big Co', lines: [{ amount: 2 }, { amount: 3 }], owner: { login: 'ada' }, size: 4 },
  path: { org: 'acme' },
  body: { Email: 'A@b.co' },
  parent: { name: 'Top', count: 1 },
};

it.each([
  ['plain', 'plain'],
  [12, 12],
  [null, null],
  [{ a: ['{name}', 1] }, { a: ['Big Co', 1] }],
  ['{name}', 'Big Co'],
  ['{name ? named : 1}', 'named'],
  ['{other ? named : 1}', 1],
  ['{owner.login}/{name}', 'ada/Big Co'],
  ['{path.org}', 'acme'],
  ['{size}', 4],
  ['no. {size}', 'no. 4'],
  ['{size + 1}', 5],
  ['{parent.count - 1}', 0],
  ['{lower(body.Email)}', 'a@b.co'],
  ['{upper(name)}', 'BIG CO'],
  ['{slug(name)}', 'big-co'],
  ['{text(size)}', '4'],
  ['{number(size)}', 4],
  ['{count(lines)}', 2],
  ['{sum(lines.amount)}', 5],
  ['{serial}', 7],
  ['x-{random 4}', 'x-8888'],
  ['{{literal}}', '{literal}'],
  ['{absent}', absent],
  ['{gone}', undefined],
  ['{name} and {gone}', undefined],
  ['{lower(size)}', undefined],
  ['{sum(owner.login)}', undefined],
  ['{name + 1}', undefined],
])('evaluates %j to %j', (text, value) => {
  expect(parseExpression(text).evaluate(scope)).toEqual(value);
});

it('gives the time of a call, as a text within other texts', () => {
  expect(parseExpression('{now}').evaluate(scope)).toEqual(new Moment(scope.now));
  expect(parseExpression('at {now}').evaluate(scope)).toBe('at 2023-11-14T22:13:20.000Z');
});

it('evaluates every text of a value, and leaves out members without one', () => {
  const template = { error: { message: 'No {path.org}', at: '{gone}', list: ['{size}'] } };
  expect(evaluateAll(template, scope)).toEqual({ error: { message: 'No acme', list: [4] } });
});

it.each([
  ['{', 'has a brace without its other one'],
  ['a } b', 'has a brace without its other one'],
  ['{a b}', 'has {a b}, which is no name such as {path.owner} or {name}'],
  [
    '{title(name)}',
    'calls title(), but may call sum, lower, upper, plain, slug, count, text, number',
  ],
])('refuses %j', (text, problem) => {
  expect(() => parseExpression(text)).toThrow(problem);
});

it('gives back any text whose braces are doubled', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const doubled = text.replaceAll(/[{}]/g, '$&$&');
      expect(parseExpression(doubled).evaluate(scope) ?? '').toBe(text);
    }),
  );
});
