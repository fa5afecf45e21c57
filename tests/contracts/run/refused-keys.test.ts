import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { VerifyTarget } from '../../../contracts/verify/options.ts';
import type { DeploymentOptions } from '../../../tools/lab/deployment.ts';
import { labKeys, resultOf, verifyDeployment } from '../../support/verify-deployment.ts';

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
