import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLimiter, type LimitMode } from '../../../mock/limits/limiter.ts';
import type { ApiKey, BanPolicy, Plan } from '../../../mock/limits/plans.ts';

const second = 1000;
const minute = 60 * second;
const day = 1440 * minute;
const noon = Date.UTC(2026, 0, 15, 12);

const free: Plan = { name: 'free', perMinute: 60, perDay: 1000 };
const usualBan: BanPolicy = { strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 };

function keyOn(plan: Partial<Plan> = {}, name = 'a'): ApiKey {
  return { key: name, name, plan: { ...free, ...plan }, own: plan };
}

type Options = { mode?: LimitMode; ban?: BanPolicy | false; plan?: Partial<Plan>; at?: number };

/** A limiter with one key, and a clock that is set by hand. */
function createCase({ mode = 'enforce', ban = false, plan = {}, at = noon }: Options = {}) {
  const clock = { at, now: () => clock.at };
  const key = keyOn(plan);
  const limiter = createLimiter({ clock, mode, policy: { plans: { free }, ban } });
  const take = (of = key) => limiter.take(of);
  const outcomes = (calls: number, of = key) =>
    Array.from({ length: calls }, () => limiter.take(of).outcome);
  return { clock, key, limiter, take, outcomes };
}

function countOf<T>(values: readonly T[], value: T): number {
  return values.filter((one) => one === value).length;
}

it('allows as many calls in a minute as the plan says, and again in the next minute', () => {
  const { clock, outcomes } = createCase();
  expect(countOf(outcomes(100), 'allowed')).toBe(60);
  clock.at += minute - 1;
  expect(countOf(outcomes(1), 'allowed')).toBe(0);
  clock.at += 1;
  expect(countOf(outcomes(100), 'allowed')).toBe(60);
});

it('allows as many calls in a day as the plan says, and again in the next day', () => {
  const { clock, outcomes } = createCase({ plan: { perMinute: 3, perDay: 7 } });
  const allowed = Array.from({ length: 5 }, () => {
    const count = countOf(outcomes(5), 'allowed');
    clock.at += minute;
    return count;
  });
  expect(allowed).toEqual([3, 3, 1, 0, 0]);
  clock.at = noon + day / 2 - 1;
  expect(outcomes(1)).toEqual(['exceeded']);
  clock.at += 1;
  expect(outcomes(4)).toEqual(['allowed', 'allowed', 'allowed', 'exceeded']);
});

it('takes a refused call from neither window', () => {
  const { clock, limiter, key, outcomes } = createCase({ plan: { perMinute: 3, perDay: 7 } });
  outcomes(50);
  expect(limiter.standing(key)).toMatchObject({
    minute: { used: 3, remaining: 0 },
    day: { used: 3, remaining: 4 },
  });
  clock.at += minute;
  outcomes(50);
  clock.at += minute;
  outcomes(50);
  expect(limiter.standing(key)).toMatchObject({
    minute: { used: 1, remaining: 2 },
    day: { used: 7, remaining: 0 },
  });
});

it('shows the window with the least remaining, counted after the call', () => {
  const { clock, take } = createCase({ plan: { perMinute: 3, perDay: 5 } });
  const endOfMinute = noon + minute;
  expect(take().window).toEqual({ limit: 3, remaining: 2, reset: endOfMinute, per: 'minute' });
  expect(take().window).toMatchObject({ limit: 3, remaining: 1 });
  expect(take().window).toMatchObject({ limit: 3, remaining: 0 });
  expect(take()).toEqual({
    outcome: 'exceeded',
    window: { limit: 3, remaining: 0, reset: endOfMinute, per: 'minute' },
  });
  clock.at = endOfMinute;
  expect(take().window).toEqual({ limit: 5, remaining: 1, reset: noon + day / 2, per: 'day' });
});

it('shows the window that ends later where two have the same left', () => {
  const { take } = createCase({ plan: { perMinute: 2, perDay: 2 } });
  const reset = noon + day / 2;
  expect(take().window).toEqual({ limit: 2, remaining: 1, reset, per: 'day' });
  expect(take().window).toEqual({ limit: 2, remaining: 0, reset, per: 'day' });
  expect(take()).toEqual({
    outcome: 'exceeded',
    window: { limit: 2, remaining: 0, reset, per: 'day' },
  });
});

it('follows UTC at the last millisecond of a year', () => {
  const newYear = Date.UTC(2027, 0, 1);
  const { clock, take } = createCase({ plan: { perMinute: 1, perDay: 1 }, at: newYear - 1 });
  expect(take().window.reset).toBe(newYear);
  expect(take().outcome).toBe('exceeded');
  clock.at = newYear;
  expect(take().window).toMatchObject({ remaining: 0, reset: newYear + day });
});

