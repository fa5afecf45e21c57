import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLimiter, type LimitMode } from '../../../mock/limits/limiter.ts';
import type { BanPolicy, Plan } from '../../../mock/limits/plans.ts';
import { moves, plans } from './limit-histories.ts';
import {
  countOf,
  day,
  defaultBan,
  free,
  keyOn,
  limiterConformance,
  minute,
  noon,
} from './limiter-conformance.ts';

limiterConformance('the limiter in memory', (rules, clock) =>
  createLimiter({ clock: { now: () => clock.at }, ...rules }),
);

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

it('forgets everything where it is loaded with nothing', () => {
  const { outcomes, take, limiter, key } = createCase({ plan: { perMinute: 1 }, ban: defaultBan });
  outcomes(15);
  limiter.load({ mode: 'enforce', policy: { plans: { free }, ban: defaultBan } });
  expect(limiter.standing(key)).toMatchObject({
    minute: { used: 0 },
    day: { used: 0 },
    strikes: 0,
  });
  expect(take().outcome).toBe('allowed');
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
  const { take, outcomes } = createCase({ plan: { perMinute: 2, perDay: 2 }, ban: defaultBan });
  outcomes(12);
  expect(take()).toMatchObject({
    outcome: 'banned',
    ban: { seconds: 300 },
    window: { limit: 2, reset: noon + day / 2, per: 'day' },
  });
});

it('keeps the counts of a key that is read anew, and limits it by the plan that it has now', () => {
  const { limiter, outcomes } = createCase({ plan: { perMinute: 3 } });
  outcomes(2);
  expect(countOf(outcomes(9, keyOn({ perMinute: 5 })), 'allowed')).toBe(3);
  expect(limiter.standing(keyOn({ perMinute: 5 })).minute).toMatchObject({ limit: 5, used: 5 });
});

it('follows other rules at once, and keeps counts and bans', () => {
  const { limiter, key, outcomes } = createCase({ ban: defaultBan });
  outcomes(70);
  limiter.follow({
    mode: 'enforce',
    policy: { plans: { free: { ...free, perMinute: 100 } }, ban: defaultBan },
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
