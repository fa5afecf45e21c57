import { expect, it } from 'vitest';
import { endOfValue, readExact } from '../../common/json.ts';

it.each([
  ['9007199254740993', 9007199254740993n],
  ['[1, -9223372036854775808]', [1, -9223372036854775808n]],
  [
    '{"a":{"9007199254740993":"9007199254740993"}}',
    { a: { '9007199254740993': '9007199254740993' } },
  ],
  ['12345678901234567.0e2', 1234567890123456700n],
  ['0.12345678901234567890', 0.12345678901234568],
])('reads %s to the digit', (text, value) => {
  expect(readExact(text)).toEqual(value);
});

it('takes no text of the JSON for a large integer, and refuses what JSON.parse does', () => {
  expect(readExact('["0-0-0-0:1", 9007199254740993]')).toEqual(['0-0-0-0:1', 9007199254740993n]);
  expect(() => readExact('01234567890123456789')).toThrow(SyntaxError);
});

// A reviver would take several seconds.
it('reads many short numbers beside a large integer in time that grows with the text alone', () => {
  const text = `[${'1e0,'.repeat(1_000_000)}9007199254740993]`;
  expect((readExact(text) as unknown[]).at(-1)).toBe(9007199254740993n);
});

it.each([
  ['"a\\"b" , 1', '"a\\"b"'],
  ['{"a":"}"} , 1', '{"a":"}"}'],
  ['[[1],{}],2', '[[1],{}]'],
  ['-1.5e3,', '-1.5e3'],
  ['null}', 'null'],
  ['"cut', '"cut'],
  ['{"a":[1', '{"a":[1'],
])('finds where the first value of %s ends', (text, value) => {
  expect(text.slice(0, endOfValue(text, 0))).toBe(value);
});
