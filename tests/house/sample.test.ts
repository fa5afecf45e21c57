import { expect, it } from 'vitest';
import { everyNth, isWhole } from '../support/sample.ts';

it('takes every n-th row of many, and all of them where all tests run', () => {
  expect(everyNth(3, [1, 2, 3, 4, 5])).toEqual(isWhole ? [1, 2, 3, 4, 5] : [1, 4]);
});
