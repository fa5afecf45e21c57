import { expect, it } from 'vitest';
import { quote } from '../../../mock/json/quote.ts';

it.each([
  ['', '""'],
  ['demo-free', '"demo-free"'],
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['\u202etxt.exe', '"\\u202etxt.exe"'],
  ['a'.repeat(60), `"${'a'.repeat(60)}"`],
  ['a'.repeat(61), `"${'a'.repeat(57)}..."`],
  ['\u{1f436}'.repeat(60), `"${'\u{1f436}'.repeat(60)}"`],
  [`a${'\u{1f436}'.repeat(1000)}`, `"a${'\u{1f436}'.repeat(56)}..."`],
])('quotes %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
