import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../mock/limits/decide.ts';
import type { KeyStanding, LimitMode, LimitRules } from '../../../mock/limits/limiter.ts';
import type { ApiKey, BanPolicy, Plan } from '../../../mock/limits/plans.ts';

const second = 1000;
export const minute = 60 * second;
export const day = 1440 * minute;
export const noon = Date.UTC(2026, 0, 15, 12);

export const free: Plan = { name: 'free', perMinute: 60, perDay: 1000 };
export const defaultBan: BanPolicy = {
  strikes: 10,
  withinSeconds: 60,
  seconds: 300,
  maxSeconds: 3600,
};

/** A key on a plan that is the free one but for these figures. */
export function keyOn(plan: Partial<Plan> = {}, name = 'a'): ApiKey {
  return { key: name, name, plan: { ...free, ...plan }, own: plan };
}

export function countOf<T>(values: readonly T[], value: T): number {
  return values.filter((one) => one === value).length;
}

/** What decides on calls and counts them, wherever it keeps the counts. */
export type TestedLimiter = {
  take(key: ApiKey): Decision | Promise<Decision>;
  standing(key: ApiKey): KeyStanding | Promise<KeyStanding>;
};

/** Opens a limiter without any counts, whose time is that of a clock which is set by hand. */
export type OpenLimiter = (
  rules: LimitRules,
  clock: { at: number },
) => TestedLimiter | Promise<TestedLimiter>;

type Options = { mode?: LimitMode; ban?: BanPolicy | false; plan?: Partial<Plan>; at?: number };

