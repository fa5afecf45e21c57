import type { Answered } from '../transcript/exchange.ts';
import { quotaOf } from '../transcript/limits/quota.ts';
import { probesOf, type Reader } from './reading.ts';

/** By how much a probe let Remaining fall, next to the call before it in the same window. */
type Step = { probe: string; used: number };

/**
 * Which calls use quota, read from calls one after the other. Only those that began with quota left
 * tell: at 0, Remaining cannot fall.
 */
export const readRateLimitScope: Reader = (source) => {
  const probes = [...probesOf(source, 'rate-limit-scope').values()].flat();
  const shown = probes.toSorted((left, right) => left.sentAt - right.sentAt);
  const pairs = shown.flatMap((one, index) => {
    const before = shown[index - 1];
    return before && isSameWindow(before, one) ? [{ before, one }] : [];
  });
  if (pairs.length === 0) return undefined;
  const steps = pairs.flatMap(({ before, one }) => toStep(before, one) ?? []);
  const no = (reason: string) => ({ shown, reason });
  if (steps.length === 0) return no('Remaining was 0 already, so it cannot show what is counted');
  const [calls, heads, refused] = ['a call', 'HEAD', 'a refused call'].map((probe) =>
    steps.filter((step) => step.probe === probe),
  ) as [Step[], Step[], Step[]];
  if (!calls.some(isCounted)) return no('Remaining does not fall with each call');
  if (heads.length === 0)
    return no('no HEAD came with quota left, so it does not show whether it is counted');
  if (areFree(refused)) return no('calls that end in 4xx are not counted');
  return { answer: areFree(heads) ? 'operations' : 'every-call', shown };
};

function isSameWindow(before: Answered, one: Answered): boolean {
  const [left, right] = [quotaOf(before), quotaOf(one)];
  return (
    left.reset === right.reset &&
    left.limit === right.limit &&
    before.request.keyName === one.request.keyName
  );
}

function toStep(before: Answered, one: Answered): Step | undefined {
  const [left, right] = [quotaOf(before).remaining, quotaOf(one).remaining];
  if (left === undefined || right === undefined || left === 0) return undefined;
  const { purpose } = one.case;
  return { probe: purpose.kind === 'silence' ? purpose.probe : '', used: left - right };
}

function isCounted({ used }: Step): boolean {
  return used > 0;
}

function areFree(steps: readonly Step[]): boolean {
  return steps.length > 0 && steps.every(({ used }) => used === 0);
}
