import type { Count, LimitMode } from './limiter.ts';
import type { BanPolicy, PlanTable } from './plans.ts';

/** Where each key stands, as it is shown, and the plans that keys can be given. */
export type LimitsView = {
  mode: LimitMode;
  ban: BanPolicy | false;
  plans: PlanTable;
  keys: KeyView[];
};

/** The state of a key; `until` is in Unix seconds. */
export type KeyView = {
  name: string;
  plan: string;
  minute: Count;
  day: Count;
  strikes: number;
  ban: { until: number; seconds: number } | null;
};
