import { expect, it } from 'vitest';
import { calibrationCases } from '../../../contracts/cases/calibration-cases.ts';
import type { Case } from '../../../contracts/cases/case.ts';
import { readSilence } from '../../../contracts/silences/read-silences.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';

const probes = calibrationCases(document).filter(({ id }) => id.startsWith('rate-limit-scope/'));

function kindOf({ method, operation, path }: Case): 'call' | 'HEAD' | 'refused' {
  if (method === 'HEAD') return 'HEAD';
  return operation?.kind === 'list' && !path.includes('?') ? 'call' : 'refused';
}

/** What the probes show where each kind of call takes so much of what is left. */
function readScope(left: number, costs: Record<ReturnType<typeof kindOf>, number>) {
  let remaining = left;
  const given = probes.map((one) => {
    remaining = Math.max(0, remaining - costs[kindOf(one)]);
    return answer(one, remaining);
  });
  return readSilence(answeredTranscript(given), 'rate-limit-scope');
}

function answer(one: Case, remaining: number) {
  return {
    case: one,
    status: kindOf(one) === 'refused' ? 404 : 200,
    headers: {
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Date.UTC(2026, 10, 22, 12, 1) / 1000),
    },
  };
}

it.each([
  ['every call', { call: 1, HEAD: 1, refused: 1 }, 'every-call'],
  ['calls of operations', { call: 1, HEAD: 0, refused: 1 }, 'operations'],
  ['calls that succeed', { call: 1, HEAD: 1, refused: 0 }, 'successes'],
  [
    'calls of operations that succeed',
    { call: 1, HEAD: 0, refused: 0 },
    ['operations', 'successes'],
  ],
])('reads that %s are counted', (_, costs, answer) => {
  expect(readScope(50, costs)?.answer).toEqual(answer);
});

it('reads nothing where Remaining is 0 already, or does not fall with calls', () => {
  const costs = { call: 1, HEAD: 1, refused: 1 };
  expect(readScope(0, costs)).toMatchObject({
    reason: 'Remaining was 0 already, so it cannot show what is counted',
  });
  expect(readScope(0, costs)?.answer).toBeUndefined();
  const still = readScope(50, { call: 0, HEAD: 0, refused: 0 });
  expect(still).toMatchObject({ reason: 'Remaining does not fall with each call' });
  expect(still?.answer).toBeUndefined();
});

it('reads that a call which ends in 4xx gives back what it used', () => {
  let used = 0;
  const given = probes.map((one) => {
    const isRefused = kindOf(one) === 'refused';
    const remaining = 50 - used - 1;
    if (!isRefused) used += 1;
    return answer(one, remaining);
  });
  const reading = readSilence(answeredTranscript(given), 'rate-limit-scope');
  expect(reading).toMatchObject({
    answer: 'successes',
  });
});

it('says so where there is no Remaining', () => {
  const given = probes.map((one) => ({ case: one, status: 200 }));
  expect(readSilence(answeredTranscript(given), 'rate-limit-scope')).toMatchObject({
    reason: 'the answers have no Remaining to show what is counted',
  });
});

it('reads from the calls with quota left alone', () => {
  expect(readScope(6, { call: 1, HEAD: 1, refused: 1 })?.answer).toBe('every-call');
  expect(readScope(2, { call: 1, HEAD: 1, refused: 1 })).toMatchObject({
    reason: 'no HEAD came with quota left, so it does not show whether it is counted',
  });
});
