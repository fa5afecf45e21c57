import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Delay, maxDelay, parseDelay, sampleDelay } from '../../../mock/faults/delay.ts';
import {
  createFaultRules,
  createLatency,
  type FaultRule,
} from '../../../mock/faults/fault-rules.ts';
import { createRandom } from '../../../mock/faults/random.ts';

const list = { operation: 'listPets', key: 'demo-free' };

function rulesOf(...rules: Partial<FaultRule>[]) {
  const faults = createFaultRules({ seed: () => 1 });
  for (const rule of rules) faults.put(rule);
  return faults;
}

/** Which rule decided on each of a number of calls; `-` where none did. */
function firing(faults: ReturnType<typeof rulesOf>, calls: number, call = list): string {
  return Array.from(
    { length: calls },
    () => faults.decide(call)?.rule.replace('fault-', '') ?? '-',
  ).join('');
}

it('fires at every call, at every n-th one, and a limited number of times', () => {
  expect(firing(rulesOf({ status: 503 }), 4)).toBe('1111');
  expect(firing(rulesOf({ status: 503, every: 3 }), 7)).toBe('--1--1-');
  expect(firing(rulesOf({ status: 503, times: 2 }), 4)).toBe('11--');
  expect(firing(rulesOf({ status: 503, every: 2, times: 1 }), 5)).toBe('-1---');
});

it('looks at the calls of its operation and its key alone', () => {
  const faults = rulesOf(
    { operation: 'getPet', status: 500 },
    { key: 'demo-pro', status: 500 },
    { status: 500, every: 2 },
  );
  const calls = [
    list,
    { operation: 'getPet', key: 'demo-free' },
    { operation: 'listPets', key: 'demo-pro' },
    list,
  ];
  expect(calls.map((call) => faults.decide(call)?.rule)).toEqual([
    undefined,
    'fault-1',
    'fault-2',
    'fault-3',
  ]);
  expect(faults.decide({ operation: 'open' })?.rule).toBeUndefined();
  expect(faults.list().map(({ calls, hits }) => [calls, hits])).toEqual([
    [1, 1],
    [1, 1],
    [5, 1],
  ]);
});

it('lets the first rule that fires decide, and each rule count for itself', () => {
  const faults = rulesOf(
    { status: 500, every: 2, times: 2 },
    { fault: 'EMPTY_RESPONSE', every: 2 },
  );
  expect(firing(faults, 8)).toBe('-1-1-2-2');
  expect(faults.list().map(({ calls, hits }) => [calls, hits])).toEqual([
    [8, 2],
    [8, 2],
  ]);
});

it('tells what to do: a status, a fault, a delay', () => {
  const faults = rulesOf({
    id: 'slow',
    fault: 'CONNECTION_RESET_BY_PEER',
    delay: { type: 'fixed', milliseconds: 5 },
  });
  expect(faults.decide(list)).toEqual({
    rule: 'slow',
    fault: 'CONNECTION_RESET_BY_PEER',
    delay: 5,
    random: expect.any(Function),
  });
});

it('gives ids that are free, replaces the rule of one that is taken, and takes rules away', () => {
  const faults = rulesOf({ id: 'fault-1', status: 500 }, { status: 501 }, { status: 502 });
  expect(faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-2', 'fault-3']);
  expect(firing(faults, 2)).toBe('11');
  expect(faults.put({ id: 'fault-1', status: 500, every: 2 })).toEqual({
    id: 'fault-1',
    status: 500,
    every: 2,
    calls: 0,
    hits: 0,
  });
  expect(firing(faults, 2)).toBe('21');
  expect([faults.get('fault-1'), faults.get('x')]).toMatchObject([
    { calls: 2, hits: 1 },
    undefined,
  ]);
  expect([faults.remove('fault-2'), faults.remove('fault-2'), faults.any()]).toEqual([
    true,
    false,
    true,
  ]);
  expect(faults.put({ status: 500 }).id).toBe('fault-4');
  faults.clear();
  expect([faults.any(), faults.list(), faults.decide(list)]).toEqual([false, [], undefined]);
});

it('fires in the same sequence for the same seed, whatever the other rules do', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, probability) => {
      const rule = { id: 'x', status: 500, seed, probability };
      const alone = firing(rulesOf(rule), 50);
      expect(firing(rulesOf(rule), 50)).toBe(alone);
      const delayed: Partial<FaultRule> = {
        ...rule,
        delay: { type: 'lognormal', median: 9, sigma: 1 },
      };
      expect(
        firing(rulesOf(delayed, { status: 500, probability, seed }), 50).replaceAll('1', '-'),
      ).toBe(alone);
    }),
  );
});