it('counts each key for itself', () => {
  const { key, limiter, outcomes } = createCase({ plan: { perMinute: 2 }, ban: usualBan });
  const other = keyOn({ perMinute: 2 }, 'b');
  outcomes(30, key);
  expect(limiter.take(key).outcome).toBe('banned');
  expect(outcomes(3, other)).toEqual(['allowed', 'allowed', 'exceeded']);
  expect(limiter.standing(other)).toMatchObject({ strikes: 1, minute: { used: 2 } });
});

it('shows the plan for nobody to callers without a key, and counts nothing', () => {
  const { limiter } = createCase();
  for (let call = 0; call < 3; call++)
    expect(limiter.anonymous()).toEqual({
      limit: 60,
      remaining: 60,
      reset: noon + minute,
      per: 'minute',
    });
});

it('bans with the tenth refusal within a minute', () => {
  const { take, outcomes } = createCase({ plan: { perMinute: 1 }, ban: usualBan });
  expect(outcomes(10)).toEqual(['allowed', ...Array(9).fill('exceeded')]);
  expect(take()).toEqual({
    outcome: 'banned',
    ban: { until: noon + 300 * second, seconds: 300 },
    window: { limit: 1, remaining: 0, reset: noon + 300 * second, per: 'minute' },
  });
});

it('bans nobody whose refusals are a minute apart', () => {
  const { clock, outcomes } = createCase({ plan: { perMinute: 1, perDay: 1 }, ban: usualBan });
  outcomes(1);
  for (let turn = 0; turn < 20; turn++) {
    expect(outcomes(9)).toEqual(Array(9).fill('exceeded'));
    clock.at += minute;
  }
  outcomes(9);
  clock.at += minute - 1;
  expect(outcomes(1)).toEqual(['banned']);
});

it('ends a ban to the millisecond', () => {
  const { clock, outcomes, take } = createCase({ plan: { perMinute: 1 }, ban: usualBan });
  outcomes(11);
  clock.at = noon + 300 * second - 1;
  expect(take().outcome).toBe('banned');
  clock.at += 1;
  expect(take().outcome).toBe('allowed');
});

it('doubles a ban up to the longest while calls go on', () => {
  const { clock, outcomes, take } = createCase({
    plan: { perMinute: 1, perDay: 1 },
    ban: usualBan,
    at: Date.UTC(2026, 0, 15),
  });
  outcomes(1);
  const lengths = Array.from({ length: 7 }, () => {
    outcomes(9);
    const decision = take();
    clock.at += second;
    return decision.outcome === 'banned' ? decision.ban.seconds : decision.outcome;
  });
  expect(lengths).toEqual([300, 600, 1200, 2400, 3600, 3600, 3600]);
});

it('doubles a ban that follows one which ran out without an allowed call', () => {
  const { clock, outcomes, take, limiter, key } = createCase({
    plan: { perMinute: 1, perDay: 1 },
    ban: usualBan,
  });
  outcomes(11);
  clock.at += 301 * second;
  expect(limiter.standing(key).ban).toBeUndefined();
  expect(outcomes(9)).toEqual(Array(9).fill('exceeded'));
  expect(take()).toMatchObject({ outcome: 'banned', ban: { seconds: 600 } });
});

it('starts again with the shortest ban after an allowed call', () => {
  const { clock, outcomes, take } = createCase({ plan: { perMinute: 1 }, ban: usualBan });
  outcomes(21);
  clock.at += 600 * second;
  expect(take().outcome).toBe('allowed');
  outcomes(9);
  expect(take()).toMatchObject({ outcome: 'banned', ban: { seconds: 300 } });
});

it('never bans where bans are off', () => {
  const { outcomes } = createCase({ plan: { perMinute: 1 } });
  expect(countOf(outcomes(500), 'banned')).toBe(0);
});

it('bans at the first refusal where the policy says so', () => {
  const ban = { strikes: 1, withinSeconds: 1, seconds: 2, maxSeconds: 3 };
  const { clock, outcomes, take } = createCase({ plan: { perMinute: 1 }, ban });
  expect(outcomes(2)).toEqual(['allowed', 'banned']);
  expect(take()).toMatchObject({ ban: { seconds: 3, until: noon + 3 * second } });
  clock.at += minute;
  expect(take().outcome).toBe('allowed');
});

it('does not hold a ban against a time before it began', () => {
  const { clock, outcomes, take, limiter, key } = createCase({
    plan: { perMinute: 1 },
    ban: usualBan,
  });
  outcomes(11);
  clock.at = noon - day;
  expect(limiter.standing(key).ban).toBeUndefined();
  expect(take().outcome).toBe('allowed');
});