/** The decisions on calls that every adapter makes. */
export function limiterConformance(name: string, open: OpenLimiter): void {
  /** A limiter with one key. */
  const createCase = async ({
    mode = 'enforce',
    ban = false,
    plan = {},
    at = noon,
  }: Options = {}) => {
    const clock = { at };
    const key = keyOn(plan);
    const limiter = await open({ mode, policy: { plans: { free }, ban } }, clock);
    const take = async (of = key) => await limiter.take(of);
    const outcomes = async (calls: number, of = key) => {
      const taken: Decision['outcome'][] = [];
      for (let call = 0; call < calls; call++) taken.push((await take(of)).outcome);
      return taken;
    };
    const standing = async (of: ApiKey) => await limiter.standing(of);
    return { clock, key, take, outcomes, standing };
  };

  describe(name, () => {
    it('allows as many calls in a minute as the plan says, and again in the next minute', async () => {
      const { clock, outcomes } = await createCase();
      expect(countOf(await outcomes(100), 'allowed')).toBe(60);
      clock.at += minute - 1;
      expect(countOf(await outcomes(1), 'allowed')).toBe(0);
      clock.at += 1;
      expect(countOf(await outcomes(100), 'allowed')).toBe(60);
    });

    it('allows as many calls in a day as the plan says, and again in the next day', async () => {
      const { clock, outcomes } = await createCase({ plan: { perMinute: 3, perDay: 7 } });
      const allowed: number[] = [];
      for (let turn = 0; turn < 5; turn++) {
        allowed.push(countOf(await outcomes(5), 'allowed'));
        clock.at += minute;
      }
      expect(allowed).toEqual([3, 3, 1, 0, 0]);
      clock.at = noon + day / 2 - 1;
      expect(await outcomes(1)).toEqual(['exceeded']);
      clock.at += 1;
      expect(await outcomes(4)).toEqual(['allowed', 'allowed', 'allowed', 'exceeded']);
    });

    it('takes a refused call from neither window', async () => {
      const { clock, key, outcomes, standing } = await createCase({
        plan: { perMinute: 3, perDay: 7 },
      });
      await outcomes(50);
      expect(await standing(key)).toMatchObject({
        minute: { used: 3, remaining: 0 },
        day: { used: 3, remaining: 4 },
      });
      clock.at += minute;
      await outcomes(50);
      clock.at += minute;
      await outcomes(50);
      expect(await standing(key)).toMatchObject({
        minute: { used: 1, remaining: 2 },
        day: { used: 7, remaining: 0 },
      });
    });

    it('shows the window with the least remaining, counted after the call', async () => {
      const { clock, take } = await createCase({ plan: { perMinute: 3, perDay: 5 } });
      const endOfMinute = noon + minute;
      expect((await take()).window).toEqual({
        limit: 3,
        remaining: 2,
        reset: endOfMinute,
        per: 'minute',
      });
      expect((await take()).window).toMatchObject({ limit: 3, remaining: 1 });
      expect((await take()).window).toMatchObject({ limit: 3, remaining: 0 });
      expect(await take()).toEqual({
        outcome: 'exceeded',
        window: { limit: 3, remaining: 0, reset: endOfMinute, per: 'minute' },
      });
      clock.at = endOfMinute;
      expect((await take()).window).toEqual({
        limit: 5,
        remaining: 1,
        reset: noon + day / 2,
        per: 'day',
      });
    });

    it('shows the window that ends later where two have the same left', async () => {
      const { take } = await createCase({ plan: { perMinute: 2, perDay: 2 } });
      const reset = noon + day / 2;
      expect((await take()).window).toEqual({ limit: 2, remaining: 1, reset, per: 'day' });
      expect((await take()).window).toEqual({ limit: 2, remaining: 0, reset, per: 'day' });
      expect(await take()).toEqual({
        outcome: 'exceeded',
        window: { limit: 2, remaining: 0, reset, per: 'day' },
      });
    });

    it('follows UTC at the last millisecond of a year', async () => {
      const newYear = Date.UTC(2027, 0, 1);
      const { clock, take } = await createCase({
        plan: { perMinute: 1, perDay: 1 },
        at: newYear - 1,
      });
      expect((await take()).window.reset).toBe(newYear);
      expect((await take()).outcome).toBe('exceeded');
      clock.at = newYear;
      expect((await take()).window).toMatchObject({ remaining: 0, reset: newYear + day });
    });

    it('counts each key for itself', async () => {
      const { key, outcomes, standing, take } = await createCase({
        plan: { perMinute: 2 },
        ban: defaultBan,
      });
      const other = keyOn({ perMinute: 2 }, 'b');
      await outcomes(30, key);
      expect((await take(key)).outcome).toBe('banned');
      expect(await outcomes(3, other)).toEqual(['allowed', 'allowed', 'exceeded']);
      expect(await standing(other)).toMatchObject({ strikes: 1, minute: { used: 2 } });
    });

    it('bans with the tenth refusal within a minute', async () => {
      const { take, outcomes } = await createCase({ plan: { perMinute: 1 }, ban: defaultBan });
      expect(await outcomes(10)).toEqual(['allowed', ...Array(9).fill('exceeded')]);
      expect(await take()).toEqual({
        outcome: 'banned',
        ban: { until: noon + 300 * second, seconds: 300 },
        window: { limit: 1, remaining: 0, reset: noon + 300 * second, per: 'minute' },
      });
    });

    it('bans nobody whose refusals are a minute apart', async () => {
      const { clock, outcomes } = await createCase({
        plan: { perMinute: 1, perDay: 1 },
        ban: defaultBan,
      });
      await outcomes(1);
      for (let turn = 0; turn < 20; turn++) {
        expect(await outcomes(9)).toEqual(Array(9).fill('exceeded'));
        clock.at += minute;
      }
      await outcomes(9);
      clock.at += minute - 1;
      expect(await outcomes(1)).toEqual(['banned']);
    });

    it('ends a ban to the millisecond', async () => {
      const { clock, outcomes, take } = await createCase({
        plan: { perMinute: 1 },
        ban: defaultBan,
      });
      await outcomes(11);
      clock.at = noon + 300 * second - 1;
      expect((await take()).outcome).toBe('banned');
      clock.at += 1;
      expect((await take()).outcome).toBe('allowed');
    });

    it('doubles a ban up to the longest while calls go on', async () => {
      const { clock, outcomes, take } = await createCase({
        plan: { perMinute: 1, perDay: 1 },
        ban: defaultBan,
        at: Date.UTC(2026, 0, 15),
      });
      await outcomes(1);
      const lengths: unknown[] = [];
      for (let turn = 0; turn < 7; turn++) {
        await outcomes(9);
        const decision = await take();
        clock.at += second;
        lengths.push(decision.outcome === 'banned' ? decision.ban.seconds : decision.outcome);
      }
      expect(lengths).toEqual([300, 600, 1200, 2400, 3600, 3600, 3600]);
    });

    it('doubles a ban that follows one which ran out without an allowed call', async () => {
      const { clock, outcomes, take, key, standing } = await createCase({
        plan: { perMinute: 1, perDay: 1 },
        ban: defaultBan,
      });
      await outcomes(11);
      clock.at += 301 * second;
      expect((await standing(key)).ban).toBeUndefined();
      expect(await outcomes(9)).toEqual(Array(9).fill('exceeded'));
      expect(await take()).toMatchObject({ outcome: 'banned', ban: { seconds: 600 } });
    });

    it('never bans where bans are off', async () => {
      const { outcomes } = await createCase({ plan: { perMinute: 1 } });
      expect(countOf(await outcomes(500), 'banned')).toBe(0);
    });

    it('bans at the first refusal where the policy says so', async () => {
      const ban = { strikes: 1, withinSeconds: 1, seconds: 2, maxSeconds: 3 };
      const { clock, outcomes, take } = await createCase({ plan: { perMinute: 1 }, ban });
      expect(await outcomes(2)).toEqual(['allowed', 'banned']);
      expect(await take()).toMatchObject({ ban: { seconds: 3, until: noon + 3 * second } });
      clock.at += minute;
      expect((await take()).outcome).toBe('allowed');
    });

    it('does not hold a ban against a time before it began', async () => {
      const { clock, outcomes, take, key, standing } = await createCase({
        plan: { perMinute: 1 },
        ban: defaultBan,
      });
      await outcomes(11);
      clock.at = noon - day;
      expect((await standing(key)).ban).toBeUndefined();
      expect((await take()).outcome).toBe('allowed');
    });

    it('shows only the strikes that still count', async () => {
      const { clock, outcomes, key, standing } = await createCase({
        plan: { perMinute: 1 },
        ban: defaultBan,
      });
      await outcomes(5);
      expect((await standing(key)).strikes).toBe(4);
      clock.at += minute - 1;
      expect((await standing(key)).strikes).toBe(4);
      clock.at += 1;
      expect((await standing(key)).strikes).toBe(0);
      clock.at = noon - 1;
      expect((await standing(key)).strikes).toBe(0);
    });

    it('refuses nothing when it observes, and counts on beyond the limit', async () => {
      const { outcomes, take, key, standing } = await createCase({
        mode: 'observe',
        plan: { perMinute: 2 },
        ban: defaultBan,
      });
      expect(new Set(await outcomes(50))).toEqual(new Set(['allowed']));
      expect((await take()).window).toMatchObject({ limit: 2, remaining: 0 });
      expect(await standing(key)).toMatchObject({
        minute: { used: 51, remaining: 0 },
        day: { used: 51, remaining: 949 },
        strikes: 0,
      });
    });

    it('shows untouched windows when it is off', async () => {
      const { take, outcomes, key, standing } = await createCase({
        mode: 'off',
        plan: { perMinute: 2 },
      });
      expect(new Set(await outcomes(50))).toEqual(new Set(['allowed']));
      expect((await take()).window).toEqual({
        limit: 2,
        remaining: 2,
        reset: noon + minute,
        per: 'minute',
      });
      expect(await standing(key)).toMatchObject({ minute: { used: 0 }, day: { used: 0 } });
    });

    it('forgets the least recently used minute, never the one in use', async () => {
      const { clock, outcomes } = await createCase({
        plan: { perMinute: 2, perDay: 10_000 },
        at: Date.UTC(2026, 0, 15),
      });
      const visit = async (minutes: number) => {
        clock.at = Date.UTC(2026, 0, 15) + minutes * minute;
        return await outcomes(1);
      };
      for (let at = 0; at < 100; at++) await visit(at);
      expect(await visit(0)).toEqual(['allowed']);
      await visit(100);
      expect(await visit(0)).toEqual(['exceeded']);
    });
  });
}
