import { expect, it } from 'vitest';
import { rateLimitRefusal } from '../../../contracts/checks/rate-limit-refusal.ts';
import {
  alone,
  answer,
  type Call,
  type Counter,
  counting,
  judge,
  lists,
  started,
} from '../../support/counted-calls.ts';

/** Each call every 5 ms for a second, both operations in turn after some of each alone. */
const calls = [
  ...alone('listPets', 20, 0),
  ...alone('createPet', 20, 100),
  ...alone('listPets', 80, 200),
];

type Sliding = {
  counter: Counter;
  resetOf: Record<'oldest' | 'newest' | 'missing', (call: Call) => string>;
};

/**
 * A limit that slides: each call comes back a window after it was made, in milliseconds. `before`
 * are the times of calls before the first of ours.
 */
function sliding(limit: number, before: number[], window = 60_000): Sliding {
  let log = [...before];
  const resets = new Map<Call, { oldest: number; newest: number }>();
  const toReset = (time: number) => String(Math.ceil((started + time + window) / 1000));
  return {
    counter: (call, now) => {
      log = log.filter((time) => time > now - window);
      if (log.length < limit) log.push(now);
      resets.set(call, { oldest: log[0] ?? now, newest: now });
      return limit - log.length;
    },
    resetOf: {
      oldest: (call) => toReset(resets.get(call)?.oldest ?? 0),
      newest: (call) => toReset(resets.get(call)?.newest ?? 0),
      missing: () => '',
    },
  };
}

/** Calls a minute ago, some milliseconds apart, which all come back while ours are made. */
const burst = Array.from({ length: 200 }, (_, index) => -60_000 + 150 + index * 0.6);

it.each(['oldest', 'newest', 'missing'] as const)(
  'blames no limit that slides, where the key was used before and Reset is that of the %s call',
  (shown) => {
    const { counter, resetOf } = sliding(300, burst);
    const transcript = answer(calls, counter, { limit: 300, resetOf: resetOf[shown] });
    const { violations, reasons } = judge(transcript);
    expect(violations).toEqual([]);
    expect(reasons).toContain(
      'Remaining of key pro-1 rises by no more than its earlier calls took, as in a sliding window',
    );
    expect(judge(transcript, rateLimitRefusal).violations).toEqual([]);
  },
);

it('blames no limit that slides for what it gives back of our own calls, a minute after them', () => {
  const early = alone('listPets', 100, 980, 1);
  const late = alone('listPets', 40, 61_020);
  const { counter, resetOf } = sliding(300, []);
  const transcript = answer([...early, ...late], counter, { limit: 300, resetOf: resetOf.oldest });
  expect(judge(transcript).violations).toEqual([]);
});

it('blames no limit that slides in 10 s, where Reset is that of the newest call', () => {
  const { counter, resetOf } = sliding(
    300,
    burst.map((time) => time + 50_000),
    10_000,
  );
  const all = [...calls, ...alone('listPets', 20, 2500)];
  const transcript = answer(all, counter, { limit: 300, resetOf: resetOf.newest });
  expect(judge(transcript).violations).toEqual([]);
  expect(judge(transcript, rateLimitRefusal).violations).toEqual([]);
});

it('finds a counter that rises where Reset stands still for less than a minute', () => {
  const counter = counting(() => 1, { limit: 100 });
  const rising: Counter = (call, now) => counter(call, now) + (now > 500 ? 30 : 0);
  const resetOf = () => String(Math.ceil((started + 10_000) / 1000));
  const transcript = answer(calls, rising, { limit: 300, resetOf });
  expect(judge(transcript).violations.join()).toContain('rises within a window');
});

it.each([
  ['though nothing was taken from it before', 58_500, 0, 30],
  ['in the middle of its window', 30_000, 200, 30],
  ['by more than was taken from it before', 58_500, 20, 60],
])('finds a counter that rises %s', (_, from, used, gain) => {
  const counter = counting(() => 1, { limit: 300 - used });
  const rising: Counter = (call, now) => counter(call, now) + (now > from + 300 ? gain : 0);
  const late = calls.map((call) => ({
    ...call,
    sent: call.sent + from,
    counted: call.counted + from,
    ended: call.ended + from,
  }));
  const transcript = answer([...alone('listPets', 3, 0), ...late], rising, { limit: 300 });
  expect(judge(transcript).violations.join()).toContain(
    'X-RateLimit-Remaining rises within a window',
  );
});

it('finds a key that was used before and never falls', () => {
  const stuck = answer(lists(20), () => 42, { limit: 60 });
  expect(judge(stuck).violations.join()).toContain('does not fall with a call of listPets');
});

it('finds a counter of the calls made, at the beginning of its window too', () => {
  let made = 0;
  const counter: Counter = () => {
    made += 1;
    return made;
  };
  expect(judge(answer(lists(10), counter, { limit: 60 })).violations.join()).toContain(
    'does not fall with a call of listPets',
  );
});
