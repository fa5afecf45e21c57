import { toJsonAnswer } from '../http/answer.ts';
import type { Count, LimitMode } from '../limits/limiter.ts';
import type { ApiKey, BanPolicy } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AdminHandlers } from './admin.ts';

/** Where each key stands; `until` is in Unix seconds. */
export type LimitsView = { mode: LimitMode; ban: BanPolicy | false; keys: KeyView[] };

export type KeyView = {
  name: string;
  plan: string;
  minute: Count;
  day: Count;
  strikes: number;
  ban: { until: number; seconds: number } | null;
};

/** Show the limits of keys. */
export function createLimitHandlers(keys: readonly ApiKey[]): AdminHandlers {
  return { listLimits: ({ sandbox }) => toJsonAnswer(toLimitsView(sandbox, keys)) };
}

function toLimitsView(sandbox: Sandbox, keys: readonly ApiKey[]): LimitsView {
  const { rateLimits, policy } = sandbox.settings;
  return { mode: rateLimits, ban: policy.ban, keys: keys.map((key) => toKeyView(sandbox, key)) };
}

function toKeyView({ limiter }: Sandbox, key: ApiKey): KeyView {
  const { ban, ...standing } = limiter.standing(key);
  return {
    name: key.name,
    plan: limiter.planOf(key).name,
    ...standing,
    ban: ban ? { until: Math.ceil(ban.until / 1000), seconds: ban.seconds } : null,
  };
}
