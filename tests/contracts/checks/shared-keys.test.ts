import { expect, it, onTestFinished } from 'vitest';
import { readRunOptions } from '../../../contracts/command/parse-options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { broken } from '../../../tools/lab/broken.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { fair } from '../../../tools/lab/fair.ts';
import type { Row } from '../../../tools/lab/row.ts';

const exact = ['rate-limit-countdown', 'rate-limit-refusal', 'retry-works', 'keys-isolated'];

async function judgeRow(rows: readonly Row[], id: string): Promise<Report> {
  const { settings, mutate } = rows.find((row) => row.id === id) as Row;
  const deployment = await openDeployment({
    ...(settings && { settings }),
    ...(mutate && { mutate }),
  });
  onTestFinished(() => deployment.close());
  const keys = [
    { plan: 'free', secret: 'k-free-1' },
    { plan: 'free', secret: 'k-free-2' },
    { plan: 'pro', secret: 'k-pro-1' },
  ];
  return verify({
    document: await loadDocument(builtInDocument),
    targets: [
      { name: 'target', url: deployment.url, keys, writes: true, probeLimits: true, fill: true },
    ],
    ...readRunOptions({ only: exact, wait: 0 }),
    onEvent: () => {},
  });
}

const verdictOf = ({ clauses }: Report, id: string) =>
  clauses.find((clause) => clause.id === id)?.results.target;

it('tells nothing of the counters of keys that somebody else uses', async () => {
  const report = await judgeRow(fair, 'fair-key-shared-in-bursts');
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect(verdictOf(report, 'rate-limit-countdown')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^somebody else uses keys? .*\bpro-1\b.*: Remaining falls by more than our calls$/,
    ),
  });
}, 60_000);

it('blames a deployment whose counters fall too fast alike each time', async () => {
  const report = await judgeRow(broken, 'headers-remaining-falls-by-two');
  expect(verdictOf(report, 'rate-limit-countdown')?.verdict).toBe('drift');
}, 60_000);
