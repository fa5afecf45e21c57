import type { Span } from './spans.ts';

/** The maximum number of consecutive spans that are considered together. */
const maxInARow = 60;

/**
 * The maximum that a bucket with a limit per minute may gain within a time: 1.5 times its rate, and
 * 1 for a request in flight.
 */
export function maxRefill(limit: number, milliseconds: number): number {
  return (limit / 60_000) * milliseconds * 1.5 + 1;
}

/**
 * Whether a key's limit refills continuously, as a token bucket does, calls in flight included:
 * `yes` if Remaining rose by what a bucket may gain in the time, `no` if it rose by less or by
 * more, `unseen` if no span shows it.
 */
export type Refill = 'yes' | 'no' | 'unseen';

/** Whether a key's limit refills, judged by its spans. */
export function refillOf(spans: readonly Span[]): Refill {
  let hasGained = false;
  for (const [index, first] of spans.entries()) {
    let [sure, maybe] = [0, first.maybeBefore];
    let isExact = true;
    for (const last of rowFrom(spans, index)) {
      sure += last.sure;
      maybe += last.maybe;
      isExact &&= last.fall <= last.sure + last.maybe;
      const fall = first.before.quota.remaining - last.after.quota.remaining;
      const gain = sure - fall;
      const { limit, remaining } = first.before.quota;
      const [shortest, longest] = [
        last.after.sentAt - first.before.endedAt,
        last.after.endedAt - first.before.sentAt,
      ];
      if (last.after.quota.remaining === 0) continue;
      // Half of what a bucket gains in the time, and no more than it has room for.
      const expected = Math.min(limit - remaining, Math.floor((limit / 120_000) * shortest));
      if (expected >= 1 && isExact && gain + maybe <= 0) return 'no';
      if (gain - maybe > maxRefill(limit, longest)) return 'no';
      hasGained ||= gain >= 1 && maybe === 0;
    }
  }
  return hasGained ? 'yes' : 'unseen';
}

/** Consecutive spans without a gap, starting at an index. */
function* rowFrom(spans: readonly Span[], index: number): Generator<Span> {
  for (let at = index; at < Math.min(spans.length, index + maxInARow); at++) {
    if (at > index && spans[at]?.before !== spans[at - 1]?.after) return;
    yield spans[at] as Span;
  }
}
