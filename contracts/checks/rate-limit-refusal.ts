import { chargedCalls, chargeOf } from '../transcript/charges.ts';
import { type Answered, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type KeyCounter, mostOf, readCounters, takenKeys } from '../transcript/key-counters.ts';
import { clockAhead, isSameWindow, quotaOf, retryAfter, type WithQuota, withQuota } from '../transcript/quota.ts';
import { mostRefill } from '../transcript/refills.ts';
import { type Transcript, toRefusal } from '../transcript/transcript.ts';
import { aboutCounter, type Check, called, type Judge, shownAnswer } from './check.ts';

/** A call beyond the limit is answered with 429, and none within it. */
export const rateLimitRefusal: Check = {
  id: 'rate-limit-refusal',
  clause: {
    basis: 'stated',
    source: '§8',
    text: 'A request that exceeds the limit is answered with 429, and one within the limit is not.',
  },
  unheld: 'no limit was used up',
  cases: ['exhaust'],
  needs: 'rate limits',
  follows: ['rate-limit-countdown'],
  judge(transcript, judge) {
    for (const key of transcript.refusedKeys) judge.inconclusive(`${toRefusal(key)}, so its limit was not tried`);
    const counters = readCounters(transcript);
    const taken = takenKeys(counters);
    const mayRefill = counters.some(({ refill }) => refill === 'yes');
    for (const [key, calls] of chargedCalls(transcript)) {
      const counter = counters.find((one) => one.key === key) as KeyCounter;
      for (const { before, after, left } of sequences(calls, counter)) {
        const { status, text } = after.response;
        const isRefilled = status < 300 && mayRefill;
        const isUsedUp = before.quota.remaining === 0 && !mayBeGivenBack(before, after, calls);
        if (isUsedUp && !hasWaited(after) && !isRefilled && !mayHaveEnded(before, after))
          judge.hold(status === 429, after, () => ({
            message: 'a request beyond the limit is not answered with 429',
            expected: '429, as the answer before showed nothing left',
            actual: shownAnswer({ status, text }),
            ...aboutCounter(after),
          }));
        if (left <= 0 || !isOwnWindow(transcript, before) || isOtherLimit(after)) continue;
        if (status === 429 && taken) judge.inconclusive(taken.reason);
        else
          judge.hold(status !== 429, after, () => ({
            message: `${called(after)} is answered with 429 although requests were left`,
            expected: `an answer other than 429, as ${left} requests were left`,
            actual: '429',
            ...aboutCounter(after),
          }));
      }
      judgeWindows(calls, counter, judge);
    }
    if (transcript.trials.length === 0) judge.inconclusive('no limit was tried: it was not allowed');
    for (const trial of transcript.trials) if (trial.outcome !== 'met') judge.inconclusive(trial.reason);
  },
};

/** Where Remaining never says that nothing is left, one operation is answered no more often than Limit says all the same. */
function judgeWindows(calls: readonly Exchange[], { key, refill }: KeyCounter, judge: Judge): void {
  const answers = withQuota(calls.filter((call) => chargeOf(call) === 'sure').filter(isAnswered));
  const named = answers.filter(({ quota: { reset } }) => reset !== undefined);
  const groups = Map.groupBy(named, ({ quota, case: { operation } }) => `${quota.window} ${operation?.id}`);
  for (const group of groups.values()) {
    const [first, last] = [group[0] as WithQuota, group.at(-1) as WithQuota];
    const { limit, window } = first.quota;
    const isShown = answers.some(({ quota }) => quota.window === window && quota.remaining === 0);
    const gained = refill === 'no' ? 0 : mostRefill(limit, last.endedAt - first.sentAt);
    if (group.length < limit || isShown) continue;
    judge.hold(group.length <= limit + gained, last, () => ({
      message: 'more requests are let through in a window than the limit allows',
      expected: `429 after ${limit} requests, as X-RateLimit-Limit says`,
      actual: `${group.length} calls of ${called(last)} with key ${key} were answered in the window of one X-RateLimit-Reset`,
      ...aboutCounter(last),
    }));
  }
}

