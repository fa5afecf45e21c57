import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { resultOf, rowOf, verifyDeployment } from '../../support/verify-deployment.ts';

async function verifyRow(id: string): Promise<Report> {
  const only = ['rate-limit-countdown', 'rate-limit-refusal', 'retry-works', 'keys-isolated'];
  return (await verifyDeployment(rowOf(id), { probeLimits: true, fill: true, only })).report;
}

it('tells nothing of the counters of keys that another client uses', async () => {
  const report = await verifyRow('fair-key-shared-in-bursts');
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(resultOf(report, 'rate-limit-countdown')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^another client uses keys? .*\bpro-1\b.*: Remaining falls by more than our calls$/,
    ),
  });
}, 60_000);

it('blames a deployment whose counters fall too fast alike each time', async () => {
  const report = await verifyRow('headers-remaining-falls-by-two');
  expect(resultOf(report, 'rate-limit-countdown')?.verdict).toBe('drift');
}, 60_000);

it('counts no refused credential as a call of the key that it was made from', async () => {
  const { mutate } = rowOf('limit-shared-by-all-keys');
  const reset = Math.floor(Date.now() / 1000) + 60;
  const { report } = await verifyDeployment(
    {
      mutate: (truth, tools) => {
        const row = mutate?.(truth, tools);
        const meter = row?.meter ?? truth.meter;
        return { ...row, meter: (...call) => ({ ...meter(...call), reset }) };
      },
    },
    { probeLimits: true, fill: true },
  );
  expect(resultOf(report, 'keys-isolated')?.verdict).toBe('drift');
}, 60_000);
