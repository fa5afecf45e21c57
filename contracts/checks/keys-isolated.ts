import { type Check, clauseOf } from '../clauses/check.ts';
import { readCounters, takenKeys } from '../limits/key-counters.ts';
import { chargeOf, isSameWindow, quotaOf, withQuota } from '../limits/quota.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import {
  answersOfOperations,
  planOf,
  type Transcript,
  toRefusal,
} from '../transcript/transcript.ts';

/** One key's calls take nothing from another key. */
export const keysIsolated: Check = {
  id: 'keys-isolated',
  clause: clauseOf('keys-isolated'),
  unheld: 'no two keys could be compared',
  cases: ['count', 'after-exhaustion'],
  needsCases: ['count', 'exhaust'],
  needs: 'rate limits',
  judge(transcript, judge) {
    if (!transcript.observer.seesAllCalls) return;
    if (transcript.keys.length < 2)
      for (const key of transcript.refusedKeys)
        judge.inconclusive(`${toRefusal(key)}, and two keys are needed`);
    const spare = withQuota(transcript.exchanges.filter(isAnswered)).filter(
      ({ case: { purpose } }) => purpose.kind === 'count' && purpose.key === 'spare',
    );
    const [before, after, later] = spare;
    const between = transcript.exchanges.filter(
      ({ case: { purpose } }) => purpose.kind === 'count' && purpose.key === 'bulk',
    ).length;
    if (before && after && between >= 4 && isSameWindow(before, after)) {
      const fall = before.quota.remaining - after.quota.remaining;
      const rest =
        later && isSameWindow(after, later) ? after.quota.remaining - later.quota.remaining : 1;
      const ours = transcript.exchanges.filter(
        ({ number }) => number > before.number && number <= after.number,
      ).length;
      // Without our own calls in between, only another client's can count.
      if (fall > between && (rest > 1 || fall > ours))
        judge.inconclusive(
          `another client uses key ${after.request.keyName}: Remaining falls by more than our calls`,
        );
      else
        judge.hold(fall <= between, after, () => ({
          message: "another key's calls are counted for this key",
          expected: `1 less than ${before.quota.remaining}`,
          actual: `X-RateLimit-Remaining: ${after.quota.remaining} after ${between} calls of another key`,
        }));
    }
    const exhausted = transcript.exchanges.some(
      ({ case: { purpose }, response }) => purpose.kind === 'exhaust' && response?.status === 429,
    );
    const taken = takenKeys(
      readCounters(transcript).filter(({ takenBy }) => takenBy === 'somebody-else'),
    );
    for (const exchange of answersOfOperations(transcript)) {
      const { purpose } = exchange.case;
      if (!exhausted || purpose.kind !== 'after-exhaustion' || purpose.key !== 'other') continue;
      if (exchange.response.status === 429 && taken?.keys.has(exchange.request.keyName ?? '')) {
        judge.inconclusive(taken.reason);
        continue;
      }
      const own = exchange.response.status === 429 ? usedUpItself(transcript, exchange) : undefined;
      if (own !== undefined) {
        judge.inconclusive(own);
        continue;
      }
      judge.hold(exchange.response.status !== 429, exchange, () => ({
        message: 'a key is refused because another key has used up its limit',
        expected: 'an answer other than 429',
        actual: '429',
      }));
    }
  },
};

/**
 * Why a refusal may be the key's own: it made as many calls in the window itself, whatever
 * Remaining showed at the time.
 */
function usedUpItself(transcript: Transcript, refusal: Answer): string | undefined {
  const { keyName } = refusal.request;
  const { figures } = planOf(transcript, refusal);
  const { reset } = quotaOf(refusal);
  if (!figures || reset === undefined) return undefined;
  const before = transcript.exchanges
    .filter(isAnswered)
    .filter((one) => one.request.keyName === keyName && one.number < refusal.number)
    .filter((one) => chargeOf(one) !== 'none');
  const lastRefused = before.findLast(({ response }) => response.status === 429)?.number ?? 0;
  const own = before.filter((one) => one.number > lastRefused && quotaOf(one).reset === reset);
  return own.length >= figures.perMinute
    ? `key ${keyName} made ${own.length} calls itself in the window, so its refusal says nothing about other keys`
    : undefined;
}
