import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import { type DeploymentOptions, openDeployment } from '../../../tools/lab/deployment.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { type ClientCall, judgeTraffic, record, toRecorded } from '../../support/traffic.ts';

const key = 'k-pro-1';
const rex = { name: 'Rex of the hill', categoryId: 1, status: 'available' };

/** Makes calls one after the other, and judges what passed. */
async function judgeCalls(options: DeploymentOptions, calls: ClientCall[]): Promise<Report> {
  const { url, close } = await openDeployment(options);
  onTestFinished(close);
  const recorded = [];
  for (const call of calls) recorded.push(await record(url, { key, ...call }));
  return judgeTraffic(recorded, { baseUrl: url });
}

const gating = ({ findings }: Report) => findings.filter(({ verdict }) => verdict !== 'client');
const verdictOf = ({ clauses }: Report, id: string) =>
  clauses.find((clause) => clause.id === id)?.results.target;

it('finds nothing in the traffic of a client of a true deployment', async () => {
  const report = await judgeCalls({}, [
    { path: '/pets' },
    { path: '/pets?status=sold&limit=5' },
    { path: '/pets', method: 'POST', body: rex },
    { path: '/pets/46' },
    { path: '/pets/7777' },
    { path: '/pets', method: 'POST', body: { name: 'Nobody of note' } },
    { path: '/store/orders' },
    { path: '/elsewhere' },
  ]);
  expect(gating(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'clean', targets: [{ requests: 8 }] });
  expect(verdictOf(report, 'unknown-id')).toEqual({ verdict: 'kept', held: 1 });
  expect(verdictOf(report, 'created-as-sent')).toEqual({ verdict: 'kept', held: 1 });
  expect(verdictOf(report, 'retry-works')).toEqual({
    verdict: 'unobserved',
    held: 0,
    reason: 'no refused call was sent again after its Retry-After',
  });
});

it('shows a call without a body as one', async () => {
  const { findings } = await judgeCalls({}, [{ path: '/pets/1' }]);
  expect(findings).toMatchObject([{ check: 'deprecated-operation' }]);
  expect(findings[0]?.curl).not.toMatch(/Content-Type|--data/);
});

it('finds nothing in all that the suite sends to a true deployment', async () => {
  const { exchanges, target } = await recordTranscript();
  const recorded = exchanges.map((one) => toRecorded(one, target.url, (name) => `k-${name}`));
  const report = await judgeTraffic(recorded, { baseUrl: target.url });
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  const ofKind = (verdict: string) =>
    report.clauses.filter(({ results }) => results.target?.verdict === verdict).length;
  expect(ofKind('kept')).toBeGreaterThan(26);
  expect(report.defects).toEqual([]);
}, 120_000);
