import { expect, it, onTestFinished } from 'vitest';
import { readRunOptions } from '../../../contracts/command/parse-options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { fair } from '../../../tools/lab/fair.ts';
import type { Row } from '../../../tools/lab/row.ts';

async function verifyRow(id: string): Promise<Report> {
  const { mutate } = fair.find((row) => row.id === id) as Row;
  const deployment = await openDeployment({ ...(mutate && { mutate }) });
  onTestFinished(() => deployment.close());
  return verify({
    document: await loadDocument(builtInDocument),
    targets: [
      {
        name: 'target',
        url: deployment.url,
        keys: [{ plan: 'pro', secret: 'k-pro-1' }],
        writes: true,
        probeLimits: false,
        fill: true,
      },
    ],
    ...readRunOptions({ wait: 0 }),
    onEvent: () => {},
  });
}

const reasonOf = ({ clauses }: Report, id: string) =>
  clauses.find((clause) => clause.id === id)?.results.target?.reason;
const observed = ({ silences }: Report) =>
  silences.find(({ id }) => id === 'read-after-create')?.observed.target;

it('says that somebody else may have changed what changed once, and no fresh item again', async () => {
  const [sold, deleted] = await Promise.all([
    verifyRow('fair-others-sell'),
    verifyRow('fair-others-delete'),
  ]);
  expect(reasonOf(sold, 'read-back')).toMatch(
    /^item \d+.* changed during the run \(status\), and fresh items did not: somebody else/,
  );
  expect(reasonOf(deleted, 'reads-change-nothing')).toMatch(
    /^item \d+.* changed during the run \(gone\), and fresh items did not/,
  );
}, 60_000);

it('maps whether what is created is there at once', async () => {
  const [true_, late] = await Promise.all([verifyRow('fair-true'), verifyRow('fair-two-replicas')]);
  expect(observed(true_)).toBe('at once');
  expect(observed(late)).toBe('some were missing for a moment');
  expect(late.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
}, 60_000);
