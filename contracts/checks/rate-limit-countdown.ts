import { isAnswered } from '../transcript/exchange.ts';
import { type WithQuota, withQuota } from '../transcript/quota.ts';
import { mostRefill, refillingKeys } from '../transcript/refilling-keys.ts';
import { toSharedReason, unevenKeys } from '../transcript/shared-keys.ts';
import { fallOf, type Step, stepsOf } from '../transcript/steps.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { type Check, called, type Judge } from './check.ts';

/** X-RateLimit-Remaining falls with each call of a key, by one, and never rises within a window. */
export const rateLimitCountdown: Check = {
  id: 'rate-limit-countdown',
  clause: {
    basis: 'stated',
    source: '§8',
    text: 'X-RateLimit-Remaining falls by one with each call of the key, and within a window rises no faster than a limit can refill.',
  },
  unheld: 'no two calls of a key could be compared within a window',
  cases: ['count'],
  needs: 'rate limits',
  judge(transcript, judge) {
    const uneven = unevenKeys(transcript);
    if (uneven.size > 0) judge.inconclusive(toSharedReason(uneven));
    const refilling = refillingKeys(transcript);
    if (refilling.size > 0)
      judge.inconclusive(
        `the limit of ${[...refilling].join(', ')} refills all the time, so its calls cannot be counted one by one`,
      );
    const steps = stepsOf(transcript).filter((step) => fallOf(step) < 1 || !uneven.has(step.after.request.keyName ?? ''));
    for (const step of steps) {
      const { before, after } = step;
      if (before.quota.remaining === 0 && after.quota.remaining === 0) continue;
      if (fallOf(step) < 1 && refilling.size > 0) {
        judgeRefill(step, judge);
        continue;
      }
      // Somebody else may use the key too, and a bucket may refill, but not at each of our calls of one operation.
      const ofOperation = steps.filter((other) => other.after.case.operation === after.case.operation);
      const ofKey = ofOperation.filter((other) => other.after.request.keyName === after.request.keyName);
      const alike = ofKey.length < 2 ? ofOperation : ofKey;
      const usual = alike.filter((other) => fallOf(other) === 1).length;
      const kept = fallOf(step) === 1 || usual >= alike.length * 0.4 || (fallOf(step) > 1 && alike.length < 2);
      judge.hold(kept, after, () => ({
        message: `X-RateLimit-Remaining ${fallOf(step) < 1 ? 'does not fall' : 'falls by more than one'} with a call of ${called(after)}`,
        expected: `${before.quota.remaining - 1} after ${before.quota.remaining}`,
        actual: `X-RateLimit-Remaining: ${after.quota.remaining}`,
      }));
    }
    judgeRises(transcript, judge);
  },
};

/** A bucket gains no more than its limit allows for the time. */
function judgeRefill({ before, after }: Step, judge: Judge): void {
  const most = before.quota.remaining + mostRefill(before.quota.limit, after.endedAt - before.sentAt);
  judge.hold(after.quota.remaining <= most, after, () => ({
    message: 'X-RateLimit-Remaining rises faster than the limit allows',
    expected: `at most ${Math.floor(most)}`,
    actual: `X-RateLimit-Remaining: ${after.quota.remaining}`,
  }));
}

/** Within a window no more comes back than the limit allows for the time, as where a bucket refills all along. */
function judgeRises({ exchanges }: Transcript, judge: Judge): void {
  const lowest = new Map<string, WithQuota>();
  for (const exchange of withQuota(exchanges.filter(isAnswered)).toSorted((one, other) => one.endedAt - other.endedAt)) {
    if (exchange.case.credential !== 'valid' || exchange.response.status === 401 || !exchange.case.operation) continue;
    const window = `${exchange.request.keyName} ${exchange.quota.reset} ${exchange.quota.limit}`;
    const before = lowest.get(window);
    if (before && before.endedAt < exchange.sentAt) {
      // Each call takes one, so of what a bucket gained meanwhile at least that is gone again.
      const most = before.quota.remaining + Math.floor(mostRefill(before.quota.limit, exchange.endedAt - before.sentAt) - 1);
      judge.hold(exchange.quota.remaining <= most, exchange, () => ({
        message: 'X-RateLimit-Remaining rises within a window',
        expected: `at most ${most}`,
        actual: `X-RateLimit-Remaining: ${exchange.quota.remaining}`,
      }));
    }
    if (!before || exchange.quota.remaining < before.quota.remaining) lowest.set(window, exchange);
  }
}
