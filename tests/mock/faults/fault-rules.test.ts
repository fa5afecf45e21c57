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
const firing = (faults: ReturnType<typeof rulesOf>, length: number, call = list) =>
  Array.from({ length }, () => faults.decide(call)?.rule.replace('fault-', '') ?? '-').join('');

const countsOf = (faults: ReturnType<typeof rulesOf>) =>
  faults.list().map(({ calls, hits }) => `${hits} of ${calls}`);

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
  const read = { operation: 'getPet', key: 'demo-free' };
  const calls = [
    list,
    read,
    { operation: 'listPets', key: 'demo-pro' },
    list,
    { operation: 'open' },
  ];
  const decided = calls.map((call) => faults.decide(call)?.rule.slice(-1) ?? '-').join('');
  expect(decided).toBe('-123-');
  expect(countsOf(faults)).toEqual(['1 of 1', '1 of 1', '1 of 5']);
});

it('lets the first rule that fires decide, and each rule count for itself', () => {
  const faults = rulesOf(
    { status: 500, every: 2, times: 2 },
    { fault: 'EMPTY_RESPONSE', every: 2 },
  );
  expect(firing(faults, 8)).toBe('-1-1-2-2');
  expect(countsOf(faults)).toEqual(['2 of 8', '2 of 8']);
});

it('tells what to do: a status, a fault, a delay', () => {
  const [fault, delay] = ['CONNECTION_RESET_BY_PEER', { type: 'fixed', milliseconds: 5 }] as const;
  const decision = rulesOf({ id: 'slow', fault, delay }).decide(list);
  expect(decision).toEqual({ rule: 'slow', fault, delay: 5, random: expect.any(Function) });
});

it('gives ids that are free, replaces the rule of one that is taken, and takes rules away', () => {
  const faults = rulesOf({ id: 'fault-1', status: 500 }, { status: 501 }, { status: 502 });
  expect(faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-2', 'fault-3']);
  expect(firing(faults, 2)).toBe('11');
  const replaced = { id: 'fault-1', status: 500, every: 2 };
  expect(faults.put(replaced)).toEqual({ ...replaced, calls: 0, hits: 0 });
  expect(firing(faults, 2)).toBe('21');
  expect(faults.get('fault-1')).toMatchObject({ calls: 2, hits: 1 });
  expect(faults.get('x')).toBeUndefined();
  expect([faults.remove('fault-2'), faults.remove('fault-2')]).toEqual([true, false]);
  expect(faults.rules).toHaveLength(2);
  expect(faults.put({ status: 500 }).id).toBe('fault-4');
  faults.clear();
  expect([faults.rules, faults.list(), faults.decide(list)]).toEqual([[], [], undefined]);
});

it('fires in the same sequence for the same seed, whatever the other rules do', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, probability) => {
      const rule = { id: 'x', status: 500, seed, probability };
      const alone = firing(rulesOf(rule), 50);
      expect(firing(rulesOf(rule), 50)).toBe(alone);
      const delay = { type: 'lognormal', median: 9, sigma: 1 } as const;
      const both = rulesOf({ ...rule, delay }, { status: 500, probability, seed });
      expect(firing(both, 50).replaceAll('1', '-')).toBe(alone);
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

const ofTwo = 'A lognormal delay has "median" and "sigma", and nothing else.';
it.each([
  [{ type: 'fixed' }, 'A fixed delay has "milliseconds", and nothing else.'],
  [{ type: 'fixed', milliseconds: 5, sigma: 1 }, 'A fixed delay has "milliseconds", and nothing'],
  [{ type: 'lognormal', median: 90 }, ofTwo],
  [{ type: 'uniform', lower: 9, upper: 8 }, '"upper" must be at least "lower".'],
])('refuses the delay %o', (fields, problem) => {
  expect(parseDelay(fields)).toContain(problem);
});

it('adds the latency of a sandbox up, and begins again with a reset', () => {
  const latency = createLatency({ seed: () => 5 });
  const draw = () => Array.from({ length: 5 }, () => latency.next());
  expect(draw()).toEqual([0, 0, 0, 0, 0]);
  latency.change({ fixedDelay: 100 });
  expect(draw()).toEqual([100, 100, 100, 100, 100]);
  const delayDistribution = { type: 'uniform', lower: 10, upper: 500 } as const;
  latency.change({ delayDistribution });
  const both = draw();
  expect(Math.min(...both)).toBeGreaterThanOrEqual(110);
  expect(new Set(both).size).toBeGreaterThan(1);
  latency.change({ fixedDelay: null });
  expect(latency.settings).toEqual({ fixedDelay: null, delayDistribution });
  latency.reset();
  expect(latency.settings).toEqual({ fixedDelay: null, delayDistribution: null });
  expect(draw()).toEqual([0, 0, 0, 0, 0]);
  latency.change({ fixedDelay: 100, delayDistribution });
  expect(draw()).toEqual(both);
});
