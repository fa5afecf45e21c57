import type { Count, LimitMode } from './limiter.ts';
import type { BanPolicy } from './plans.ts';

/** Where each key stands, as it is shown; `until` is in Unix seconds. */
export type LimitsView = { mode: LimitMode; ban: BanPolicy | false; keys: KeyView[] };

export type KeyView = {
  name: string;
  plan: string;
  minute: Count;
  day: Count;
  strikes: number;
  ban: { until: number; seconds: number } | null;
};
