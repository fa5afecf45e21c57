import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLimiter, type LimitMode, limitModes } from '../../../mock/limits/limiter.ts';
import type { ApiKey, BanPolicy, Plan } from '../../../mock/limits/plans.ts';
import { beginPlain, plainStanding, takePlain } from '../sandboxes/plain-sandbox.ts';

const minute = 60_000;
const day = 1440 * minute;
const noon = Date.UTC(2026, 0, 15, 12);
const free: Plan = { name: 'free', perMinute: 60, perDay: 1000 };
const defaultBan: BanPolicy = { strikes: 10, withinSeconds: 60, seconds: 300, maxSeconds: 3600 };

/** A key on a plan that is the free one but for these figures. */
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

it('shows the plan for nobody to callers without a key, and counts nothing', () => {
  const { limiter } = createCase();
  const allowed = { limit: 60, remaining: 60, reset: noon + minute, per: 'minute' };
  for (let call = 0; call < 3; call++) expect(limiter.anonymous()).toEqual(allowed);
});

it('forgets everything where it is loaded with nothing', () => {
  const { outcomes, take, limiter, key } = createCase({ plan: { perMinute: 1 }, ban: defaultBan });
  outcomes(15);
  limiter.load({ mode: 'enforce', policy: { plans: { free }, ban: defaultBan } });
  const unused = { minute: { used: 0 }, day: { used: 0 }, strikes: 0 };
  expect(limiter.standing(key)).toMatchObject(unused);
  expect(take().outcome).toBe('allowed');
});

/** Moves of a clock: onward, back, and to the edges of windows. */
const moves = fc.oneof(
  { weight: 6, arbitrary: fc.constant((at: number) => at) },
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => at + by),
  fc.integer({ min: 1, max: 3 * minute }).map((by) => (at: number) => Math.max(0, at - by)),
  fc.integer({ min: 1, max: 120 }).map((by) => (at: number) => at + by * 1000),
  fc.integer({ min: -3, max: 3 }).map((days) => (at: number) => Math.max(0, at + days * day)),
  fc.constantFrom(
    (at: number) => Math.floor(at / minute) * minute,
    (at: number) => Math.ceil(at / minute) * minute - 1,
    (at: number) => Math.ceil(at / day) * day - 1,
    (at: number) => Math.ceil((at + 1) / day) * day,
    // A ban of half a second ends between two milliseconds once it is doubled and cut.
    (at: number) => at + 0.5,
  ),
);

/** Plans whose windows are soon used up. */
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

it('decides as plain counts would, and ends windows, strikes and bans to the millisecond', () => {
  const modes = fc.constantFrom('enforce' as const, 'enforce' as const, ...limitModes);
  fc.assert(
    fc.property(plans, policies, modes, calls, (plan, ban, mode, steps) => {
      const policy = { plans: { free: { ...free, ...plan } }, ban };
      const clock = { at: noon, now: () => clock.at };
      const limiter = createLimiter({ clock, mode, policy });
      const model = beginPlain({ rateLimits: mode }, noon, policy);
      const [seen, expected]: [unknown[], unknown[]] = [[], []];
      for (const { key: number, move } of steps) {
        const key = keyOn(plan, `key ${number}`);
        clock.at = move(clock.at);
        model.now = clock.at;
        seen.push(limiter.take(key));
        expected.push(takePlain(model, key.key));
        const { minute, day, strikes, ban } = limiter.standing(key);
        const { plan: _, ...counts } = plainStanding(model, key.key);
        const [inMinute, inDay] = [minute, day].map(({ used, remaining }) => ({ used, remaining }));
        seen.push({ minute: inMinute, day: inDay, strikes, ban });
        expected.push(counts);
      }
      expect(seen).toEqual(expected);
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

it('keeps the counts of a key that is read anew, and limits it by the plan that it has now', () => {
  const { limiter, outcomes } = createCase({ plan: { perMinute: 3 } });
  outcomes(2);
  expect(outcomes(9, keyOn({ perMinute: 5 })).filter((one) => one === 'allowed')).toHaveLength(3);
  expect(limiter.standing(keyOn({ perMinute: 5 })).minute).toMatchObject({ limit: 5, used: 5 });
});

it('follows other rules at once, and keeps counts and bans', () => {
  const { limiter, key, outcomes } = createCase({ ban: defaultBan });
  outcomes(70);
  const plans = { free: { ...free, perMinute: 100 } };
  limiter.follow({ mode: 'enforce', policy: { plans, ban: defaultBan } });
  const standing = { minute: { limit: 100, used: 60 }, ban: { seconds: 300 } };
  expect(limiter.standing(key)).toMatchObject(standing);
  expect(limiter.anonymous()).toMatchObject({ limit: 100 });
  expect(outcomes(1)).toEqual(['banned']);
  limiter.follow({ mode: 'enforce', policy: { plans: { free }, ban: false } });
  expect(limiter.standing(key)).not.toHaveProperty('ban');
  expect(outcomes(1)).toEqual(['exceeded']);
});

it('forgets the least recently used minute, never the one in use', () => {
  const start = Date.UTC(2026, 0, 15);
  const { clock, outcomes } = createCase({ plan: { perMinute: 2, perDay: 10_000 }, at: start });
  const visit = (minutes: number) => {
    clock.at = start + minutes * minute;
    return outcomes(1);
  };
  for (let at = 0; at < 100; at++) visit(at);
  expect(visit(0)).toEqual(['allowed']);
  visit(100);
  expect(visit(0)).toEqual(['exceeded']);
});
