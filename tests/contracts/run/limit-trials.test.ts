import { expect, it, onTestFinished, vi } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import type { Case } from '../../../contracts/cases/case.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { createBudget } from '../../../contracts/run/keys/budget.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import type { VerifyTarget } from '../../../contracts/verify/options.ts';
import { compile } from '../../../openapi/index.ts';
import type { DeploymentOptions } from '../../../tools/lab/deployment.ts';
import { labKeys, resultOf, rowOf, verifyDeployment } from '../../support/verify-deployment.ts';

const { free, otherFree, pro, business } = labKeys;

/** Judges what a deployment does with the limits of keys. */
function verifyLimits(
  keys: VerifyTarget['keys'],
  deployment: DeploymentOptions = {},
  settings: { concurrency?: number; maxRequests?: number } = {},
) {
  return verifyDeployment(deployment, {
    keys,
    probeLimits: true,
    only: ['rate-limit-refusal', 'rate-limit-countdown', 'keys-isolated'],
    ...settings,
  });
}

const driftOf = ({ findings }: Report) =>
  findings.filter(({ verdict }) => verdict === 'drift').map(({ message }) => message);

/** Never refuses the keys of a plan. */
function sparing(plan: string): DeploymentOptions {
  return {
    mutate: (truth) => ({
      meter: (call, account) => {
        const { refusedFor, ...quota } = truth.meter(call, account);
        return account?.plan === plan || refusedFor === undefined
          ? quota
          : { ...quota, refusedFor };
      },
    }),
  };
}

it('makes one call at a time where no more are allowed, limits included', async () => {
  let [underWay, max] = [0, 0];
  const { report } = await verifyLimits(
    [free, otherFree, pro],
    {
      mutate: () => ({
        send: async (call, _, response) => {
          underWay += 1;
          max = Math.max(max, underWay);
          response.once('finish', () => {
            underWay -= 1;
          });
          await new Promise((resolve) => setTimeout(resolve, call.number % 3));
          return false;
        },
      }),
    },
    { concurrency: 1 },
  );
  expect(max).toBe(1);
  expect(resultOf(report, 'rate-limit-refusal')?.verdict).toBe('kept');
}, 60_000);

it('tries the limit of each plan, and finds that one is none', async () => {
  const { report } = await verifyLimits([free, pro], sparing('pro'), { maxRequests: 900 });
  expect(driftOf(report)).toEqual(['a request beyond the limit is not answered with 429']);
}, 60_000);

it('finds each limit that the run can afford, and says of the others why they were not tried', async () => {
  const { report, calls } = await verifyLimits([free, pro, business]);
  expect(driftOf(report)).toEqual([]);
  expect(calls).toBeLessThanOrEqual(900);
  expect(resultOf(report, 'rate-limit-refusal')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^the limit of key business-1 was not tried: it takes \d+ requests, and the run may make \d+ more \(--max-requests\)$/,
    ),
  });
}, 60_000);

it('finds that two instances share no counter', async () => {
  const { report } = await verifyLimits([free, otherFree, pro], rowOf('limit-of-two-instances'));
  expect(JSON.stringify(report.clauses)).not.toContain('another client');
  expect(driftOf(report)).not.toEqual([]);
  expect(report.incomplete.join('\n')).toMatch(
    /target: key free-1 had (no|[1-9]\d*) requests? left, but (none of \d+ requests was|its next request was not) refused/,
  );
}, 60_000);

it('blames the calls of other keys, and no other client, where all keys share a counter', async () => {
  const { report } = await verifyLimits([free, otherFree, pro], {
    mutate: (truth) => ({
      meter: (call, account) =>
        truth.meter(call, account && { ...account, key: 'all', plan: 'business' }),
    }),
  });
  expect(resultOf(report, 'rate-limit-countdown')?.reason).toMatch(
    /^Remaining of keys .* falls with calls of other keys too, so its calls cannot be counted one by one$/,
  );
  expect(driftOf(report)).toContain("another key's calls are counted for this key");
}, 60_000);

it('takes an answer that arrives late for no news of a window that began since', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 15, 12, 1, 0, 100) });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const document = await compile(builtInDocument);
  const budget = createBudget({ name: 'free-1', ...free }, document.plans);
  const answer = (minute: number, remaining: number): Exchange => {
    const headers: [string, string][] = [
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Remaining', String(remaining)],
      ['X-RateLimit-Reset', String(Math.floor(Date.UTC(2026, 0, 15, 12, minute + 1) / 1000))],
    ];
    const testCase: Case = {
      ...{ id: 'listPets/any', method: 'GET', path: '/pets', credential: 'valid' },
      ...{ purpose: { kind: 'exhaust' }, priority: 1, writes: false },
    };
    const request = { method: 'GET', path: '/pets', headers: {}, keyName: 'free-1' };
    const response = { status: 200, headers, size: 0, hasMark: false, text: '', json: undefined };
    const [sentAt, endedAt] = [Date.now() - 50, Date.now()];
    return { number: 1, case: testCase, request, sentAt, endedAt, response };
  };
  for (const [minute, remaining] of [
    [1, 59],
    [0, 3],
  ] as const) {
    budget.take();
    budget.received(answer(minute, remaining));
  }
  expect(budget.available()).toBe(59);
});

it('does not take a server error for the refusal at the limit', async () => {
  let lists = 0;
  const { report } = await verifyLimits([free, otherFree], {
    mutate: (truth) => ({
      meter: (call, account) => {
        const { refusedFor: _, ...quota } = truth.meter(call, account);
        return { ...quota, remaining: Math.max(quota.remaining, 3) };
      },
      answer: ({ path, method, headers }, answer) => {
        const isProbe =
          method === 'GET' && path === '/pets' && headers.authorization === 'Bearer k-free-1';
        lists += isProbe ? 1 : 0;
        return isProbe && lists === 40 ? { ...answer, status: 503 } : answer;
      },
    }),
  });
  expect(resultOf(report, 'rate-limit-refusal')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^key free-1 was not refused within \d+ requests: one of them was answered with 503$/,
    ),
  });
}, 60_000);
