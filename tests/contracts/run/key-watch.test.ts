import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { DeploymentOptions } from '../../../tools/lab/deployment.ts';
import { verifyDeployment } from '../../support/verify-deployment.ts';

type Mutate = NonNullable<DeploymentOptions['mutate']>;

async function verifyWith(mutate: Mutate): Promise<Report> {
  return (await verifyDeployment({ mutate })).report;
}

it('ends a run whose keys stop working with the call before, and judges nothing after it', async () => {
  let creates = 0;
  const report = await verifyWith((truth) => ({
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
  const report = await verifyWith((truth) => ({
    authenticate: (call) => (call.operation === 'getPet' ? undefined : truth.authenticate(call)),
  }));
  expect(report.ended).toEqual([]);
  expect(report.findings[0]?.actual).toContain('401');
});
