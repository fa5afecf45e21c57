import { expect, it } from 'vitest';
import { successStatus } from '../../../contracts/checks/success-status.ts';
import { compare } from '../../../contracts/judging/compare.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import type { Transcript } from '../../../contracts/transcript/transcript.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { rowOf } from '../../support/verify-deployment.ts';

/** The names of a run that are not its own alone. */
const left = ['true', ''];

/** A run on a deployment on which an earlier run has left its items. */
function recordSecondRun(id: string): Promise<Transcript> {
  const row = rowOf(id);
  return recordTranscript({
    ...row,
    mutate: (truth, shop) => ({
      ...row.mutate?.(truth, shop),
      seed: (count) =>
        truth.seed(count).map((item, index) => ({ ...item, name: left[index] ?? item.name })),
    }),
  });
}

it.each(['fair-repeated-name-409', 'fair-repeated-name-400'])(
  'takes no name that an earlier run left on %s for a mistake, an answer or a difference',
  async (id) => {
    const second = await recordSecondRun(id);
    const refused = second.exchanges.filter(({ request: { body = '' } }) =>
      /"name":"(true)?"/.test(String(body)),
    );
    expect(refused.map(({ response }) => response?.status)).not.toContain(201);
    expect(judge(second, [successStatus]).findings).toEqual([]);
    expect(readSilence(second, 'empty-name')).toBeUndefined();
    const first = await recordTranscript(rowOf(id));
    expect(readSilence(first, 'empty-name')).toMatchObject({ answer: 'accepted' });
    const differences = compare(first, second, () => false);
    expect(differences.map(({ actual }) => actual)).not.toContain(id.slice(-3));
  },
);
