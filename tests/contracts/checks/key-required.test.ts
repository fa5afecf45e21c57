import { expect, it } from 'vitest';
import type { Case, Purpose } from '../../../contracts/cases/case.ts';
import { keyRequired } from '../../../contracts/checks/key-required.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

const credential = (form: string) => ({ kind: 'credential', form }) as Purpose;
const list = { kind: 'list', filters: {} } as Purpose;
const first = { kind: 'silence', silence: 'credentials-first' } as Purpose;

it.each<[what: string, Purpose, status: number, holds: boolean[]]>([
  ['no key and 401', credential('none'), 401, [true]],
  ['no key and 403, where 401 is stated', credential('none'), 403, [false]],
  ['an unknown key and a list', credential('unknown'), 200, [false]],
  ['a key in the query that is no parameter', credential('in-query'), 400, [true]],
  ['a key in a header and 400', credential('in-header'), 400, [false]],
  ['what may be a key', credential('unclear'), 200, []],
  ['a valid key', credential('valid'), 200, []],
  ['no key and another fault', first, 400, [true]],
  ['no key and another fault, and a list', first, 200, [false]],
  ['a plain call without a key and a list', list, 200, [false]],
  ['a plain call without a key and 401', list, 401, []],
])('judges %s', (_, purpose, status, expected) => {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  const sent = { method: 'GET', path: '/pets', credential: 'none', priority: 1, writes: false };
  const one = { id: 'listPets/1', operation, purpose, ...sent } as Case;
  // The key is the only fault of a call that succeeds with a valid one.
  const valid: Case = { ...one, credential: 'valid', purpose: list };
  const holds: boolean[] = [];
  const given = answeredTranscript([
    { case: valid, status: 200, body: [] },
    { case: one, status, body: [] },
  ]);
  keyRequired.judge(given, {
    hold: (isHeld) => holds.push(isHeld),
    inconclusive() {},
  });
  expect(holds).toEqual(expected);
});
