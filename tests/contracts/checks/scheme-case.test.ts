import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { schemeCase } from '../../../contracts/checks/scheme-case.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

const operation = document.operations.find(({ id }) => id === 'listPets');

/** A call of the list with a valid key whose scheme is written in one case. */
function callWith(credential: 'valid' | 'lower-case-scheme', status: number) {
  const purpose = { kind: 'credential', form: credential };
  const sent = { method: 'GET', path: '/pets', credential, priority: 1, writes: false };
  return { case: { id: credential, operation, purpose, ...sent } as Case, status };
}

it.each<[what: string, plain: number, lower: number, verdicts: boolean[]]>([
  ['that takes any case', 200, 200, [true]],
  ['that takes one case alone', 200, 401, [false]],
  ['that refuses a plain call, too', 401, 401, []],
])('judges an operation %s', (_, plain, lower, verdicts) => {
  const held: boolean[] = [];
  const calls = [callWith('valid', plain), callWith('lower-case-scheme', lower)];
  schemeCase.judge(answeredTranscript(calls), {
    hold: (isHeld) => held.push(isHeld),
    inconclusive: () => undefined,
  });
  expect(held).toEqual(verdicts);
});
