import type { ControlledClock } from '../clock.ts';
import type { Count, Limiter, LimitMode } from '../limits/limiter.ts';
import type { ApiKey, BanPolicy } from '../limits/plans.ts';

export type AdminDeps = {
  clock: ControlledClock;
  limiter: Limiter;
  keys: readonly ApiKey[];
  rateLimits: LimitMode;
  ban: BanPolicy | false;
};

/** Where each key stands; `until` is in Unix seconds. */
export type LimitsView = {
  mode: LimitMode;
  ban: BanPolicy | false;
  keys: {
    name: string;
    plan: string;
    minute: Count;
    day: Count;
    strikes: number;
    ban: { until: number; seconds: number } | null;
  }[];
};

export function toLimits({ limiter, keys, rateLimits, ban: policy }: AdminDeps): LimitsView {
  return {
    mode: rateLimits,
    ban: policy,
    keys: keys.map((key) => {
      const { ban, ...standing } = limiter.standing(key);
      return {
        name: key.name,
        plan: key.plan.name,
        ...standing,
        ban: ban ? { until: Math.ceil(ban.until / 1000), seconds: ban.seconds } : null,
      };
    }),
  };
}
