import { expect, it } from 'vitest';
import { verifyDeployment } from '../../support/verify-deployment.ts';

it('sends no more than it may, those that wait for a key counted', async () => {
  const settings = {
    keys: { 'k-few': 'few' },
    plans: { few: { minute: 9, day: 100_000 } },
    windowSeconds: 1,
  };
  const { report, calls } = await verifyDeployment(
    { settings },
    { keys: [{ secret: 'k-few' }], maxRequests: 30, wait: 2000 },
  );
  expect(calls).toBeGreaterThan(20);
  expect(calls).toBeLessThanOrEqual(30);
  expect(report.targets[0]?.requests).toBe(calls);
  expect(report.incomplete.join()).toContain('as the run may make 30 requests');
}, 30_000);
