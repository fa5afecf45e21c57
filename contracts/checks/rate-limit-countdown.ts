import { aboutCounter, type Check, called, clauseOf, type Judge } from '../clauses/check.ts';
import { isExclusive, type KeyCounter, readCounters, takenKeys } from '../limits/key-counters.ts';
import { chargedCalls, chargeOf, type WithQuota, withQuota } from '../limits/quota.ts';
import { type MayHaveSlid, readSliding } from '../limits/sliding-limits.ts';
import { maxRefill, onlyOperation, type Span } from '../limits/spans.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** How many rises of the same size in a row are no chance. */
const minEvenRises = 5;

/** X-RateLimit-Remaining falls with each call of a key, by one, and never rises within a window. */
export const rateLimitCountdown: Check = {
  id: 'rate-limit-countdown',
  clause: clauseOf('rate-limit-countdown'),
  unheld: 'no two calls of a key could be compared within a window',
  cases: ['count'],
  needs: 'rate limits',
  follows: ['rate-limit-countdown'],
  judge(transcript, judge) {
    const counters = readCounters(transcript);
    const taken = takenKeys(counters);
    if (taken) judge.inconclusive(taken.reason);
    const callsOf = chargedCalls(transcript);
    for (const counter of counters) {
      const calls = callsOf.get(counter.key) ?? [];
      const mayHaveSlid = risesWithEachCall(counter)
        ? () => false
        : readSliding(calls, transcript.observer);
      for (const span of counter.spans.filter(({ isOneWindow }) => isOneWindow))
        judgeSpan(span, counter, { counters, mayHaveSlid, transcript, judge });
      judgeRises(counter, calls, { mayHaveSlid, transcript, judge });
    }
  },
};

/** The data for judging, and the judge that takes the verdicts. */
type CountdownContext = { mayHaveSlid: MayHaveSlid; transcript: Transcript; judge: Judge };

/**
 * Holds a span of one operation whose fall its own calls explain, or whose fall each call of the
 * operation repeats.
 */
function judgeSpan(
  span: Span,
  counter: KeyCounter,
  {
    counters,
    mayHaveSlid,
    transcript,
    judge,
  }: { counters: readonly KeyCounter[] } & CountdownContext,
): void {
  const { before, after, fall, sure, maybe, maybeBefore } = span;
  const [shown, left] = [before.quota.remaining, after.quota.remaining];
  if (shown === 0 && left === 0) return;
  const gain =
    counter.refill === 'yes' ? maxRefill(before.quota.limit, after.endedAt - before.sentAt) : 0;
  const [min, max] = [Math.min(shown, sure - gain - maybeBefore), sure + maybe];
  const id = onlyOperation(span);
  if (id === undefined) return;
  const cost = counter.costs.get(id);
  // Somebody else may have made the calls that are missing.
  const fallsTooFast =
    transcript.observer.seesAllCalls &&
    fall > max &&
    typeof cost === 'number' &&
    cost > 1 &&
    counter.takenBy === 'nobody';
  const fallsTooSlowly =
    fall < min && counter.refill !== 'yes' && isUsuallyTooSlow(id, counter, counters);
  const isKept = fall >= min && fall <= max;
  if (!isKept && !fallsTooFast && !fallsTooSlowly && !(fall < min && counter.refill === 'yes'))
    return;
  if (fall < min && mayHaveSlid(min - fall, after)) {
    judge.inconclusive(givesBack(counter.key));
    return;
  }
  judge.hold(isKept, after, () => ({
    message: `X-RateLimit-Remaining ${fall < min ? 'does not fall' : 'falls by more than one'} with a call of ${called(after)}`,
    expected: `X-RateLimit-Remaining: ${shown - sure}, as it was ${shown} before ${sure === 1 ? 'the call' : `${sure} calls`}`,
    actual: `X-RateLimit-Remaining: ${left}`,
    ...aboutCounter(after),
  }));
}

/**
 * Whether most calls of an operation leave more than they should: those of this key, if it has any.
 */
function isUsuallyTooSlow(
  id: string,
  counter: KeyCounter,
  counters: readonly KeyCounter[],
): boolean {
  const fallsOf = ({ spans }: KeyCounter) =>
    spans.filter((span) => span.isOneWindow && onlyOperation(span) === id);
  const own = fallsOf(counter);
  const alike = own.length < 2 ? counters.flatMap(fallsOf) : own;
  const slow = alike.filter(({ fall, sure, after }) => fall < sure && after.quota.remaining > 0);
  return alike.length > 1 && slow.length > alike.length * 0.6;
}

/**
 * Whether each call adds the same amount, as if Remaining counted the calls made; a sliding limit
 * is given back unevenly.
 */
function risesWithEachCall({ spans }: KeyCounter): boolean {
  const sure = spans.filter(
    ({ isOneWindow, maybe, maybeBefore }) => isOneWindow && maybe === 0 && maybeBefore === 0,
  );
  const rises = new Set(sure.map((span) => -span.fall / span.sure));
  return sure.length >= minEvenRises && rises.size === 1 && [...rises].every((rise) => rise > 0);
}

/**
 * Within a window, no more is given back than the limit allows for the time, as by a bucket that
 * refills continuously.
 */
function judgeRises(
  counter: KeyCounter,
  calls: readonly Exchange[],
  { mayHaveSlid, transcript, judge }: CountdownContext,
): void {
  const { key } = counter;
  const ofOthers = transcript.observer.seesAllCalls || isExclusive(counter) ? 0 : maxOfOthers;
  const lowest = new Map<string, WithQuota>();
  for (const exchange of withQuota(calls.filter(isAnswered))) {
    if (
      exchange.case.credential !== 'valid' ||
      exchange.response.status === 401 ||
      !exchange.case.operation
    )
      continue;
    const { window, limit, remaining } = exchange.quota;
    const before = lowest.get(window);
    if (before && before.endedAt < exchange.sentAt) {
      // Each call takes one, so at least that much of what a bucket gained is used again.
      const gain = Math.floor(maxRefill(limit, exchange.endedAt - before.sentAt) - 1);
      const max =
        before.quota.remaining +
        gain +
        ofOthers +
        (remaining > before.quota.remaining + gain ? givenBack(before, calls) : 0);
      if (remaining > max && mayHaveSlid(remaining - max, exchange))
        judge.inconclusive(givesBack(key));
      else
        judge.hold(remaining <= max, exchange, () => ({
          message: 'X-RateLimit-Remaining rises within a window',
          expected: `at most ${max}`,
          actual: `X-RateLimit-Remaining: ${remaining}`,
          ...aboutCounter(exchange),
        }));
    }
    if (!before || remaining < before.quota.remaining) lowest.set(window, exchange);
  }
}

/** How many errors of others may be given back at once. */
const maxOfOthers = 10;

function givesBack(key: string): string {
  return `Remaining of key ${key} rises by no more than its earlier calls took, as in a sliding window`;
}

/** How many errors may be given back after an answer: those under way with it. */
function givenBack(answer: WithQuota, calls: readonly Exchange[]): number {
  return calls.filter(
    (one) =>
      chargeOf(one) === 'maybe' && one.endedAt >= answer.sentAt && one.sentAt <= answer.endedAt,
  ).length;
}
