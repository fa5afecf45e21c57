import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { createBudget } from '../../../contracts/run/keys/budget.ts';
import { credentialHeaders } from '../../../contracts/run/keys/credential.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import type { VerifyTarget } from '../../../contracts/verify/options.ts';
import type { DeploymentOptions } from '../../../tools/lab/deployment.ts';
import { labKeys, resultOf, verifyDeployment } from '../../support/verify-deployment.ts';

const forms = ['unknown', 'truncated', 'altered', 'extended', 'other-case', 'prefixed'] as const;
const keys = fc.uniqueArray(fc.stringMatching(/^[01xX-]{1,4}$/), { minLength: 1, maxLength: 6 });

it('makes of each key a wrong one that is none of the keys', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(...forms), (all, form) => {
      for (const key of all) {
        const { Authorization = '' } = credentialHeaders(form, key, all);
        expect(all.map((one) => `Bearer ${one}`)).not.toContain(Authorization);
      }
    }),
  );
});

async function verifyWith(
  keys: VerifyTarget['keys'],
  deployment: DeploymentOptions = {},
): Promise<Report> {
  return (await verifyDeployment(deployment, { keys, probeLimits: true })).report;
}

const { free, pro } = labKeys;
const mistyped = { plan: 'free', secret: 'mistyped-key-of-a-user' };

it.each([
  ['first', [mistyped, pro]],
  ['beside another of its plan', [free, mistyped, pro]],
])(
  'blames nobody for a key that is refused, and names it by its beginning: %s',
  async (_, keys) => {
    const report = await verifyWith(keys);
    expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
    expect(report.verdict).toBe('incomplete');
    const name = keys.includes(free) ? 'free-2' : 'free-1';
    expect(report.incomplete.join('\n')).toContain(
      `target: key ${name} (mist…) is refused with 401, so it was not used. Is it right, and is it a key of this deployment?`,
    );
    expect(JSON.stringify(report)).not.toContain(mistyped.secret);
    expect(report.targets[0]?.keys).toEqual(keys.includes(free) ? ['free-1', 'pro-1'] : ['pro-1']);
  },
  60_000,
);

it('says of the clauses that a refused key leaves untried why they were', async () => {
  const report = await verifyWith([mistyped, pro]);
  for (const id of ['rate-limit-plan', 'rate-limit-refusal', 'keys-isolated'])
    expect(resultOf(report, id), id).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('key free-1 (mist…) is refused'),
    });
}, 60_000);

it('judges a deployment that accepts a key somewhere and refuses it elsewhere', async () => {
  const report = await verifyWith([free, pro], {
    mutate: (truth) => ({
      authenticate: (call) => {
        const account = truth.authenticate(call);
        return account?.plan === 'free' && call.operation === 'listPets' ? undefined : account;
      },
    }),
  });
  expect(report.findings.find(({ check }) => check === 'success-status')?.actual).toContain('401');
}, 60_000);

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

type Mutate = NonNullable<DeploymentOptions['mutate']>;

async function watchWith(mutate: Mutate): Promise<Report> {
  return (await verifyDeployment({ mutate })).report;
}

it('ends a run whose keys stop working with the call before, and judges nothing after it', async () => {
  let creates = 0;
  const report = await watchWith((truth) => ({
    create: (...call) => {
      creates += 1;
      return truth.create(...call);
    },
    authenticate: (call) => (creates > 20 ? undefined : truth.authenticate(call)),
  }));
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(report.verdict).toBe('incomplete');
  expect(report.ended).toEqual([
    expect.stringMatching(
      /^target: key \S+ stopped working after POST \/pets was answered 201: every call since then gets 401/,
    ),
  ]);
  expect(report.targets[0]?.requests).toBeLessThan(300);
});

it('goes on where one operation alone refuses the keys', async () => {
  const report = await watchWith((truth) => ({
    authenticate: (call) => (call.operation === 'getPet' ? undefined : truth.authenticate(call)),
  }));
  expect(report.ended).toEqual([]);
  expect(report.findings[0]?.actual).toContain('401');
});

function answer(limit: number, remaining: number): Exchange {
  const headers: [string, string][] = [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
  ];
  return { response: { status: 200, headers } } as unknown as Exchange;
}

it.each([
  ['less than its limit', 99, 99],
  ['nothing', 0, 0],
  ['as much as its limit, so that calls are not counted', 100, Number.POSITIVE_INFINITY],
])('takes a key that has %s left at its word', (_, remaining, available) => {
  const budget = createBudget({ name: 'key-1', secret: 'secret' }, {});
  budget.take();
  budget.received(answer(100, remaining));
  expect(budget.available()).toBe(available);
});
