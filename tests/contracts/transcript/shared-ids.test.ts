import { expect, it } from 'vitest';
import { readBack } from '../../../contracts/checks/read-back.ts';
import { uniqueIds } from '../../../contracts/checks/unique-ids.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { rowOf } from '../../support/verify-deployment.ts';

async function judgeRow(id: string) {
  const { findings, results } = judge(await recordTranscript(rowOf(id)), [uniqueIds, readBack]);
  return {
    messages: findings.map(({ message }) => message),
    reasons: results.flatMap(({ reason }) => reason ?? []),
  };
}

it.each(['create-id-of-existing', 'create-id-reused'])(
  'says of %s that two items have one id, not that one has changed',
  async (id) => {
    const { messages, reasons } = await judgeRow(id);
    expect(messages).toContain('createPet gives a new item the id of an existing item');
    expect(messages.join('\n')).toMatch(/shows a different item under id \d+ than/);
    expect(messages.join('\n')).not.toMatch(/an item has a different/);
    expect(reasons).toEqual([]);
  },
);
