import { expect, it } from 'vitest';
import { keyRequired } from '../../../contracts/checks/key-required.ts';
import { operationExists } from '../../../contracts/checks/operation-exists.ts';
import type { Check } from '../../../contracts/clauses/check.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { mapSilences } from '../../../contracts/judging/moves.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import { rowOf } from '../../support/verify-deployment.ts';

async function judgeRow(
  id: string,
  options: { animals?: number; writes?: boolean; check?: Check } = {},
) {
  const { animals = 45, writes = true, check = keyRequired } = options;
  const transcript = await recordTranscript({ ...rowOf(id), settings: { animals } }, { writes });
  const { findings, results } = judge(transcript, [check]);
  const observed = mapSilences([transcript]).find((silence) => silence.id === 'credentials-first')
    ?.observed.target;
  return { messages: findings.map(({ message }) => message), result: results[0], observed };
}

it('maps which mistake is reported first of a call with a wrong key and wrong content', async () => {
  const [keyFirst, contentFirst] = await Promise.all([
    judgeRow('fair-true'),
    judgeRow('fair-validates-before-the-key'),
  ]);
  expect(keyFirst.observed).toBe('the key is checked first');
  expect(contentFirst.observed).toBe('before the key: body, id');
  expect(contentFirst).toMatchObject({ messages: [], result: { verdict: 'kept' } });
});

it('says where no call with a valid key shows that the key is the only fault', async () => {
  const [empty, parameter] = await Promise.all([
    judgeRow('fair-validates-before-the-key', { animals: 0, writes: false }),
    judgeRow('fair-parameter-before-the-key'),
  ]);
  for (const { messages, result } of [empty, parameter]) {
    expect(messages).toEqual([]);
    expect(result?.verdict).toBe('inconclusive');
  }
  expect(empty.result?.reason).toMatch(
    /^getPet: no otherwise identical call with a valid key succeeded/,
  );
  expect(parameter.result?.reason).toMatch(
    /orders: no otherwise identical call with a valid key succeeded/i,
  );
});

it('blames an operation that refuses a key which the others accept', async () => {
  const { messages } = await judgeRow('auth-listOrders-refuses-valid-key', {
    check: operationExists,
  });
  expect(messages).toEqual(['listOrders answers 401 to a valid key, as if it did not exist']);
});

it('holds a deployment to 401 where the key is the only fault of a call', async () => {
  const { messages } = await judgeRow('auth-content-is-blamed');
  expect(messages).toContain('getPet answers 404 to a call without a key');
  expect(messages).toContain('createPet answers 400 to a call without a key');
});
