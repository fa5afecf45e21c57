import { type Exchange, isAnswered } from './exchange.ts';
import { type WithQuota, withQuota } from './quota.ts';
import type { Transcript } from './transcript.ts';

/** A successful call that a key made alone, after the answer before it. */
export type Step = { before: WithQuota; after: WithQuota };

/** By how much X-RateLimit-Remaining falls with the call of a step. */
export function fallOf({ before, after }: Step): number {
  return before.quota.remaining - after.quota.remaining;
}

/** The steps of all keys within a window, in order of sending; `shift` is by how many seconds Reset may move. */
export function stepsOf({ exchanges }: Pick<Transcript, 'exchanges'>, { shift = 0 } = {}): Step[] {
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
    return before && alone && isSuccess && isNear(before, after, shift) ? [{ before, after }] : [];
  });
}

function isNear({ quota: one }: WithQuota, { quota: other }: WithQuota, shift: number): boolean {
  return one.limit === other.limit && Math.abs(one.reset - other.reset) <= shift;
}
