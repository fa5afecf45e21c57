import { expect, it } from 'vitest';
import { toCountdown, toIsoText, toSpan, toUtcText } from '../../../common/look/amounts.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

it.each([
  [0, '0 s'],
  [59.9 * second, '59 s'],
  [4 * minute + 10 * second, '4 min 10 s'],
  [2 * minute, '2 min'],
  [day - 1, '23 h 59 min'],
  [day, '1 day'],
  [729 * day, '729 days'],
  [5 * 365.25 * day, '5 years'],
])('says how long %d ms are: %s', (milliseconds, text) => {
  expect(toSpan(milliseconds)).toBe(text);
});

it.each([
  [1, 'in 1 s'],
  [34 * second - 1, 'in 34 s'],
  [hour, 'in 1 h'],
  [0, 'now'],
  [-999, 'now'],
  [-2 * day, '2 days ago'],
])('counts down from %d ms to come: %s', (left, text) => {
  const now = Date.UTC(2026, 0, 15);
  expect(toCountdown(now + left, now)).toBe(text);
});

it('writes instants in UTC', () => {
  const instant = Date.UTC(2030, 11, 5);
  expect(toIsoText(instant)).toBe('2030-12-05T00:00:00Z');
  expect(toIsoText(instant + 1)).toBe('2030-12-05T00:00:00.001Z');
  expect(toUtcText(instant + 999)).toBe('2030-12-05 00:00:00 UTC');
  expect(toUtcText('2030-12-05T00:00:00.999Z')).toBe('2030-12-05 00:00:00 UTC');
});
