import { quotaOf } from '../limits/quota.ts';
import type { Answered } from '../transcript/exchange.ts';
import { probesOf, type Reader } from './reading.ts';

/** By how much a probe let Remaining fall, next to the call before it in the same window. */
type Step = { isHead: boolean; used: number };

/**
 * Whether calls of no operation use quota, read from calls one after the other. Only those that began
 * with quota left tell: at 0, Remaining cannot fall.
 */
export const readRateLimitScope: Reader = (source) => {
  const probes = [...probesOf(source, 'rate-limit-scope').values()].flat();
  const shown = probes.toSorted((left, right) => left.sentAt - right.sentAt);
  const steps = shown.flatMap((one, index) => {
    const before = shown[index - 1];
    return (before && toStep(before, one)) ?? [];
  });
  const no = (reason: string) => ({ shown, reason });
  if (shown.length < 2) return undefined;
  if (shown.every((one) => quotaOf(one).remaining === undefined))
    return no('the answers have no Remaining to show what is counted');
  const heads = steps.filter(({ isHead }) => isHead);
  if (heads.length === 0)
    return no('no HEAD came with quota left, so it does not show whether it is counted');
  if (steps.every(({ isHead, used }) => isHead || used <= 0))
    return no('Remaining does not fall with each call');
  return { answer: heads.every(({ used }) => used === 0) ? 'operations' : 'every-call', shown };
};

function toStep(before: Answered, one: Answered): Step | undefined {
  const [left, right] = [quotaOf(before), quotaOf(one)];
  const isSameWindow =
    left.reset === right.reset &&
    left.limit === right.limit &&
    before.request.keyName === one.request.keyName;
  if (!isSameWindow || !left.remaining || right.remaining === undefined) return undefined;
  return { isHead: one.case.method === 'HEAD', used: left.remaining - right.remaining };
}
