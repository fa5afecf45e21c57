import { expect, it } from 'vitest';
import type { DeploymentOptions } from '../../../tools/lab/deployment.ts';
import { labKeys, resultOf, verifyDeployment } from '../../support/verify-deployment.ts';

/** Refuses the first calls of each key (or of one), which has to wait so many seconds. */
function refusing(calls: number, seconds: number, key?: string): DeploymentOptions {
  const made = new Map<string, number>();
  return {
    mutate: (truth) => ({
      meter: (call, account) => {
        const quota = truth.meter(call, account);
        if (!account || (key !== undefined && account.key !== key)) return quota;
        made.set(account.key, (made.get(account.key) ?? 0) + 1);
        const reset = Math.floor(Date.now() / 1000) + seconds;
        return (made.get(account.key) as number) > calls
          ? quota
          : { ...quota, remaining: 0, reset, refusedFor: seconds };
      },
    }),
  };
}

const settings = { keys: [labKeys.pro], only: ['filter'] };

it('waits for the quota of keys that are used up before the first call', async () => {
  const { report } = await verifyDeployment(refusing(1, 1), { ...settings, wait: 61_000 });
  expect(resultOf(report, 'filter')).toMatchObject({ verdict: 'kept' });
});

it('says how long keys are used up that the run may not wait for', async () => {
  await expect(verifyDeployment(refusing(1, 43), settings)).rejects.toThrow(
    /answers 429 to every key: their quota is used up for another 4\d s\. Allow a wait of 61 s with --wait, or give another key with --key\.$/,
  );
});

it('says so where waiting did not help', async () => {
  await expect(
    verifyDeployment(refusing(Number.POSITIVE_INFINITY, 1), { ...settings, wait: 61_000 }),
  ).rejects.toThrow(
    'answers 429 to every key, even after its Retry-After. Give another key with --key.',
  );
});

it('does not try the limit of a key that has to wait', async () => {
  const { free, pro } = labKeys;
  const { report } = await verifyDeployment(refusing(1, 43, free.secret), {
    keys: [free, pro],
    probeLimits: true,
    only: ['rate-limit-refusal'],
  });
  expect(resultOf(report, 'rate-limit-refusal')).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the limit of key free-1 was not tried: it has to wait after a 429',
  });
});