type Pair = {
  before: WithQuota;
  after: Answered;
  /** How many requests were left for sure when the call was made, whatever the order of the calls under way. */
  left: number;
};

/** Each answer of an operation, after the lowest of its key in the latest window that had ended when it was sent. */
function sequences(calls: readonly Exchange[], { costs }: KeyCounter): Pair[] {
  const valid = calls.filter(isAnswered).filter(({ case: one }) => one.credential === 'valid' && one.operation);
  const quotas = withQuota(valid.filter(({ response }) => response.status !== 401));
  return valid.flatMap((after) => {
    const ended = quotas.filter((one) => one.endedAt <= after.sentAt);
    const latest = ended.reduce<WithQuota | undefined>((last, one) => (last && isLater(last, one) ? last : one), undefined);
    if (!latest) return [];
    const inWindow = ended.filter((one) => isSameWindow(one, latest));
    const before = inWindow.reduce((lowest, one) => (one.quota.remaining <= lowest.quota.remaining ? one : lowest));
    const leftAfter = (one: WithQuota) => one.quota.remaining - costSince(one, after, calls, costs);
    const left = after.response.status === 429 ? Math.max(...inWindow.map(leftAfter)) : leftAfter(before);
    return [{ before, after, left }];
  });
}

/** What the calls that may have been counted after one answer and before another cost at most. */
function costSince(one: WithQuota, other: Answered, calls: readonly Exchange[], costs: KeyCounter['costs']): number {
  return calls
    .filter(({ number, sentAt, endedAt }) => {
      const isOther = number !== one.number && number !== other.number;
      return isOther && endedAt > one.sentAt && sentAt < other.endedAt;
    })
    .reduce((sum, { case: { operation } }) => sum + mostOf(costs.get(operation?.id ?? '')), 0);
}

/** Whether the window of one answer ends later than that of another, or it came later where Reset does not say. */
function isLater(one: WithQuota, other: WithQuota): boolean {
  const [first, second] = [one.quota.reset, other.quota.reset];
  return first === undefined || second === undefined ? one.endedAt > other.endedAt : first > second;
}

/** Whether a call that ended in an error, and that a deployment may not count, was under way at the answer or after it. */
function mayBeGivenBack(before: WithQuota, after: Answered, calls: readonly Exchange[]): boolean {
  return calls.some(
    (one) =>
      chargeOf(one) === 'maybe' &&
      one.response?.status !== 429 &&
      one.number !== after.number &&
      one.endedAt >= before.sentAt &&
      one.sentAt <= after.endedAt,
  );
}

function hasWaited({ case: { purpose } }: Answered): boolean {
  return purpose.kind === 'after-exhaustion' && purpose.key === 'same';
}

/** A refusal that lasts beyond the minute is the day's; one that shows nothing left may be somebody else's calls with the key. */
function isOtherLimit(after: Answered): boolean {
  const isOurs = after.case.purpose.kind === 'exhaust';
  return (retryAfter(after) ?? 0) > 61_000 || (!isOurs && quotaOf(after).remaining === 0);
}

/** Whether the window of the earlier answer may have ended before the later one was made. */
function mayHaveEnded(before: WithQuota, after: Answered): boolean {
  const { reset } = before.quota;
  if (reset === undefined) return quotaOf(after).remaining !== 0;
  return (after.endedAt + clockAhead(before)) / 1000 >= reset - 2.1;
}

/** A window of a minute or less is the one that refuses first; a longer one may hide a shorter. */
function isOwnWindow({ keys, document }: Transcript, { quota, request, endedAt }: WithQuota): boolean {
  const plan = keys.find(({ name }) => name === request.keyName)?.plan;
  const figures = document.plans[plan ?? ''];
  const ahead = quota.reset === undefined ? undefined : quota.reset - endedAt / 1000;
  const isMinute = typeof figures === 'object' ? quota.limit === figures.perMinute : ahead !== undefined && ahead <= 60;
  return isMinute && (ahead === undefined || ahead <= 61);
}
