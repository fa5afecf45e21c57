import { isAnswered } from '../run/exchange.ts';
import { isSameWindow, type WithQuota, withQuota } from '../run/quota.ts';
import type { Transcript } from '../run/transcript.ts';
import type { Check, Judge } from './check.ts';

/** X-RateLimit-Remaining falls with each call of a key, by one, and never rises within a window. */
export const rateLimitCountdown: Check = {
  id: 'rate-limit-countdown',
  clause: {
    basis: 'stated',
    source: '§8',
    text: 'X-RateLimit-Remaining falls by one with each call of the key and does not rise within a window.',
  },
  judge(transcript, judge) {
    const steps = consecutiveSteps(transcript);
    const falls = steps.map(({ before, after }) => before.quota.remaining - after.quota.remaining);
    const othersCall = falls.some((fall) => fall === 1);
    for (const [index, { before, after }] of steps.entries()) {
      const fall = falls[index] as number;
      const spent = before.quota.remaining === 0 && after.quota.remaining === 0;
      if (spent) continue;
      // Somebody else may use the key too, but not once between each two of our calls.
      judge.hold(fall === 1 || (fall > 1 && othersCall), after, () => ({
        message:
          fall < 1
            ? 'X-RateLimit-Remaining does not fall with a call'
            : 'X-RateLimit-Remaining falls by more than one with each call',
        expected: `${before.quota.remaining - 1} after ${before.quota.remaining}`,
        actual: `X-RateLimit-Remaining: ${after.quota.remaining}`,
      }));
    }
    judgeRises(transcript, judge);
  },
};

type Step = { before: WithQuota; after: WithQuota };

/** Pairs of calls that one key made right after each other in one window. */
function consecutiveSteps({ exchanges }: Transcript): Step[] {
  const counted = withQuota(exchanges.filter(isAnswered)).filter(
    ({ case: { purpose }, alone, response }) =>
      alone && response.status === 200 && (purpose.kind === 'count' || purpose.kind === 'exhaust'),
  );
  return counted.flatMap((after, index) => {
    const before = counted.slice(0, index).findLast(({ request }) => request.keyName === after.request.keyName);
    const between =
      before &&
      exchanges.some(
        (one) => one.number > before.number && one.number < after.number && one.request.keyName === after.request.keyName,
      );
    return before && !between && isSameWindow(before, after) ? [{ before, after }] : [];
  });
}

/** Within a window nothing comes back: an answer that ended before a call was sent showed at least as much. */
function judgeRises({ exchanges }: Transcript, judge: Judge): void {
  const lowest = new Map<string, WithQuota>();
  for (const exchange of withQuota(exchanges.filter(isAnswered)).toSorted((one, other) => one.endedAt - other.endedAt)) {
    if (exchange.case.credential !== 'valid' || exchange.response.status === 401 || !exchange.case.operation) continue;
    const window = `${exchange.request.keyName} ${exchange.quota.reset} ${exchange.quota.limit}`;
    const before = lowest.get(window);
    if (before && before.endedAt < exchange.sentAt) {
      judge.hold(exchange.quota.remaining <= before.quota.remaining, exchange, () => ({
        message: 'X-RateLimit-Remaining rises within a window',
        expected: `at most ${before.quota.remaining}`,
        actual: `X-RateLimit-Remaining: ${exchange.quota.remaining}`,
      }));
    }
    if (!before || exchange.quota.remaining < before.quota.remaining) lowest.set(window, exchange);
  }
}
