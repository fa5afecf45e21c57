import { expect, it, onTestFinished } from 'vitest';
import { readRunOptions } from '../../../contracts/command/parse-options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import { parseOverlay } from '../../../contracts/description/overlay.ts';
import { applyPins } from '../../../contracts/description/pins.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { toPins } from '../../support/pinned-twin.ts';
import { labKeys, rowOf } from '../../support/verify-deployment.ts';

/** Verifies a deployment of the lab, creating nothing, beside the pins that it is held against. */
async function verifyPinned(id: string, pins: Record<string, unknown>, strict = false) {
  const deployment = await openDeployment(rowOf(id));
  onTestFinished(() => deployment.close());
  const stated = await loadDocument(builtInDocument);
  return verify({
    document: applyPins(stated, parseOverlay(toPins(pins))),
    targets: [
      {
        name: 'target',
        url: deployment.url,
        keys: [labKeys.business],
        writes: false,
        probeLimits: false,
        fill: false,
      },
    ],
    ...readRunOptions({ wait: 0, strict }),
    onEvent: () => {},
  });
}

const pins = {
  'limit-out-of-range': { zero: 'clamped', above: 'clamped' },
  'unknown-query-parameter': 'ignored',
  'head-and-options': { head: 'as-get', cors: 'with-origin' },
  'new-id': 'random',
};

it('reports where a target does not do what it is pinned to, and fails the run only with --strict', async () => {
  const report = await verifyPinned('fair-limit-422', pins);
  const moved = report.findings.filter(({ verdict }) => verdict === 'moved');
  expect(moved).toMatchObject([
    {
      check: 'pins',
      operation: 'listPets',
      clause: { id: 'limit-out-of-range', basis: 'none', source: '§4.1' },
      message: 'limit-out-of-range is not what it is pinned to',
      expected: 'above: clamped; zero: clamped (4 silences to http://shop.test/v1, 2026-11-22)',
      actual: '422, Error',
    },
  ]);
  expect(moved[0]?.exchange?.response?.status).toBe(422);
  expect([report.verdict, report.totals.target?.findings.moved]).toEqual(['clean', 1]);
  const strict = await verifyPinned('fair-limit-422', pins, true);
  expect(strict.verdict).toBe('drift');
}, 120_000);

it('reports no move where a stated clause is broken instead', async () => {
  const { findings } = await verifyPinned('error-unknown-key-403', {
    'error-codes': { invalid_api_key: { code: 'unauthorized' } },
  });
  expect(findings.map(({ verdict }) => verdict)).toContain('drift');
  expect(
    findings
      .filter(({ verdict }) => verdict === 'moved')
      .map(({ expected, actual }) => [expected, actual]),
  ).toEqual([]);
}, 120_000);
