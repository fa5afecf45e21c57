import type { Span } from './spans.ts';

/** How many spans in a row are looked at together. */
const maxInARow = 60;

/**
 * The most that a bucket of a limit a minute takes in within a time: half as much again, and one
 * that was under way.
 */
export function maxRefill(limit: number, milliseconds: number): number {
  return (limit / 60_000) * milliseconds * 1.5 + 1;
}

/**
 * Whether a key's limit refills all the time, calls under way included: `yes` where Remaining
 * gained what a bucket may gain in the time, `no` where a bucket would have gained and it did not,
 * or it gained more, and `unseen` where nothing tells.
 */
export type Refill = 'yes' | 'no' | 'unseen';

/** What the spans of one key tell of its refilling. */
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

/** The spans that follow one another without a gap, from an index on. */
function* rowFrom(spans: readonly Span[], index: number): Generator<Span> {
  for (let at = index; at < Math.min(spans.length, index + maxInARow); at++) {
    if (at > index && spans[at]?.before !== spans[at - 1]?.after) return;
    yield spans[at] as Span;
  }
}
