import { expect, it } from 'vitest';
import { toTone } from '../../../../mock/extras/pages/browser/explain-reason.ts';

it.each([
  [200, 'is-kept'],
  [204, 'is-kept'],
  [304, 'is-difference'],
  [400, 'is-standard'],
  [429, 'is-standard'],
  [500, 'is-drift'],
  [null, 'is-drift'],
])('colours %s as %s', (status, tone) => {
  expect(toTone(status)).toBe(tone);
});
