import { isAnswered } from '../transcript/exchange.ts';
import { chargeOf } from '../transcript/limits/charges.ts';
import { type WithQuota, withQuota } from '../transcript/limits/quota.ts';
import { spansByKey } from '../transcript/limits/spans.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { aboutCounter, type Judge } from './check.ts';

/** How often two keys must count down in one sequence, and in what share of all their turns. */
const minTurns = 6;
const minShare = 0.9;

/**
 * Holds the keys of traffic apart: two that count down together, one after the other, share a
 * counter; one whose counter falls by its own calls alone, while others are used, does not.
 */
export function judgeCounters(transcript: Transcript, judge: Judge): void {
  const answers = withQuota(transcript.exchanges.filter(isAnswered)).filter(
    (one) => chargeOf(one) === 'sure' && one.quota.reset !== undefined,
  );
  const turns = answers.slice(1).flatMap((after, index) => {
    const before = answers[index] as WithQuota;
    const isTurn =
      before.request.keyName !== after.request.keyName &&
      before.endedAt <= after.sentAt &&
      before.quota.window === after.quota.window;
    return isTurn ? [{ before, after }] : [];
  });
  const isJoint = ({ before, after }: (typeof turns)[number]) =>
    before.quota.remaining - after.quota.remaining === 1;
  const joint = turns.filter(isJoint);
  if (joint.length >= minTurns && joint.length >= turns.length * minShare) {
    for (const { before, after } of joint)
      judge.hold(false, after, () => ({
        message: "another key's calls are counted for this key",
        expected: `a counter of its own, whatever key ${before.request.keyName} shows`,
        actual: `X-RateLimit-Remaining: ${after.quota.remaining}, 1 less than key ${before.request.keyName} showed just before`,
        ...aboutCounter(after),
      }));
    return;
  }
  for (const [key, spans] of spansByKey(transcript))
    for (const { before, after, fall, sure, maybe, isOneWindow } of spans) {
      const isOwnFall = isOneWindow && maybe === 0 && fall === sure;
      const isOthersTurn = () =>
        answers.some(
          ({ request, sentAt, endedAt }) =>
            request.keyName !== key && sentAt >= before.endedAt && endedAt <= after.sentAt,
        );
      if (isOwnFall && isOthersTurn())
        judge.hold(true, after, () => ({ message: '', expected: '', actual: '' }));
    }
}
