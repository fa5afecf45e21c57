import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { labKeys, resultOf, rowOf, verifyDeployment } from '../../support/verify-deployment.ts';

async function verifyRow(id: string): Promise<Report> {
  return (await verifyDeployment(rowOf(id), { keys: [labKeys.pro], fill: true })).report;
}

const reasonOf = (report: Report, id: string) => resultOf(report, id)?.reason;
const observed = ({ silences }: Report) =>
  silences.find(({ id }) => id === 'read-after-create')?.observed.target;

it('says that somebody else may have changed what changed once, and no fresh item again', async () => {
  const [sold, deleted] = await Promise.all([
    verifyRow('fair-others-sell'),
    verifyRow('fair-others-delete'),
  ]);
  expect(reasonOf(sold, 'read-back')).toMatch(
    /^item \d+.* changed during the run \(status\), and new items did not: another client/,
  );
  expect(reasonOf(deleted, 'reads-change-nothing')).toMatch(
    /^item \d+.* changed during the run \(gone\), and new items did not/,
  );
}, 60_000);

it('maps whether what is created is there at once', async () => {
  const [true_, late] = await Promise.all([verifyRow('fair-true'), verifyRow('fair-two-replicas')]);
  expect(observed(true_)).toBe('immediately');
  expect(observed(late)).toMatch(/missing|later/);
  expect(late.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
}, 60_000);
