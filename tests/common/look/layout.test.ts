import { expect, it } from 'vitest';
import { padTo, wrap } from '../../../common/look/layout.ts';

it('goes by the columns that a text takes', () => {
  expect(padTo('犬', 4)).toBe('犬  ');
  expect(padTo('👨\u200d👩\u200d👧', 4)).toBe('👨\u200d👩\u200d👧  ');
  expect(wrap('犬犬犬 Rex', 4)).toEqual(['犬犬', '犬', 'Rex']);
});
