import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { clockAhead, isSameWindow, quotaOf, retryAfter, type WithQuota, withQuota } from '../transcript/quota.ts';
import { gainsByPauses } from '../transcript/refilling-keys.ts';
import { drainedKeys, toSharedReason } from '../transcript/shared-keys.ts';
import { type Transcript, toRefusal } from '../transcript/transcript.ts';
import { type Check, called, shownAnswer } from './check.ts';

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
  judge(transcript, judge) {
    for (const key of transcript.refusedKeys) judge.inconclusive(`${toRefusal(key)}, so its limit was not tried`);
    const shared = drainedKeys(transcript);
    const mayRefill = gainsByPauses(transcript);
    for (const { before, after } of sequences(transcript)) {
      const { status, text } = after.response;
      const left = before.quota.remaining;
      const { purpose } = after.case;
      const waited = purpose.kind === 'after-exhaustion' && purpose.key === 'same';
      const isRefilled = status < 300 && mayRefill;
      if (left === 0 && !waited && !isRefilled && !endedBetween(before, after))
        judge.hold(status === 429, after, () => ({
          message: 'a request beyond the limit is not answered with 429',
          expected: '429, as the answer before showed nothing left',
          actual: shownAnswer({ status, text }),
        }));
      if (left <= after.concurrent || !isOwnWindow(transcript, before) || isOtherLimit(after)) continue;
      if (status === 429 && shared.size > 0) judge.inconclusive(toSharedReason(shared));
      else
        judge.hold(status !== 429, after, () => ({
          message: `${called(after)} is answered with 429 although requests were left`,
          expected: `an answer other than 429, as ${left} requests were left`,
          actual: '429',
        }));
    }
    if (!transcript.exchanges.some(({ case: { purpose } }) => purpose.kind === 'exhaust'))
      judge.inconclusive('no limit was tried: it is too high, or trying was not allowed');
    else {
      const missing = plansNotTried(transcript);
      if (missing.length > 0) judge.inconclusive(`the limit of ${missing.join(', ')} was not tried: too many requests were left`);
    }
  },
};

/** The plans with figures that a key was given for, and no key of which was used up. */
function plansNotTried({ exchanges, keys, document }: Transcript): string[] {
  const planOf = (keyName: string | undefined) => keys.find(({ name }) => name === keyName)?.plan;
  const used = exchanges
    .filter(({ case: { purpose } }) => purpose.kind === 'exhaust')
    .map(({ request }) => planOf(request.keyName));
  return [...new Set(keys.map(({ plan = '' }) => plan))].filter(
    (plan) => typeof document.plans[plan] === 'object' && !used.includes(plan),
  );
}

type Pair = { before: WithQuota; after: Answered & { concurrent: number } };

/** Each answer with a key's quota, after the latest answer of that key that had ended when it was sent. */
function sequences({ exchanges }: Transcript): Pair[] {
  const valid = exchanges.filter(isAnswered).filter(({ case: one }) => one.credential === 'valid' && one.operation);
  const byKey = Map.groupBy(valid, ({ request }) => request.keyName);
  return [...byKey.values()].flatMap((ofKey) => {
    const quotas = withQuota(ofKey.filter(({ response }) => response.status !== 401));
    return ofKey.flatMap((after) => {
      const ended = quotas.filter((one) => one.endedAt <= after.sentAt && one.number < after.number);
      const before = ended
        .toSorted((one, other) => one.quota.remaining - other.quota.remaining)
        .find((one) => isLatestWindow(one, ended));
      const concurrent = ofKey.filter((one) => one !== after && one.sentAt <= after.endedAt && one.endedAt >= after.sentAt);
      return before ? [{ before, after: { ...after, concurrent: concurrent.length } }] : [];
    });
  });
}

function isLatestWindow(one: WithQuota, ended: readonly WithQuota[]): boolean {
  const latest = ended.reduce((last, other) => (other.quota.reset > last.quota.reset ? other : last));
  return isSameWindow(one, latest);
}

/** A refusal that lasts beyond the minute is the day's; one that shows nothing left may be somebody else's calls with the key. */
function isOtherLimit(after: Answered): boolean {
  const isOurs = after.case.purpose.kind === 'exhaust';
  return (retryAfter(after) ?? 0) > 61_000 || (!isOurs && quotaOf(after).remaining === 0);
}

/** The window of the earlier answer may have ended before the later one was made. */
function endedBetween(before: WithQuota, after: Answered): boolean {
  return (after.endedAt + clockAhead(before)) / 1000 >= before.quota.reset - 2.1;
}

/** A window of a minute or less is the one that refuses first; a longer one may hide a shorter. */
function isOwnWindow({ keys, document }: Transcript, { quota, request, endedAt }: WithQuota): boolean {
  const plan = keys.find(({ name }) => name === request.keyName)?.plan;
  const figures = document.plans[plan ?? ''];
  const isMinute = typeof figures === 'object' ? quota.limit === figures.perMinute : quota.reset - endedAt / 1000 <= 60;
  return isMinute && quota.reset - endedAt / 1000 <= 61;
}
