import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keysIsolated } from '../../../contracts/checks/keys-isolated.ts';
import { rateLimitConstant } from '../../../contracts/checks/rate-limit-constant.ts';
import { rateLimitCountdown } from '../../../contracts/checks/rate-limit-countdown.ts';
import { rateLimitPlan } from '../../../contracts/checks/rate-limit-plan.ts';
import { rateLimitRefusal } from '../../../contracts/checks/rate-limit-refusal.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import {
  alone,
  answer,
  type Call,
  type Counter,
  counting,
  judge,
  lists,
  reset,
} from '../../support/counted-calls.ts';

/** Calls in batches: those of a batch are under way together, and batches follow one another. */
const batches = ({ latency = { min: 1, max: 20 } } = {}): fc.Arbitrary<Call[]> =>
  fc
    .array(
      fc.record({
        pause: fc.integer({ min: 0, max: 30 }),
        calls: fc.array(
          fc.record({
            operation: fc.constantFrom('listPets' as const, 'createPet' as const),
            isError: fc.boolean(),
            isLowerCase: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
            offset: fc.integer({ min: 0, max: 5 }),
            outward: fc.integer(latency),
            homeward: fc.integer(latency),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        isAlone: fc.boolean(),
      }),
      { minLength: 5, maxLength: 15 },
    )
    .map((all) => {
      let now = 0;
      return all.flatMap(({ pause, calls, isAlone }) => {
        now += pause + 1;
        const begun = now;
        const made = (isAlone ? calls.slice(0, 1) : calls).map(
          ({ offset, outward, homeward, ...call }): Call => {
            const sent = begun + offset;
            return { ...call, sent, counted: sent + outward, ended: sent + outward + homeward };
          },
        );
        now = Math.max(...made.map(({ ended }) => ended));
        return made;
      });
    });

/** The calls, moved on in time. */
function later(calls: Call[], by: number): Call[] {
  return calls.map((call) => ({
    ...call,
    sent: call.sent + by,
    counted: call.counted + by,
    ended: call.ended + by,
  }));
}

/** A bucket that refills all the time, and what it answers. */
function bucket(limit: number): { counter: Counter; statusOf: (call: Call) => number } {
  let [tokens, at] = [limit, 0];
  const refused = new Set<Call>();
  return {
    counter: (call, now) => {
      tokens = Math.min(limit, tokens + ((now - at) / 60_000) * limit);
      at = now;
      if (tokens >= 1) tokens -= 1;
      else refused.add(call);
      return Math.floor(tokens);
    },
    statusOf: (call) => (refused.has(call) ? 429 : call.operation === 'listPets' ? 200 : 201),
  };
}

/** A counter that takes one for an error, shows what is left, and gives it back. */
function givingBackErrors(limit = 1000): Counter {
  let left = limit;
  return ({ isError }) => {
    if (isError) return left - 1;
    left -= 1;
    return left;
  };
}

/** Counts one for each call, up to 60. */
const sixty = () => counting(() => 1, { limit: 60 });

const withoutErrors = (calls: Call[]) => calls.map((call) => ({ ...call, isError: false }));
const endOf = (calls: Call[]) => Math.max(0, ...calls.map(({ ended }) => ended));

/** Calls of both operations alone, then what else there is. */
function afterCallsAlone(calls: Call[], latency?: number): Call[] {
  const lists = alone('listPets', 4, 0, latency);
  const creates = alone('createPet', 4, endOf(lists) + 1, latency);
  return [...lists, ...creates, ...later(calls, endOf(creates) + 1)];
}

it.each<[name: string, counter: () => Counter]>([
  ['that counts errors', () => counting(() => 1)],
  ['that counts no errors', () => counting(({ isError }) => (isError ? 0 : 1))],
  ['that gives back what an error took', () => givingBackErrors()],
])(
  'blames no counter %s, whatever the order in which it counts the calls under way',
  (_, counter) => {
    fc.assert(
      fc.property(batches(), (calls) => {
        for (const check of [rateLimitCountdown, rateLimitRefusal])
          expect(judge(answer(calls, counter()), check)).toMatchObject({
            violations: [],
            reasons: [],
          });
      }),
      { numRuns: 200 },
    );
    expect(judge(answer(afterCallsAlone([]), counter())).held).toBeGreaterThan(5);
  },
);

it('finds a counter that takes two for each create, answered in parallel or not', () => {
  fc.assert(
    fc.property(batches(), (calls) => {
      const twice = counting(({ operation }) => (operation === 'createPet' ? 2 : 1));
      const { violations, reasons } = judge(answer(afterCallsAlone(calls), twice));
      expect(reasons).toEqual([]);
      expect(new Set(violations.map((one) => one.replace(/ \(.*/, '')))).toEqual(
        new Set(['X-RateLimit-Remaining falls by more than one with a call of createPet']),
      );
    }),
    { numRuns: 200 },
  );
});

it('blames no counter from which another client takes as much each time, where the times are alike', () => {
  const evenly = alone('listPets', 6, 0).slice(0, 5);
  const shared = counting(() => 1, { others: () => 1 });
  expect(judge(answer(evenly, shared)).violations).toEqual([]);
});

it.each([
  ['soon', 10, ['listPets is answered with 429 although requests were left (429)'], []],
  [
    'long',
    20_000,
    [],
    [expect.stringMatching(/^key pro-1 was refused 20 s after its last answer/)],
  ],
])('judges a refusal %s after the last answer', (_, pause, violations, reasons) => {
  const [first, second] = lists(2) as [Call, Call];
  const late = { ...second, sent: pause, counted: pause + 2, ended: pause + 4 };
  const transcript = answer([first, late], sixty(), {
    limit: 60,
    statusOf: (call) => (call === late ? 429 : 200),
    purpose: { kind: 'exhaust' },
  });
  expect(judge(transcript, rateLimitRefusal)).toMatchObject({ violations, reasons });
});

it('blames no key for what our calls with other keys cannot have taken', () => {
  const isolated = (fall: number) => {
    const shown = [50, 49, 48, 47, 46, 50 - fall];
    const transcript = answer(alone('listPets', 6, 0), () => shown.shift() ?? 0);
    const exchanges = transcript.exchanges.map((one, index): Exchange => {
      const key = index % 5 === 0 ? 'spare' : 'bulk';
      return {
        ...one,
        case: { ...one.case, purpose: { kind: 'count', key } },
        request: { ...one.request, keyName: key },
      };
    });
    return judge({ ...transcript, exchanges }, keysIsolated);
  };
  expect(isolated(5).violations).toEqual([expect.stringContaining("another key's calls")]);
  expect(isolated(41)).toMatchObject({
    violations: [],
    reasons: [expect.stringMatching(/^another client uses key spare/)],
  });
});

it.each([
  ['listPets', 'createPet'],
  ['createPet', 'listPets'],
] as const)('finds a counter that does not count %s', (free, counted) => {
  fc.assert(
    fc.property(batches(), (calls) => {
      const { violations, reasons } = judge(
        answer(
          afterCallsAlone(withoutErrors(calls)),
          counting(({ operation }) => (operation === counted ? 1 : 0)),
        ),
      );
      expect(reasons).toEqual([]);
      expect(violations.join()).toContain(`does not fall with a call of ${free}`);
      expect(violations.join()).not.toContain(`with a call of ${counted}`);
    }),
    { numRuns: 200 },
  );
});

it('does not judge a counter that another client uses, and says so', () => {
  const bursts = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 8, maxLength: 200 });
  fc.assert(
    fc.property(batches(), bursts, (calls, others) => {
      // Not as many before each call of an operation alone, or it would look like the call's own
      // cost.
      fc.pre(new Set(others.slice(1, 4)).size > 1 && new Set(others.slice(5, 8)).size > 1);
      let made = 0;
      const counter = counting(() => 1, { others: () => others[made++ % others.length] ?? 0 });
      const { violations, reasons } = judge(answer(afterCallsAlone(withoutErrors(calls)), counter));
      expect(violations).toEqual([]);
      expect(reasons).toEqual([
        'another client uses key pro-1: Remaining falls by more than our calls',
      ]);
    }),
    { numRuns: 200 },
  );
});

it.each([
  ['the machine itself', 4],
  ['a network away', 150],
  ['a slow network away', 400],
])('blames no bucket that refills all the time: on %s', (_, latency) => {
  fc.assert(
    fc.property(
      batches({ latency: { min: Math.floor(latency / 4), max: latency } }),
      fc.constantFrom(60, 300, 3000),
      (calls, limit) => {
        const { counter, statusOf } = bucket(limit);
        const transcript = answer(afterCallsAlone(withoutErrors(calls), latency), counter, {
          limit,
          statusOf,
        });
        expect(judge(transcript).violations).toEqual([]);
        expect(judge(transcript).reasons.join()).not.toContain('another client');
        expect(judge(transcript, rateLimitRefusal).violations).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});

it('counts a call with a lower-case bearer', () => {
  const calls = alone('listPets', 9, 0).map((call, index) => ({
    ...call,
    isLowerCase: index % 3 === 1,
  }));
  expect(
    judge(
      answer(
        calls,
        counting(() => 1),
      ),
    ),
  ).toMatchObject({ violations: [], reasons: [] });
});

it('takes no later window for an earlier one where Reset is the seconds that are left', () => {
  // Each answer shows a smaller Reset, so the largest is the oldest.
  const calls = lists(62).map((call, index) => ({
    ...call,
    sent: index * 50,
    counted: index * 50 + 10,
    ended: index * 50 + 20,
  }));
  const transcript = answer(calls, sixty(), {
    limit: 60,
    resetOf: ({ ended }) => String(60 - Math.floor(ended / 1000)),
    statusOf: ({ sent }) => (sent >= 60 * 50 ? 429 : 200),
    purpose: { kind: 'exhaust' },
  });
  expect(judge(transcript, rateLimitRefusal).violations).toEqual([]);
});

it.each([
  ['has a fraction', `${reset}.2`],
  ['is a word', 'soon'],
  ['is the seconds that are left', '60'],
  ['lies in the past', String(reset - 3600)],
])('holds Limit and Remaining where Reset %s', (_, value) => {
  const shown = { limit: 60, resetOf: () => value };
  const refusing = { ...shown, statusOf: ({ sent }: Call) => (sent >= 300 ? 429 : 200) };
  expect(judge(answer(lists(62), sixty(), shown), rateLimitRefusal).violations).not.toEqual([]);
  expect(judge(answer(lists(62), sixty(), refusing), rateLimitRefusal)).toMatchObject({
    violations: [],
  });
  expect(judge(answer(lists(20), () => 42, shown)).violations).not.toEqual([]);
  expect(judge(answer(lists(20), sixty(), shown))).toMatchObject({ violations: [], reasons: [] });
  const transcript = answer(lists(20), sixty(), shown);
  const changed = transcript.exchanges.map((exchange, index) => ({
    ...exchange,
    response: {
      ...exchange.response,
      headers: exchange.response?.headers.map(([name, was]) => [
        name,
        name.endsWith('Limit') ? String(60 + (index % 3)) : was,
      ]),
    },
  })) as Exchange[];
  expect(judge({ ...transcript, exchanges: changed }, rateLimitConstant).violations).not.toEqual(
    [],
  );
  const ofPlan = { ...transcript, keys: [{ name: 'pro-1', plan: 'pro' }] };
  expect(judge(ofPlan, rateLimitPlan).violations).not.toEqual([]);
});

it('finds that two instances share no counter, though Remaining never shows 0', () => {
  const instances = [sixty(), sixty()];
  const calls = lists(64);
  const counter: Counter = (call, now) =>
    (instances[calls.indexOf(call) % 2] as Counter)(call, now);
  expect(
    judge(answer(calls, counter, { limit: 60 }), rateLimitRefusal).violations.join(),
  ).toContain('more requests are accepted in a window than the limit allows');
});
