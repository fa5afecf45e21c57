import type { Check } from '../clauses/check.ts';
import { clauseOf } from '../clauses/check.ts';
import { readCounters, takenKeys } from '../limits/key-counters.ts';
import { retryAfter } from '../limits/quota.ts';
import { isAnswered } from '../transcript/exchange.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

/** Once Retry-After is over, the key is let in again. */
export const retryWorks: Check = {
  id: 'retry-works',
  clause: clauseOf('retry-works'),
  unheld: 'no refused call was sent again after its Retry-After',
  cases: ['after-exhaustion'],
  needsCases: ['count', 'exhaust'],
  needs: 'rate limits',
  judge(transcript, judge) {
    // Somebody else may have used up the limit again.
    if (!transcript.observer.seesAllCalls) return;
    const later = answersOfOperations(transcript).filter(
      ({ case: { purpose } }) => purpose.kind === 'after-exhaustion' && purpose.key === 'same',
    );
    const taken = takenKeys(readCounters(transcript));
    for (const exchange of later)
      if (exchange.response.status === 429 && taken) judge.inconclusive(taken.reason);
      else
        judge.hold(exchange.response.status !== 429, exchange, () => ({
          message: 'a key is refused although it waited as long as Retry-After said',
          expected: 'an answer other than 429',
          actual: '429',
        }));
    const refused = transcript.exchanges
      .filter(isAnswered)
      .find(
        ({ case: { purpose }, response }) => purpose.kind === 'exhaust' && response.status === 429,
      );
    if (!refused || later.length > 0) return;
    const isOfMinute = (retryAfter(refused) ?? 0) <= 60_000;
    judge.inconclusive(
      `Retry-After asks for a longer wait than --wait allows${isOfMinute ? ' (try --wait 61)' : ''}`,
    );
  },
};
