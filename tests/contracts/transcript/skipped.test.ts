import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { isMissed, type SkipReason, toSkipText } from '../../../contracts/transcript/transcript.ts';

const testCase: Case = {
  id: 'listPets/plain',
  method: 'GET',
  path: '/pets',
  credential: 'valid',
  purpose: { kind: 'call' },
  priority: 1,
  writes: false,
};

const reasons: [reason: SkipReason, text: string, isMissed: boolean][] = [
  [{ code: 'no-value', name: 'id.pets.first' }, 'nothing gave a value for id.pets.first', false],
  [{ code: 'key-must-wait' }, 'the key has to wait after a 429', false],
  [{ code: 'quota-used-up' }, 'the quota of the keys is used up', true],
  [{ code: 'quota-short' }, 'the quota of the keys is short', true],
  [{ code: 'no-answers', times: 3 }, 'the target did not answer 3 times', true],
  [{ code: 'max-requests', requests: 900 }, 'the run may make 900 requests (--max-requests)', true],
  [{ code: 'out-of-time' }, 'the time for the run is over', true],
];

it.each(reasons)('says of %j why the case was not made, and whether it is missed', (...row) => {
  const [reason, text, missed] = row;
  expect([toSkipText(reason), isMissed({ case: testCase, reason })]).toEqual([text, missed]);
});
