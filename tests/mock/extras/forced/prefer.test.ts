import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePrefer, toPreference } from '../../../../mock/extras/forced/preferences.ts';

it.each<[header: string, preferences: Record<string, string>]>([
  ['code=404', { code: '404' }],
  ['code=404, example=missing', { code: '404', example: 'missing' }],
  ['code=404,example=missing,delay=5', { code: '404', example: 'missing', delay: '5' }],
  [' code = 404 ,\texample\t=\tx ', { code: '404', example: 'x' }],
  ['CODE=404, Dynamic=true', { code: '404', dynamic: 'true' }],
  ['code="404"', { code: '404' }],
  ['example="two animals, please"', { example: 'two animals, please' }],
  ['example="a\\"b\\\\c", code=404', { example: 'a"b\\c', code: '404' }],
  ['code=404; strict; note="a, b; c", delay=5', { code: '404', delay: '5' }],
  ['code=404, code=500', { code: '404' }],
  ['code', { code: '' }],
  ['code=""', { code: '' }],
  [
    'respond-async, return=minimal, wait=10',
    { 'respond-async': '', return: 'minimal', wait: '10' },
  ],
  ['', {}],
  [',, ,;=, =404, "code=404"', {}],
  ['code=4 04', { code: '4 04' }],
  ['code="404', { code: '"404' }],
  ['code="404, delay=5', { code: '"404, delay=5' }],
  ['code=a=b', { code: 'a=b' }],
  ['__proto__=1', { ['__proto__']: '1' }],
])('reads %j', (header, preferences) => {
  expect(Object.fromEntries(parsePrefer(header))).toEqual(preferences);
});

const token = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,20}$/);

it('reads back what it writes, and no header keeps it busy', () => {
  fc.assert(
    fc.property(token, fc.stringMatching(/^[\x20-\x7e]{1,40}$/), (name, value) => {
      expect([...parsePrefer(`other=1, ${toPreference(name, value)}; note="x"`)].slice(1)).toEqual([
        [name.toLowerCase(), value],
      ]);
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      (header) => parsePrefer(header) instanceof Map,
    ),
  );
  expect(parsePrefer(`code=${'"\\'.repeat(8000)}`).size).toBe(1);
  expect(parsePrefer(','.repeat(16_000)).size).toBe(0);
});

it('writes what a header can hold, whatever an example is called', () => {
  expect(toPreference('example', 'two "animals" \\')).toBe('example="two \\"animals\\" \\\\"');
  expect(toPreference('example', 'größe\n\ud800')).toBe('example="gr%C3%B6%C3%9Fe%0A%EF%BF%BD"');
});
