import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { type Observer, ownRun } from '../transcript/transcript.ts';
import { chargeOf, clockAhead, type WithQuota, withQuota } from './quota.ts';

/** How far the clocks and the rounding of Reset may be apart, in seconds. */
const tolerance = 2.1;

/** The limits are stated for a minute, in seconds. */
const minute = 60;

/** Whether a sliding limit may have given back so many requests by the time of an answer. */
export type MayHaveSlid = (requests: number, answer: WithQuota) => boolean;

/** The figures of one limit, read from its answers; the window in seconds. */
type Figures = { usedBefore: number; window: number; followsNewest: boolean };

/**
 * Reads the calls of a key as those of a sliding limit: each call is given back one window after it
 * was made, and calls that were made together are given back together. Calls that the key made
 * before the run may be given back at any time, and so may those of others.
 */
export function readSliding(
  calls: readonly Exchange[],
  { seesAllCalls }: Pick<Observer, 'seesAllCalls'> = ownRun,
): MayHaveSlid {
  const answers = withQuota(calls.filter(isAnswered));
  const ofLimit = new Map<number, Figures>();
  const read = (limit: number) => {
    const alike = answers.filter(({ quota }) => quota.limit === limit);
    const usedBefore = Math.max(0, limit - (alike[0]?.quota.remaining ?? limit) - 1);
    const ahead = alike.map((one) => secondsAhead(one) ?? 0);
    const longest = ahead.reduce((max, one) => Math.max(max, one), 0);
    const resets = new Set(alike.map(({ quota }) => quota.reset));
    const figures = {
      usedBefore,
      window: longest > 0 ? Math.min(minute, longest) : minute,
      followsNewest: resets.size > 1 && ahead.every((one) => one > longest - tolerance),
    };
    ofLimit.set(limit, figures);
    return figures;
  };
  return (requests, answer) => {
    const ahead = secondsAhead(answer);
    const { limit, remaining } = answer.quota;
    const { usedBefore, window, followsNewest } = ofLimit.get(limit) ?? read(limit);
    // Reset is when the oldest call comes back, or when the newest does: always a window ahead then,
    // however long that is.
    const isWithin = ahead !== undefined && ahead > tolerance && ahead < minute - tolerance;
    if (isWithin && !followsNewest) return false;
    const since = answer.endedAt - (window - tolerance) * 1000;
    if (!seesAllCalls) return mayComeBack(answer, { answers, calls, since });
    let [old, recent] = [0, 0];
    for (const call of calls) {
      if (call.sentAt <= since) old += 1;
      else if (
        (call.endedAt <= answer.sentAt || call.number === answer.number) &&
        chargeOf(call) === 'sure'
      )
        recent += 1;
    }
    return requests <= usedBefore + old && remaining + recent <= limit;
  };
}

/** How far ahead Reset lies, by the clock of the target. */
function secondsAhead(answer: WithQuota): number | undefined {
  const { reset } = answer.quota;
  return reset === undefined ? undefined : reset - (answer.endedAt + clockAhead(answer)) / 1000;
}

/**
 * Whether what was given back since the first answer within a window is no more than had been used
 * by then: calls of others come back too, and nobody knows how many of those there were.
 */
function mayComeBack(
  answer: WithQuota,
  {
    answers,
    calls,
    since,
  }: { answers: readonly WithQuota[]; calls: readonly Exchange[]; since: number },
): boolean {
  const { limit, remaining } = answer.quota;
  const first = answers.find(
    ({ quota, endedAt }) => quota.limit === limit && endedAt > since && endedAt <= answer.sentAt,
  );
  if (!first) return true;
  const made = calls.filter(
    (call) =>
      chargeOf(call) === 'sure' && call.sentAt >= first.endedAt && call.endedAt <= answer.endedAt,
  ).length;
  return made + remaining - first.quota.remaining <= limit - first.quota.remaining;
}
