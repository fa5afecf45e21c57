import type { Check, Judge } from '../clauses/check.ts';
import { clauseOf } from '../clauses/check.ts';
import { isExclusive, readCounters, takenKeys } from '../limits/key-counters.ts';
import { chargedCalls, clockAhead, quotaOf, retryAfter } from '../limits/quota.ts';
import { type Answered, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { answersOfOperations, type Transcript } from '../transcript/transcript.ts';

/** Once Retry-After is over, the key is let in again. */
export const retryWorks: Check = {
  id: 'retry-works',
  clause: clauseOf('retry-works'),
  unheld: 'no refused call was sent again after its Retry-After',
  cases: ['after-exhaustion'],
  needsCases: ['count', 'exhaust'],
  needs: 'rate limits',
  judge(transcript, judge) {
    if (transcript.isTraffic) {
      judgeTraffic(transcript, judge);
      return;
    }
    const later = answersOfOperations(transcript).filter(
      ({ case: { purpose } }) => purpose.kind === 'after-exhaustion' && purpose.key === 'same',
    );
    const taken = takenKeys(readCounters(transcript));
    for (const exchange of later)
      if (exchange.response.status === 429 && taken) judge.inconclusive(taken.reason);
      else hold(exchange, judge);
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

function hold(exchange: Answered, judge: Judge): void {
  judge.hold(exchange.response.status !== 429, exchange, () => ({
    message: 'a key is refused although it waited as long as Retry-After said',
    expected: 'an answer other than 429',
    actual: '429',
  }));
}

/** By how much clocks and rounding may differ, in milliseconds. */
const tolerance = 1000;

const tooClose = 'a call was refused again within 1 s after its Retry-After, which may be rounding';

/**
 * Holds the first call of a key after each wait. Others may have used up the limit meanwhile, unless
 * it is still the limit of the first refusal, or nobody else uses the key.
 */
function judgeTraffic(transcript: Transcript, judge: Judge): void {
  const exclusive = new Set(
    readCounters(transcript)
      .filter(isExclusive)
      .map(({ key }) => key),
  );
  for (const [key, calls] of chargedCalls(transcript)) {
    let refused: { exchange: Answered; until: number } | undefined;
    let lastAnswer: Exchange | undefined;
    for (const call of calls) {
      if (!isAnswered(call) || !call.case.operation) continue;
      const isNext = refused !== undefined && call.sentAt >= refused.until;
      if (refused && isNext && call.case.credential === 'valid') {
        const isCertain = call.sentAt >= refused.until + tolerance;
        const isSameLimit = isSameMinute(refused.exchange, call);
        const isWaited = lastAnswer === refused.exchange;
        if (call.response.status !== 429) hold(call, judge);
        else if (!isCertain) judge.inconclusive(tooClose);
        else if (isWaited && (isSameLimit || exclusive.has(key))) hold(call, judge);
        else judge.inconclusive(`another client may have used up key ${key} again`);
      }
      lastAnswer = call;
      if (call.response.status !== 429) {
        refused = undefined;
        continue;
      }
      const wait = retryAfter(call);
      refused = wait === undefined ? undefined : { exchange: call, until: call.endedAt + wait };
    }
  }
}

/** Whether two refusals are of one minute that is not over yet. */
function isSameMinute(before: Answered, after: Answered): boolean {
  const [first, second] = [quotaOf(before), quotaOf(after)];
  const { reset } = first;
  if (reset === undefined || reset !== second.reset || first.limit !== second.limit) return false;
  const ahead = reset * 1000 - clockAhead(before) - before.endedAt;
  return ahead <= 61_000 && after.endedAt + clockAhead(after) < reset * 1000;
}
