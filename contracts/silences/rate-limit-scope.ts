import { quotaOf } from '../limits/quota.ts';
import type { Answered } from '../transcript/exchange.ts';
import { probesOf, type Reader, type Reading } from './reading.ts';

/** By how much a probe let Remaining fall, next to the call before it in the same window. */
type Step = { probe: string; used: number; status: number; before: Answered };

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
  if (shown.every((one) => quotaOf(one).remaining === undefined))
    return no('the answers have no Remaining to show what is counted');
  if (steps.length === 0) return no('Remaining was 0 already, so it cannot show what is counted');
  const of = (probe: string) => steps.filter((step) => step.probe === probe);
  const [calls, heads] = [of('a call'), of('HEAD')];
  if (!calls.some(isCounted)) return no('Remaining does not fall with each call');
  if (heads.length === 0)
    return no('no HEAD came with quota left, so it does not show whether it is counted');
  const refused = steps.filter(({ status }) => status >= 400 && status < 500);
  const { isFree, ...rest } = readRefused(refused, calls);
  const free = [...(areFree(heads) ? ['operations'] : []), ...(isFree ? ['successes'] : [])];
  return {
    answer: free.length > 1 ? free : (free[0] ?? 'every-call'),
    shown,
    parts: { HEAD: heads.length, ...(refused.length > 0 && { '4xx': refused.length }) },
    ...rest,
  };
};

/** Whether calls that end in 4xx use no quota, or give back what they used. */
function readRefused(
  refused: readonly Step[],
  calls: readonly Step[],
): { isFree: boolean } & Pick<Reading, 'unsure' | 'beyondTwin'> {
  if (refused.length === 0)
    return { isFree: false, unsure: ['no call with quota left ended in 4xx'] };
  const after = calls.filter(({ before }) => refusedStatus(before) !== undefined);
  const others = calls.filter((one) => !after.includes(one));
  const isGivenBack = areFree(after) && others.some(isCounted) && refused.every(isCounted);
  if (isGivenBack)
    return {
      isFree: true,
      beyondTwin:
        'a call that ends in 4xx is still counted in its own answer; the answers of the twin leave it out at once',
    };
  if (areFree(refused)) return { isFree: true };
  const free = new Set(refused.filter((one) => !isCounted(one)).map(({ status }) => status));
  const counted = new Set(refused.filter(isCounted).map(({ status }) => status));
  return {
    isFree: false,
    ...(free.size > 0 && {
      beyondTwin: `calls that end in ${[...free].join(' or ')} are not always counted, and those that end in ${[...counted].join(' or ')} are; the twin counts all of them`,
    }),
  };
}

function refusedStatus({ response: { status } }: Answered): number | undefined {
  return status >= 400 && status < 500 ? status : undefined;
}

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
  return {
    probe: purpose.kind === 'silence' ? purpose.probe : '',
    used: left - right,
    status: one.response.status,
    before,
  };
}

function isCounted({ used }: Step): boolean {
  return used > 0;
}

function areFree(steps: readonly Step[]): boolean {
  return steps.length > 0 && steps.every(({ used }) => used === 0);
}
