import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { compare } from '../../../contracts/judging/compare.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { mapSilences } from '../../../contracts/judging/silences.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { broken } from '../../../tools/lab/broken.ts';
import { fair } from '../../../tools/lab/fair.ts';
import type { Row } from '../../../tools/lab/row.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';

// Most of a run waits.
vi.setConfig({ maxConcurrency: 3, testTimeout: 240_000 });

const toOpaque = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 12);

/** The same transcript with ids of cases that say nothing. */
function withOpaqueIds(transcript: Transcript): Transcript {
  const renamed = (one: Case): Case => ({
    ...one,
    id: toOpaque(one.id),
    ...(one.repeatOf !== undefined && { repeatOf: toOpaque(one.repeatOf) }),
  });
  return {
    ...transcript,
    exchanges: transcript.exchanges.map((exchange) => ({
      ...exchange,
      case: renamed(exchange.case),
    })),
    skipped: transcript.skipped.map((one) => ({ ...one, case: renamed(one.case) })),
  };
}

async function record(row: string): Promise<Transcript> {
  const { mutate, settings } = [...broken, ...fair].find(({ id }) => id === row) as Row;
  return recordTranscript({ ...(mutate && { mutate }), ...(settings && { settings }) });
}

/** What judging a transcript comes to, without the texts that name a case. */
function outcomeOf(transcript: Transcript) {
  return judge(transcript, checks).results.map(({ check, verdict, held, reason }) => [
    check.id,
    verdict,
    held,
    reason,
  ]);
}

it.concurrent.each([
  'fair-two-replicas',
  'fair-others-sell',
  'create-not-listed',
  'safety-create-sells-another',
])('judges %s by what its cases are for, whatever their ids are', async (row) => {
  const transcript = await record(row);
  const opaque = withOpaqueIds(transcript);
  expect(outcomeOf(opaque)).toEqual(outcomeOf(transcript));
  expect(mapSilences([opaque])).toEqual(mapSilences([transcript]));
});

it.concurrent('compares what two targets answer to the same case, and leaves out what one answers in two ways', async () => {
  const [first, second] = await Promise.all([
    recordTranscript(),
    recordTranscript({
      mutate: () => ({
        answer: ({ number }, answer) => ({
          ...answer,
          headers: {
            ...answer.headers,
            'X-Served-By': 'it',
            ...(number % 2 === 0 && { 'X-Cache': 'HIT' }),
          },
        }),
      }),
    }),
  ]);
  const differences = (...[left, right]: [Transcript, Transcript]) =>
    compare(left, right, () => false).map(({ operation, expected, actual, count }) => [
      operation,
      expected,
      actual,
      count,
    ]);
  const found = differences(first, second);
  expect(found).not.toEqual([]);
  expect(differences(withOpaqueIds(first), withOpaqueIds(second))).toEqual(found);
});
