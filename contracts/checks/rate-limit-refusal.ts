import {
  aboutCounter,
  type Check,
  called,
  clauseOf,
  type Judge,
  shownAnswer,
} from '../clauses/check.ts';
import {
  isExclusive,
  type KeyCounter,
  maxOf,
  readCounters,
  takenKeys,
} from '../limits/key-counters.ts';
import {
  chargedCalls,
  chargeOf,
  clockAhead,
  quotaOf,
  retryAfter,
  type WithQuota,
  withQuota,
} from '../limits/quota.ts';
import { readSliding } from '../limits/sliding-limits.ts';
import { maxRefill } from '../limits/spans.ts';
import { type Answer, type Exchange, isAnswered } from '../transcript/exchange.ts';
import { planOf, type Transcript, toRefusal } from '../transcript/transcript.ts';

/** Within how many milliseconds of an answer no other client is assumed to use up the key. */
const maxGap = 2000;

/** A call beyond the limit is answered with 429, and none within it. */
export const rateLimitRefusal: Check = {
  id: 'rate-limit-refusal',
  clause: clauseOf('rate-limit-refusal'),
  unheld: 'no call was certainly beyond a limit',
  cases: ['exhaust'],
  needs: 'rate limits',
  follows: ['rate-limit-countdown'],
  judge(transcript, judge) {
    for (const key of transcript.refusedKeys)
      judge.inconclusive(`${toRefusal(key)}, so its limit was not tried`);
    const { choosesCalls, seesAllCalls, evidence } = transcript.observer;
    const counters = readCounters(transcript);
    const taken = takenKeys(counters);
    const mayRefill = counters.some(({ refill }) => refill === 'yes');
    for (const [key, calls] of chargedCalls(transcript)) {
      const counter = counters.find((one) => one.key === key) as KeyCounter;
      const unsure = calls.filter(
        (one) => chargeOf(one) === 'maybe' && one.response?.status !== 429,
      );
      const mayHaveSlid = readSliding(calls, transcript.observer);
      const mayBeOthers = !seesAllCalls && !isExclusive(counter);
      const shown = new Map(withQuota(calls.filter(isAnswered)).map((one) => [one.number, one]));
      for (const { before, after, left } of sequences(calls, counter)) {
        const { status, text } = after.response;
        const answer = shown.get(after.number);
        const hasSlid = answer !== undefined && mayHaveSlid(1, answer);
        const isRefilled = status < 300 && (mayRefill || hasSlid);
        const isUsedUp =
          before.quota.remaining === 0 &&
          !hasWaited(after) &&
          !isRefilled &&
          !mayHaveEnded(before, after);
        const isRefusedFirst = () => !choosesCalls && mayComeBeforeLimit(after, calls);
        const isBeyond = isUsedUp && !mayBeOthers && !isRefusedFirst();
        if (isBeyond && !mayBeGivenBack(before, after, unsure))
          judge.hold(status === 429, after, () => ({
            message: 'a request beyond the limit is not answered with 429',
            expected: '429, as the previous answer showed no requests left',
            actual: shownAnswer({ status, text }),
            ...aboutCounter(after),
          }));
        if (left <= 0 || !isOwnWindow(transcript, before) || isOtherLimit(after)) continue;
        if (status === 429 && (mayBeOthers || left < evidence.requestsLeft)) continue;
        const gap = after.sentAt - before.endedAt;
        if (status === 429 && (taken || gap > maxGap))
          judge.inconclusive(
            taken?.reason ??
              `key ${key} was refused ${Math.round(gap / 1000)} s after its last answer: another client may have used it meanwhile`,
          );
        else if (gap <= maxGap)
          judge.hold(status !== 429, after, () => ({
            message: `${called(after)} is answered with 429 although requests were left`,
            expected: `an answer other than 429, as ${left} requests were left`,
            actual: '429',
            ...aboutCounter(after),
          }));
      }
      judgeWindows(calls, counter, judge);
    }
    if (transcript.trials.length === 0 && choosesCalls)
      judge.inconclusive('no limit was tried: it was not allowed');
    for (const trial of transcript.trials)
      if (trial.outcome !== 'met') judge.inconclusive(trial.reason);
  },
};

/**
 * Checks that an operation succeeds at most Limit times in a window whose Remaining never shows 0.
 */
function judgeWindows(calls: readonly Exchange[], { key, refill }: KeyCounter, judge: Judge): void {
  const answers = withQuota(calls.filter((call) => chargeOf(call) === 'sure').filter(isAnswered));
  const named = answers.filter(({ quota: { reset } }) => reset !== undefined);
  const groups = Map.groupBy(
    named,
    ({ quota, case: { operation } }) => `${quota.window} ${operation?.id}`,
  );
  for (const group of groups.values()) {
    const [first, last] = [group[0] as WithQuota, group.at(-1) as WithQuota];
    const { limit, window } = first.quota;
    const isShown = answers.some(({ quota }) => quota.window === window && quota.remaining === 0);
    const gained = refill === 'no' ? 0 : maxRefill(limit, last.endedAt - first.sentAt);
    if (group.length < limit || isShown) continue;
    judge.hold(group.length <= limit + gained, last, () => ({
      message: 'more requests are accepted in a window than the limit allows',
      expected: `429 after ${limit} requests, as X-RateLimit-Limit says`,
      actual: `${group.length} calls of ${called(last)} with key ${key} were answered in the window of one X-RateLimit-Reset`,
      ...aboutCounter(last),
    }));
  }
}

