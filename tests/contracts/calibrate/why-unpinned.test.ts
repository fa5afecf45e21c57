import { expect, it } from 'vitest';
import { whyUnshown } from '../../../contracts/calibrate/why-unpinned.ts';
import { calibrationCases } from '../../../contracts/cases/calibration-cases.ts';
import { createCases } from '../../../contracts/cases/create-cases.ts';
import { protocolCases } from '../../../contracts/cases/protocol-cases.ts';
import { answeredTranscript, document, type Given } from '../../support/answered-transcript.ts';

const [resource] = document.resources;
if (!resource) throw new Error('the document has no resource');
const plain = createCases({ document, resource }).slice(0, 2);
const stored = (one: Given['case'], id: number): Given => ({
  case: one,
  status: 201,
  body: { id, name: 'x', categoryId: 1 },
});

/** Why a run that ended after a few calls does not show a silence. */
function whyNot(silence: string, given: readonly Given[]) {
  const asking = calibrationCases(document).filter(
    ({ purpose }) => purpose.kind === 'silence' && purpose.silence === silence,
  );
  const reason = { code: 'quota-used-up' } as const;
  const skipped = asking.map((one) => ({ case: one, reason }));
  return whyUnshown(silence, { ...answeredTranscript(given), skipped }, '');
}

it('calls nothing asked because of calls that ask something else', () => {
  const creates = plain.map((one, index) => stored(one, index + 1));
  expect(whyNot('unusual-name', creates)).toMatchObject({
    isAsked: false,
    reason: 'the quota of the keys is used up',
  });
  const method = protocolCases(document).find(
    ({ purpose }) => purpose.kind === 'protocol' && purpose.rule === 'method',
  ) as Given['case'];
  expect(whyNot('head-and-options', [{ case: method, status: 405 }]).isAsked).toBe(false);
});
