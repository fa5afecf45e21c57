import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { chargedCalls, chargeOf, isSameWindow, type WithQuota, withQuota } from './quota.ts';

/**
 * The calls of a key from one reading of its counter to the next. A reading is a successful call
 * with no other call in flight, so each call in between was charged in this span, in whatever order
 * they were answered.
 */
export type Span = {
  before: WithQuota;
  after: WithQuota;
  /** By how much Remaining fell. */
  fall: number;
  /** Calls that were certainly charged, by their operation; `after` is one of them. */
  calls: ReadonlyMap<string, number>;
  /** How many these are. */
  sure: number;
  /** Calls that may have been charged. */
  maybe: number;
  /** Calls of the previous span whose charge may have been given back late. */
  maybeBefore: number;
  /** Whether both readings are of one window. */
  isOneWindow: boolean;
};

/** A bucket's Reset is when it will be full, so it moves with each call, in seconds. */
const resetShift = 2;

/** The spans of each key, in order; none where a window ended between two readings. */
export function spansByKey(transcript: Pick<Transcript, 'exchanges'>): Map<string, Span[]> {
  return new Map([...chargedCalls(transcript)].map(([key, calls]) => [key, toSpans(calls)]));
}

/** The operation of a span in which nothing else was called. */
export function onlyOperation({ calls, maybe, maybeBefore }: Span): string | undefined {
  return calls.size === 1 && maybe === 0 && maybeBefore === 0 ? [...calls.keys()][0] : undefined;
}

function toSpans(calls: readonly Exchange[]): Span[] {
  const quotas = new Map(withQuota(calls.filter(isAnswered)).map((one) => [one.number, one]));
  const spans: Span[] = [];
  let before: WithQuota | undefined;
  let between: Exchange[] = [];
  let maybeBefore = 0;
  // The charge of a call that was given up may come at any time.
  let givenUp = 0;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [index, call] of calls.entries()) {
    const isAlone =
      busyUntil <= call.sentAt &&
      (calls[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY) >= call.endedAt;
    busyUntil = Math.max(busyUntil, call.endedAt);
    between.push(call);
    if (call.failure?.kind === 'timeout') givenUp += 1;
    const after = isAlone && chargeOf(call) === 'sure' ? quotas.get(call.number) : undefined;
    if (!after) continue;
    const sure = between.filter((one) => chargeOf(one) === 'sure');
    const maybe = between.length - sure.length + givenUp;
    if (before && isNear(before, after))
      spans.push({
        before,
        after,
        fall: before.quota.remaining - after.quota.remaining,
        calls: new Map(
          [...Map.groupBy(sure, ({ case: { operation } }) => operation?.id ?? '')].map(
            ([id, ofOperation]) => [id, ofOperation.length],
          ),
        ),
        sure: sure.length,
        maybe,
        maybeBefore,
        isOneWindow: isSameWindow(before, after),
      });
    [before, between, maybeBefore] = [after, [], maybe];
  }
  return spans;
}

function isNear(before: WithQuota, after: WithQuota): boolean {
  const [earlier, later] = [before.quota, after.quota];
  const isShifted =
    earlier.reset !== undefined &&
    later.reset !== undefined &&
    Math.abs(earlier.reset - later.reset) <= resetShift;
  return earlier.limit === later.limit && (isSameWindow(before, after) || isShifted);
}

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
 * Whether a limit refills continuously, like a token bucket: `yes` if Remaining rose as a bucket
 * would, calls in flight included; `no` if not; `unseen` without a span that shows it.
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
