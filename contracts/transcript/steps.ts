import { type Exchange, isAnswered } from './exchange.ts';
import { isSameWindow, type WithQuota, withQuota } from './quota.ts';
import type { Transcript } from './transcript.ts';

/** A successful call that a key made alone, after the answer before it, in one window. */
export type Step = { before: WithQuota; after: WithQuota };

/** By how much X-RateLimit-Remaining falls with the call of a step. */
export function fallOf({ before, after }: Step): number {
  return before.quota.remaining - after.quota.remaining;
}

/** The steps of all keys, in order of sending. */
export function stepsOf({ exchanges }: Pick<Transcript, 'exchanges'>): Step[] {
  const ofKeys = exchanges.filter(({ case: one, response }) => one.credential === 'valid' && response?.status !== 401);
  const counted = withQuota(ofKeys.filter(isAnswered).filter(({ case: { operation } }) => operation !== undefined));
  return counted.flatMap((after) => {
    const earlier = ofKeys.filter((one) => one.request.keyName === after.request.keyName && one.number < after.number);
    const last = earlier.reduce<Exchange | undefined>(
      (latest, one) => (latest && latest.number > one.number ? latest : one),
      undefined,
    );
    const before = counted.find((one) => one.number === last?.number);
    const alone = after.alone && earlier.every(({ endedAt }) => endedAt <= after.sentAt);
    const isSuccess = after.response.status >= 200 && after.response.status < 300;
    return before && alone && isSuccess && isSameWindow(before, after) ? [{ before, after }] : [];
  });
}
