import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { widthOf } from '../../../contracts/look/text-width.ts';

/** Blocks of many characters of one width, of which a few are enough. */
const even = /[\p{Unified_Ideograph}\p{Script=Tangut}\uac00-\ud7a3]/u;

it('gives every character the width that string-width gives it', () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
    .filter((char) => !/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u.test(char))
    .filter((char, index) => index % 64 === 0 || !even.test(char));
  expect(characters.length).toBeGreaterThan(40_000);
  expect(characters.filter((char) => widthOf(char) !== stringWidth(char))).toEqual([]);
}, 30_000);

it.each([
  ['🇩🇪', 2],
  ['👍🏽', 2],
  ['👨\u200d👩\u200d👧', 2],
  ['1️⃣', 2],
  ['❤️', 2],
  ['e\u0301', 1],
  ['\u1112\u1161\u11ab', 2],
  ['ｶ\uff9e', 2],
  ['क्षि', 2],
  ['犬 Rex', 6],
  ['', 0],
])('gives %s %i columns', (text, columns) => {
  expect([widthOf(text), stringWidth(text)]).toEqual([columns, columns]);
});