it('shows only the strikes that still count', () => {
  const { clock, outcomes, limiter, key } = createCase({ plan: { perMinute: 1 }, ban: usualBan });
  outcomes(5);
  expect(limiter.standing(key).strikes).toBe(4);
  clock.at += minute - 1;
  expect(limiter.standing(key).strikes).toBe(4);
  clock.at += 1;
  expect(limiter.standing(key).strikes).toBe(0);
  clock.at = noon - 1;
  expect(limiter.standing(key).strikes).toBe(0);
});

it('refuses nothing when it observes, and counts on beyond the limit', () => {
  const { outcomes, take, limiter, key } = createCase({
    mode: 'observe',
    plan: { perMinute: 2 },
    ban: usualBan,
  });
  expect(new Set(outcomes(50))).toEqual(new Set(['allowed']));
  expect(take().window).toMatchObject({ limit: 2, remaining: 0 });
  expect(limiter.standing(key)).toMatchObject({
    minute: { used: 51, remaining: 0 },
    day: { used: 51, remaining: 949 },
    strikes: 0,
  });
});

it('shows untouched windows when it is off', () => {
  const { take, outcomes, limiter, key } = createCase({ mode: 'off', plan: { perMinute: 2 } });
  expect(new Set(outcomes(50))).toEqual(new Set(['allowed']));
  expect(take().window).toEqual({ limit: 2, remaining: 2, reset: noon + minute, per: 'minute' });
  expect(limiter.standing(key)).toMatchObject({ minute: { used: 0 }, day: { used: 0 } });
});

it('forgets everything where it is loaded with nothing', () => {
  const { outcomes, take, limiter, key } = createCase({ plan: { perMinute: 1 }, ban: usualBan });
  outcomes(15);
  limiter.load({ mode: 'enforce', policy: { plans: { free }, ban: usualBan } });
  expect(limiter.standing(key)).toMatchObject({
    minute: { used: 0 },
    day: { used: 0 },
    strikes: 0,
  });
  expect(take().outcome).toBe('allowed');
});

it('remembers a used-up minute after an hour of other minutes', () => {
  const { clock, outcomes } = createCase({
    plan: { perMinute: 1, perDay: 10_000 },
    at: Date.UTC(2026, 0, 15),
  });
  for (let at = 0; at < 60; at++) {
    outcomes(1);
    clock.at += minute;
  }
  for (let at = 59; at >= 0; at--) {
    clock.at -= minute;
    expect(outcomes(1)).toEqual(['exceeded']);
  }
});

it('forgets the least recently used minute, never the one in use', () => {
  const { clock, outcomes } = createCase({
    plan: { perMinute: 2, perDay: 10_000 },
    at: Date.UTC(2026, 0, 15),
  });
  const visit = (minutes: number) => {
    clock.at = Date.UTC(2026, 0, 15) + minutes * minute;
    return outcomes(1);
  };
  for (let at = 0; at < 100; at++) visit(at);
  expect(visit(0)).toEqual(['allowed']);
  visit(100);
  expect(visit(0)).toEqual(['exceeded']);
});

/** Moves of a clock: onward, back, and to the edges of windows. */
const moves = fc.oneof(
  { weight: 6, arbitrary: fc.constant((at: number) => at) },
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => at + by),
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => Math.max(0, at - by)),
  fc.integer({ min: -3, max: 3 }).map((days) => (at: number) => Math.max(0, at + days * day)),
  fc.constantFrom(
    (at: number) => Math.floor(at / minute) * minute,
    (at: number) => Math.ceil(at / minute) * minute - 1,
    (at: number) => Math.ceil(at / day) * day - 1,
    (at: number) => Math.ceil((at + 1) / day) * day,
  ),
);

const plans = fc.record({
  perMinute: fc.integer({ min: 1, max: 4 }),
  perDay: fc.integer({ min: 1, max: 12 }),
});
const policies = fc.option(
  fc
    .record({
      strikes: fc.integer({ min: 1, max: 4 }),
      withinSeconds: fc.integer({ min: 1, max: 120 }),
      seconds: fc.integer({ min: 1, max: 90 }),
    })
    .map((policy): BanPolicy => ({ ...policy, maxSeconds: policy.seconds * 3 })),
  { nil: false as const },
);
const calls = fc.array(fc.record({ key: fc.nat(2), move: moves }), {
  minLength: 30,
  // No more than the windows that are remembered.
  maxLength: 100,
});

