import { expect, it } from 'vitest';
import { checks } from '../../../contracts/checks/index.ts';
import { everyNth } from '../../support/sample.ts';
import { resultOf, verifyDeployment } from '../../support/verify-deployment.ts';

const settings = { probeLimits: true, fill: true };
const whole: { report?: Awaited<ReturnType<typeof verifyDeployment>> } = {};
const verifyWhole = async () => (whole.report ??= await verifyDeployment({}, settings));

it('sends for page-size lists, limits out of range and items alone, and reads no silence', async () => {
  const { report, calls } = await verifyDeployment({}, { ...settings, only: ['page-size'] });
  const { report: all } = await verifyWhole();
  expect(calls).toBeLessThan(160);
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
  expect(report.operations.filter(({ results }) => results.target?.calls).length).toBe(2);
  expect(report.silences).toEqual([]);
  expect(report.notCalled).toEqual([]);
  expect(all.silences.length).toBeGreaterThan(19);
});

const declared = checks.filter(({ needsCases }) => needsCases !== undefined).map(({ id }) => id);

it.each(everyNth(5, declared))('judges %s by what it needs as in a whole run', async (id) => {
  const { report: all, calls } = await verifyWhole();
  const expected = resultOf(all, id);
  if (!expected?.held) return;
  const { report, calls: fewer } = await verifyDeployment({}, { ...settings, only: [id] });
  expect(resultOf(report, id)?.verdict).toBe(expected.verdict);
  expect(fewer).toBeLessThan(calls);
});