type Pair = {
  before: WithQuota;
  after: Answer;
  /**
   * How many requests were left for sure when the call was made, whatever the order of the calls
   * under way.
   */
  left: number;
};

/**
 * Each answer of an operation, after the lowest of its key in the latest window that had ended when
 * it was sent.
 */
function* sequences(calls: readonly Exchange[], { costs }: KeyCounter): Generator<Pair> {
  const priceOf = ({ case: { operation } }: Exchange) => maxOf(costs.get(operation?.id ?? ''));
  const ownPrice = (call: Exchange) => (call.endedAt > call.sentAt ? priceOf(call) : 0);
  const sumOf = (some: readonly Exchange[]) => some.reduce((sum, call) => sum + priceOf(call), 0);
  const sentBefore = (time: number) => sumOf(calls.filter(({ sentAt }) => sentAt < time));
  const endedBy = (time: number) => sumOf(calls.filter(({ endedAt }) => endedAt <= time));
  const valid = calls
    .filter(isAnswered)
    .filter(({ case: testCase }) => testCase.credential === 'valid' && testCase.operation);
  const quotas = withQuota(valid.filter(({ response }) => response.status !== 401));
  /**
   * The lowest answer of each window, and the maximum that was left at any of them, with the calls
   * that had ended added.
   */
  const windows = new Map<string, { lowest: WithQuota; atLowest: number; max: number }>();
  let [latest, seen]: [WithQuota | undefined, number] = [undefined, 0];
  for (const after of valid) {
    for (let one = quotas[seen]; one && one.endedAt <= after.sentAt; one = quotas[++seen]) {
      if (!latest || !isLater(latest, one)) latest = one;
      const last = windows.get(one.quota.window);
      const left = one.quota.remaining + endedBy(one.sentAt) + ownPrice(one);
      const isLowest = !last || one.quota.remaining <= last.lowest.quota.remaining;
      windows.set(one.quota.window, {
        ...(isLowest ? { lowest: one, atLowest: left } : last),
        max: Math.max(left, last?.max ?? left),
      });
    }
    const window = latest && windows.get(latest.quota.window);
    if (!window) continue;
    // What calls cost that may have been counted after an answer and before this one: those sent
    // till now, but those that had ended.
    const paid = sentBefore(after.endedAt) - ownPrice(after);
    yield {
      before: window.lowest,
      after,
      left: (after.response.status === 429 ? window.max : window.atLowest) - paid,
    };
  }
}

/**
 * Whether the window of one answer ends later than that of another, or it came later where Reset
 * does not say.
 */
function isLater(left: WithQuota, right: WithQuota): boolean {
  const [first, second] = [left.quota.reset, right.quota.reset];
  return first === undefined || second === undefined
    ? left.endedAt > right.endedAt
    : first > second;
}

/**
 * Whether a call that a deployment may not count, as it ended in an error, was under way at the
 * answer or after it.
 */
function mayBeGivenBack(before: WithQuota, after: Answer, unsure: readonly Exchange[]): boolean {
  return unsure.some(
    (one) =>
      one.number !== after.number && one.endedAt >= before.sentAt && one.sentAt <= after.endedAt,
  );
}

/**
 * Whether a deployment may have found a fault of the call before it looked at the limit, as no such
 * call of the key succeeded.
 */
function mayComeBeforeLimit({ request, response }: Answer, calls: readonly Exchange[]): boolean {
  const isClientFault = response.status >= 400 && response.status < 500 && response.status !== 429;
  const hasSucceeded = (call: Exchange) =>
    call.request.method === request.method &&
    call.request.path === request.path &&
    (call.response?.status ?? 400) < 300;
  return isClientFault && !calls.some(hasSucceeded);
}

function hasWaited({ case: { purpose } }: Answer): boolean {
  return purpose.kind === 'after-exhaustion' && purpose.key === 'same';
}

/**
 * A refusal that lasts beyond the minute is that of the day; one with nothing left may be caused by
 * another client's calls with the key.
 */
function isOtherLimit(after: Answer): boolean {
  const isOurs = after.case.purpose.kind === 'exhaust';
  return (retryAfter(after) ?? 0) > 61_000 || (!isOurs && quotaOf(after).remaining === 0);
}

/** Whether the window of the earlier answer may have ended before the later one was made. */
function mayHaveEnded(before: WithQuota, after: Answer): boolean {
  const { reset } = before.quota;
  if (reset === undefined) return quotaOf(after).remaining !== 0;
  return (after.endedAt + clockAhead(before)) / 1000 >= reset - 2.1;
}

/** A window of a minute or less is the one that refuses first; a longer one may hide a shorter. */
function isOwnWindow(transcript: Transcript, answer: WithQuota): boolean {
  const { quota, endedAt } = answer;
  const { figures } = planOf(transcript, answer);
  const ahead = quota.reset === undefined ? undefined : quota.reset - endedAt / 1000;
  const isMinute = figures ? quota.limit === figures.perMinute : ahead !== undefined && ahead <= 60;
  return isMinute && (ahead === undefined || ahead <= 61);
}
