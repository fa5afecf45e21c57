import { expect, it, onTestFinished } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import type { Case } from '../../../contracts/cases/case.ts';
import { createCases } from '../../../contracts/cases/create-cases.ts';
import { listCase } from '../../../contracts/cases/list-cases.ts';
import { silenceCases } from '../../../contracts/cases/silence-cases.ts';
import { readRunOptions } from '../../../contracts/command/options.ts';
import { findMoves } from '../../../contracts/judging/moves.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { compile } from '../../../openapi/index.ts';
import { openDeployment } from '../../../tools/lab/deployment.ts';
import { answeredTranscript, type Reply } from '../../support/answered-transcript.ts';
import { toPins } from '../../support/pinned-twin.ts';
import { labKeys, rowOf } from '../../support/verify-deployment.ts';

/** Verifies a deployment of the lab, creating nothing, beside the pins that it is held against. */
async function verifyPinned(id: string, pins: Record<string, unknown>, strict = false) {
  const deployment = await openDeployment(rowOf(id));
  onTestFinished(() => deployment.close());
  return verify({
    document: await compile(builtInDocument, { pins: toPins(pins) }),
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
      message: 'limit-out-of-range differs from the profile',
      expected: 'above: clamped; zero: clamped (4 pins of http://shop.test/v1, 2026-11-22)',
      actual: 'above: 422, Error; zero: 422, Error',
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

/** Returns what moved, by the words before and after, of what is pinned and how it was answered. */
async function movesOf(
  answers: Record<string, unknown>,
  give: (find: (idEnd: string) => Case) => readonly Reply[],
) {
  const pinned = await compile(builtInDocument, { pins: toPins(answers) });
  const cases = [
    ...pinned.resources.flatMap((resource) => [
      ...[resource.operations.list ?? []].flat().map((list) => listCase(list, { limit: 100 })),
      ...createCases({ document: pinned, resource }),
    ]),
    ...silenceCases(pinned),
  ];
  const given = give((end) => cases.find(({ id }) => id.endsWith(end)) as Case);
  const transcript = { ...answeredTranscript(given), document: pinned };
  return findMoves(transcript, { findings: [] }).map(({ expected, actual }) => [
    expected.replace(/ \(.*/, ''),
    actual,
  ]);
}

it('takes two words for one behaviour of a limit for the same', async () => {
  const lengths = { '/limit=100': 100, '?limit=0': 1, '?limit=abc': 20 };
  const given = (find: (idEnd: string) => Case) =>
    Object.entries(lengths).map(([query, length]) => ({
      case: find(query),
      status: 200,
      body: Array.from({ length }, (_, id) => ({ id: id + 1, name: 'x', categoryId: 1 })),
    }));
  expect(await movesOf({ 'limit-out-of-range': 'clamped' }, given)).toEqual([]);
  expect(await movesOf({ 'limit-out-of-range': 'ignored' }, given)).toMatchObject([
    ['text: ignored; zero: ignored', 'text: ignored; zero: clamped'],
  ]);
});