it('never lets more calls through than both windows hold, however the clock moves and the keys mix', () => {
  fc.assert(
    fc.property(fc.tuple(plans, plans, plans), policies, calls, (figures, ban, steps) => {
      const { clock, limiter } = createCase({ ban });
      const keys = figures.map((plan, index) => keyOn(plan, `key-${index}`));
      const allowed: { key: ApiKey; at: number }[] = [];
      for (const { key: index, move } of steps) {
        clock.at = move(clock.at);
        const key = keys[index] as ApiKey;
        const usedIn = (length: number) =>
          allowed.filter(
            (call) =>
              call.key === key && Math.floor(call.at / length) === Math.floor(clock.at / length),
          ).length;
        const used = { minute: usedIn(minute), day: usedIn(day) };
        const hasRoom = used.minute < key.plan.perMinute && used.day < key.plan.perDay;
        const { outcome, window } = limiter.take(key);
        if (outcome === 'allowed') allowed.push({ key, at: clock.at });
        const taken = outcome === 'allowed' ? 1 : 0;

        if (outcome !== 'banned') expect(outcome).toBe(hasRoom ? 'allowed' : 'exceeded');
        if (outcome !== 'banned')
          expect(window.remaining).toBe(
            Math.min(key.plan.perMinute - used.minute, key.plan.perDay - used.day) - taken,
          );
        if (outcome !== 'allowed') expect(window.remaining).toBe(0);
        if (ban === false) expect(outcome).not.toBe('banned');
        expect(window.limit).toBe(window.per === 'minute' ? key.plan.perMinute : key.plan.perDay);
        expect(window.reset).toBeGreaterThan(clock.at);
        expect(window.reset - clock.at).toBeLessThanOrEqual(day);
        expect(limiter.standing(key)).toMatchObject({
          minute: { used: used.minute + taken },
          day: { used: used.day + taken },
        });
      }
    }),
    { numRuns: 500 },
  );
});

it('accepts a client again that waited as long as Retry-After says', () => {
  fc.assert(
    fc.property(plans, policies, calls, (plan, ban, steps) => {
      const { clock, take } = createCase({ plan, ban });
      for (const { move } of steps) {
        clock.at = Math.max(clock.at, move(clock.at));
        const { outcome, window } = take();
        if (outcome === 'allowed') continue;
        clock.at = window.reset;
        expect(take().outcome).toBe('allowed');
      }
    }),
    { numRuns: 500 },
  );
});

it('asks a banned key to wait for its day where that is used up too', () => {
  const { take, outcomes } = createCase({ plan: { perMinute: 2, perDay: 2 }, ban: usualBan });
  outcomes(12);
  expect(take()).toMatchObject({
    outcome: 'banned',
    ban: { seconds: 300 },
    window: { limit: 2, reset: noon + day / 2, per: 'day' },
  });
});

it('bans exactly who was refused often enough within the time, as a list of all refusals tells', () => {
  const onward = fc.array(fc.integer({ min: 0, max: 40 * second }), {
    minLength: 20,
    maxLength: 120,
  });
  fc.assert(
    fc.property(onward, fc.integer({ min: 1, max: 5 }), (waits, strikes) => {
      const policy = { strikes, withinSeconds: 60, seconds: 100, maxSeconds: 400 };
      const { clock, take } = createCase({
        plan: { perMinute: 1, perDay: 1 },
        ban: policy,
        at: Date.UTC(2026, 0, 15),
      });
      take();
      let refusals: number[] = [];
      let ban: { until: number; seconds: number } | undefined;
      for (const wait of waits) {
        clock.at += wait;
        refusals = [...refusals, clock.at].filter((instant) => clock.at - instant < 60 * second);
        if (refusals.length >= strikes) {
          const seconds = ban ? Math.min(ban.seconds * 2, 400) : 100;
          ban = { until: clock.at + seconds * second, seconds };
          refusals = [];
        }
        const isBanned = ban !== undefined && ban.until > clock.at;
        expect(take()).toMatchObject(
          isBanned ? { outcome: 'banned', ban } : { outcome: 'exceeded' },
        );
      }
    }),
    { numRuns: 300 },
  );
});

it('keeps the counts of a key that is read anew, and limits it by the plan that it has now', () => {
  const { limiter, outcomes } = createCase({ plan: { perMinute: 3 } });
  outcomes(2);
  expect(countOf(outcomes(9, keyOn({ perMinute: 5 })), 'allowed')).toBe(3);
  expect(limiter.standing(keyOn({ perMinute: 5 })).minute).toMatchObject({ limit: 5, used: 5 });
});

it('follows other rules at once, and keeps counts and bans', () => {
  const { limiter, key, outcomes } = createCase({ ban: usualBan });
  outcomes(70);
  limiter.follow({
    mode: 'enforce',
    policy: { plans: { free: { ...free, perMinute: 100 } }, ban: usualBan },
  });
  expect(limiter.standing(key)).toMatchObject({
    minute: { limit: 100, used: 60 },
    ban: { seconds: 300 },
  });
  expect(limiter.anonymous()).toMatchObject({ limit: 100 });
  expect(outcomes(1)).toEqual(['banned']);
  limiter.follow({ mode: 'enforce', policy: { plans: { free }, ban: false } });
  expect(limiter.standing(key)).not.toHaveProperty('ban');
  expect(outcomes(1)).toEqual(['exceeded']);
});
