import { expect, it } from 'vitest';
import { calibrationCases } from '../../../contracts/cases/calibration-cases.ts';
import type { Case } from '../../../contracts/cases/case.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

const probes = calibrationCases(document).filter(({ id }) => id.startsWith('rate-limit-scope/'));

/** What the probes show where each kind of call takes so much of what is left. */
function readScope(left: number, costs: { call: number; head: number }) {
  let remaining = left;
  const given = probes.map((one) => {
    remaining = Math.max(0, remaining - (one.method === 'HEAD' ? costs.head : costs.call));
    return answer(one, remaining);
  });
  return readSilence(answeredTranscript(given), 'rate-limit-scope');
}

function answer(one: Case, remaining: number) {
  return {
    case: one,
    status: 200,
    headers: {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Date.UTC(2026, 10, 22, 12, 1) / 1000),
    },
  };
}

it('reads whether calls of no operation are counted', () => {
  expect(readScope(50, { call: 1, head: 1 })?.answer).toBe('every-call');
  expect(readScope(50, { call: 1, head: 0 })?.answer).toBe('operations');
});

it('reads from the calls with quota left alone', () => {
  expect(readScope(6, { call: 1, head: 1 })?.answer).toBe('every-call');
  for (const left of [0, 2])
    expect(readScope(left, { call: 1, head: 1 })).toMatchObject({
      reason: 'no HEAD came with quota left, so it does not show whether it is counted',
    });
  const still = readScope(50, { call: 0, head: 0 });
  expect(still).toMatchObject({ reason: 'Remaining does not fall with each call' });
  expect(still?.answer).toBeUndefined();
});

it('says so where there is no Remaining', () => {
  const given = probes.map((one) => ({ case: one, status: 200 }));
  expect(readSilence(answeredTranscript(given), 'rate-limit-scope')).toMatchObject({
    reason: 'the answers have no Remaining to show what is counted',
  });
});
