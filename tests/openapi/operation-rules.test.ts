import { expect, it } from 'vitest';
import { parseRules } from '../../openapi/rules.ts';

it('reads no rules where there are none', () => {
  expect(parseRules({ kind: 'list' })).toBeUndefined();
});

it.each([
  ['oldest-first', { isDescending: false }],
  ['newest-first', { isDescending: true }],
  ['name', { property: 'name', isDescending: false }],
  ['-name', { property: 'name', isDescending: true }],
])('reads the order %s', (order, read) => {
  expect(parseRules({ order })).toEqual({ order: read });
});

it('reads a refusal with the values that it is for, one or several', () => {
  const { refuses } = parseRules({
    refuses: [{ when: { 'item.status': 'paid' }, unless: { 'body.force': [true] }, status: 409 }],
  }) as { refuses: unknown };
  expect(refuses).toEqual([
    {
      status: 409,
      when: new Map([['item.status', ['paid']]]),
      unless: new Map([['body.force', [true]]]),
    },
  ]);
});

it.each([
  [{ values: [] }, 'has values that must be an object'],
  [{ values: 'x' }, 'has values that must be an object'],
  [{ sets: { name: '{' } }, 'has sets that has a brace without its other one'],
  [{ refuses: {} }, 'has refuses that must be a list'],
  [{ refuses: [{ when: {} }] }, 'has refuses that must have a status from 200 to 599'],
  [{ refuses: [{ when: [], status: 409 }] }, 'has refuses that must have when and unless'],
  [
    { refuses: [{ status: 409, code: 'x' }] },
    'has "code", but answers have status, body and headers',
  ],
  [{ errors: [] }, 'has errors that must be an object'],
  [{ errors: { not_found: { body: { a: ['{'] } } } }, 'has a brace without its other one'],
  [{ errors: { not_found: { headers: 1 } } }, 'must have headers as an object'],
  [{ order: 1 }, 'has order that must be a text'],
  [{ newId: '' }, 'has newId that must be a text'],
  [{ status: 99 }, 'has status that must have a status from 200 to 599'],
  [{ unique: 'name' }, 'has unique that must be a list of texts'],
])('refuses %j', (hint, problem) => {
  expect(() => parseRules(hint)).toThrow(problem);
});