const delays = fc.oneof(
  fc.record({ type: fc.constant('fixed' as const), milliseconds: fc.nat({ max: maxDelay }) }),
  fc.tuple(fc.nat({ max: maxDelay }), fc.nat({ max: maxDelay })).map(([first, second]) => ({
    type: 'uniform' as const,
    lower: Math.min(first, second),
    upper: Math.max(first, second),
  })),
  fc.record({
    type: fc.constant('lognormal' as const),
    median: fc.nat({ max: maxDelay }),
    sigma: fc.double({ min: 0, max: 10, noNaN: true }),
  }),
);

it('draws delays in whole milliseconds within their bounds, the same for the same seed', () => {
  fc.assert(
    fc.property(delays, fc.nat(), (delay: Delay, seed) => {
      const draw = () => {
        const random = createRandom(seed);
        return Array.from({ length: 20 }, () => sampleDelay(delay, random));
      };
      const drawn = draw();
      expect(draw()).toEqual(drawn);
      for (const milliseconds of drawn) {
        expect(Number.isInteger(milliseconds)).toBe(true);
        expect(milliseconds).toBeGreaterThanOrEqual(delay.type === 'uniform' ? delay.lower : 0);
        expect(milliseconds).toBeLessThanOrEqual(delay.type === 'uniform' ? delay.upper : maxDelay);
        if (delay.type === 'fixed') expect(milliseconds).toBe(delay.milliseconds);
      }
    }),
  );
});

it.each([
  [{ type: 'fixed' }, 'A fixed delay has "milliseconds", and nothing else.'],
  [
    { type: 'fixed', milliseconds: 5, sigma: 1 },
    'A fixed delay has "milliseconds", and nothing else.',
  ],
  [
    { type: 'lognormal', median: 90 },
    'A lognormal delay has "median" and "sigma", and nothing else.',
  ],
  [{ type: 'uniform', lower: 9, upper: 8 }, '"upper" must be at least "lower".'],
])('refuses the delay %o', (fields, problem) => {
  expect(parseDelay(fields)).toBe(problem);
});

it('adds the latency of a sandbox up, and begins again with a reset', () => {
  const latency = createLatency({ seed: () => 5 });
  const draw = () => Array.from({ length: 5 }, () => latency.next());
  expect(draw()).toEqual([0, 0, 0, 0, 0]);
  latency.change({ fixedDelay: 100 });
  expect(draw()).toEqual([100, 100, 100, 100, 100]);
  latency.change({ delayDistribution: { type: 'uniform', lower: 10, upper: 500 } });
  const both = draw();
  expect(Math.min(...both)).toBeGreaterThanOrEqual(110);
  expect(new Set(both).size).toBeGreaterThan(1);
  latency.change({ fixedDelay: null });
  expect(latency.settings()).toEqual({
    fixedDelay: null,
    delayDistribution: { type: 'uniform', lower: 10, upper: 500 },
  });
  latency.reset();
  expect([latency.settings(), draw()]).toEqual([
    { fixedDelay: null, delayDistribution: null },
    [0, 0, 0, 0, 0],
  ]);
  latency.change({
    fixedDelay: 100,
    delayDistribution: { type: 'uniform', lower: 10, upper: 500 },
  });
  expect(draw()).toEqual(both);
});
