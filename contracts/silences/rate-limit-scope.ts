import { quotaOf } from '../limits/quota.ts';
import type { Answered } from '../transcript/exchange.ts';
import { probesOf, type Reader } from './reading.ts';

/** By how much a probe let Remaining fall, next to the call before it in the same window. */
type Step = { probe: string; used: number; isRefused: boolean; isAfterRefusal: boolean };

/**
 * Which calls use quota, read from calls one after the other. Only those that began with quota left
 * tell: at 0, Remaining cannot fall.
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
  if (steps.length === 0) return no('Remaining was 0 already, so it cannot show what is counted');
  const of = (probe: string) => steps.filter((step) => step.probe === probe);
  const [calls, heads] = [of('a call'), of('HEAD')];
  if (!calls.some(isCounted)) return no('Remaining does not fall with each call');
  if (heads.length === 0)
    return no('no HEAD came with quota left, so it does not show whether it is counted');
  // What a refused call used may be given back after its answer.
  const afterRefused = calls.filter(({ isAfterRefusal }) => isAfterRefusal);
  const isGivenBack =
    areFree(afterRefused) && calls.some((one) => !one.isAfterRefusal && isCounted(one));
  const refused = steps.filter(({ isRefused }) => isRefused);
  const free = [
    ...(areFree(heads) ? ['operations'] : []),
    ...(areFree(refused) || isGivenBack ? ['successes'] : []),
  ];
  return {
    answer: free.length > 1 ? free : (free[0] ?? 'every-call'),
    shown,
    ...(refused.length === 0 && { unsure: ['no call with quota left ended in 4xx'] }),
  };
};

function toStep(before: Answered, one: Answered): Step | undefined {
  const [left, right] = [quotaOf(before), quotaOf(one)];
  const isSameWindow =
    left.reset === right.reset &&
    left.limit === right.limit &&
    before.request.keyName === one.request.keyName;
  if (!isSameWindow || !left.remaining || right.remaining === undefined) return undefined;
  const { purpose } = one.case;
  return {
    probe: purpose.kind === 'silence' ? purpose.probe : '',
    used: left.remaining - right.remaining,
    isRefused: isRefusal(one),
    isAfterRefusal: isRefusal(before),
  };
}

function isRefusal({ response: { status } }: Answered): boolean {
  return status >= 400 && status < 500;
}

function isCounted({ used }: Step): boolean {
  return used > 0;
}

function areFree(steps: readonly Step[]): boolean {
  return steps.length > 0 && steps.every(({ used }) => used === 0);
}
