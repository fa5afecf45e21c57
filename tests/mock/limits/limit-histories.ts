import fc from 'fast-check';
import { day, minute } from './limiter-conformance.ts';

/** Moves of a clock: onward, back, and to the edges of windows. */
export const moves = fc.oneof(
  { weight: 6, arbitrary: fc.constant((at: number) => at) },
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => at + by),
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => Math.max(0, at - by)),
  fc.integer({ min: -3, max: 3 }).map((days) => (at: number) => Math.max(0, at + days * day)),
  fc.constantFrom(
    (at: number) => Math.floor(at / minute) * minute,
    (at: number) => Math.ceil(at / minute) * minute - 1,
    (at: number) => Math.ceil(at / day) * day - 1,
    (at: number) => Math.ceil((at + 1) / day) * day,
    // A ban of half a second ends between two milliseconds once it is doubled and cut.
    (at: number) => at + 0.5,
  ),
);

/** Plans whose windows are soon used up. */
export const plans = fc.record({
  perMinute: fc.integer({ min: 1, max: 4 }),
  perDay: fc.integer({ min: 1, max: 12 }),
});
