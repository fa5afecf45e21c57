import { type Exchange, isAnswered } from '../exchange.ts';
import { chargeOf } from './charges.ts';
import { clockAhead, type WithQuota, withQuota } from './quota.ts';

/** How far the clocks and the rounding of Reset may be apart, in seconds. */
const tolerance = 2.1;

/** The limits are stated for a minute, in seconds. */
const minute = 60;

/** Tells whether a limit may have given back so many requests by an answer since it slides. */
export type MayHaveSlid = (requests: number, answer: WithQuota) => boolean;

/** What the answers of one limit tell of it; the window in seconds. */
type Figures = { usedBefore: number; window: number; followsNewest: boolean };

/**
 * Reads the calls of a key for a limit that slides: each call comes back a window after it was
 * made, those that the key made before our first one at any time, as many at once as were made at
 * once.
 */
export function readSliding(calls: readonly Exchange[]): MayHaveSlid {
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
