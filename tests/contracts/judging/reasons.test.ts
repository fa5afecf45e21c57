import { expect, it } from 'vitest';
import type { Check } from '../../../contracts/clauses/check.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import type { SkippedCase, SkipReason } from '../../../contracts/transcript/skip-reasons.ts';
import { toNotCalled } from '../../../contracts/verify/not-called.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

const operation = document.operations.find(({ id }) => id === 'getPet');
const check: Check = {
  id: 'holds',
  clause: { basis: 'stated', source: '§1', text: 'Something holds.' },
  cases: ['read'],
  needs: 'the clause itself',
  unheld: 'no item was read',
  judge: () => undefined,
};

const lacking: SkipReason = { code: 'no-value', name: 'id' };
const others: SkipReason = { code: 'below-others' };
const refused: SkipReason = { code: 'never-deleted', status: 403 };
const reasons: [reasons: SkipReason[], text: string][] = [
  [[lacking, refused, others], 'a deletion was answered 403'],
  [[lacking, others], 'it creates below an item that the run did not create'],
  [[lacking, { code: 'no-value', name: 'other' }], 'nothing gave a value for id'],
  [[{ code: 'out-of-time' }, refused], 'the time for the run is over'],
];

it.each(reasons)('names the first reason that follows from no other: %j', (all, text) => {
  const skipped = all.map((reason) => ({
    case: { operation, purpose: { kind: 'read' }, priority: 1 },
    reason,
  })) as SkippedCase[];
  const transcript = { ...answeredTranscript([]), skipped };
  const { results } = judge(transcript, [check]);
  expect(results[0]?.reason).toContain(text);
  const choice = { isChosen: (one: unknown) => one === operation } as never;
  const [notCalled] = toNotCalled(document, [transcript], { choice, writes: true });
  expect(notCalled?.reason).toContain(text);
});
