import type { Clock } from '../clock.ts';
import {
  type Ban,
  copyOf,
  createKeyState,
  type Decision,
  decide,
  endAt,
  indexAt,
  isBanned,
  type KeyState,
  type KeyUsage,
  recentStrikes,
  setCalls,
  shownWindow,
  strike,
  unused,
  usageAt,
  type Window,
} from './decide.ts';
import { type ApiKey, anonymousPlan, type LimitPolicy, type Plan, planUnder } from './plans.ts';
import { byPeriod, type Period, windows, windowsByPeriod } from './windows.ts';

/** The modes in which calls are counted. */
export const limitModes = ['enforce', 'observe', 'off'] as const;

/** `enforce` refuses calls over a limit, `observe` only counts them, `off` shows unused windows. */
export type LimitMode = (typeof limitModes)[number];

export interface Limiter {
  /** Decides on a call of a key and counts it; a promise where other processes count too. */
  take(key: ApiKey): Decision | Promise<Decision>;
  /** The window for a caller without a key; nothing is counted. */
  anonymous(): Window;
  /** The window of a key as it is; nothing is counted. */
  windowOf(key: ApiKey): Window;
  /** The plan of a key. */
  planOf(key: ApiKey): Plan;
  /**
   * The window and the plan that the answers of a key show once its minute is exhausted; a caller
   * without a key is on the free plan.
   */
  usedUp(key?: ApiKey): { window: Window; plan: Plan };
  /** The state of a key now. */
  standing(key: ApiKey): KeyStanding;
  /** Moves a key to a plan of the policy, with the figures of that plan. */
  setPlan(key: ApiKey, name: string): void;
  /** Exhausts a window of a key. */
  exhaust(key: ApiKey, per: Period): void;
  /** Bans a key for this many seconds from now on. */
  ban(key: ApiKey, seconds: number): void;
  /** Clears the counts, the strikes and the ban of a key; its plan stays. */
  lift(key: ApiKey): void;
  /** The counts, strikes, ban and plan of each key that has any. */
  save(): LimiterState;
  /** Applies these rules from now on, with these counts or with none. */
  load(rules: LimitRules, state?: LimiterState): void;
  /** Applies these rules from now on; counts stay, and bans too unless the rules have none. */
  follow(rules: LimitRules): void;
}

/** The limits of a sandbox in the memory of this process, which need not wait for any other. */
export interface MemoryLimiter extends Limiter {
  take(key: ApiKey): Decision;
}

/** Selects whether limits are enforced, and by which plans. */
export type LimitRules = { mode: LimitMode; policy: LimitPolicy };

/** The counts, strikes and bans of keys, by the text of the key. */
export type LimiterState = ReadonlyMap<string, KeyUsage>;

/** The use of a key: its counts, and the refusals that lead to a ban. */
export type KeyStanding = Record<Period, Count> & { strikes: number; ban?: Ban };

/** Calls used and left in a window that ends at `reset`, in Unix seconds. */
export type Count = { limit: number; used: number; remaining: number; reset: number };

/** The state of a limiter. */
type Limits = LimitRules & {
  readonly clock: Clock;
  /** The plan that is shown to a caller without a key. */
  shownWithoutKey: Plan;
  planByKey: WeakMap<ApiKey, Plan>;
  /** By the texts of keys. */
  readonly states: Map<string, KeyState>;
};

/**
 * Counts the calls of keys, in memory, under a policy. A key is identified by its text, so
 * reloading the keys keeps its counts.
 */
export function createLimiter({ clock, ...rules }: { clock: Clock } & LimitRules): MemoryLimiter {
  const shownWithoutKey = anonymousPlan(rules.policy.plans);
  const states = new Map<string, KeyState>();
  const planByKey = new WeakMap<ApiKey, Plan>();
  const limits: Limits = { ...rules, clock, shownWithoutKey, planByKey, states };
  return {
    take: (key) => take(limits, key),
    anonymous: () => windowOf(limits, undefined),
    windowOf: (key) => windowOf(limits, key),
    planOf: (key) => planOf(limits, key),
    usedUp: (key) => usedUp(limits, key),
    standing: (key) => standingOf(limits, key),
    setPlan(key, name) {
      stateOf(limits, key).plan = name;
      limits.planByKey.delete(key);
    },
    exhaust: (key, per) => exhaust(limits, key, per),
    ban(key, seconds) {
      const ban = { until: clock.now() + seconds * 1000, seconds };
      Object.assign(stateOf(limits, key), { strikes: [], ban });
    },
    lift(key) {
      const { plan } = stateOf(limits, key);
      states.set(key.key, { ...createKeyState(), ...(plan !== undefined && { plan }) });
    },
    save() {
      const used = [...states].filter(([, state]) => hasAny(state));
      return new Map(used.map(([key, state]) => [key, copyOf(state)]));
    },
    load(next, saved = new Map()) {
      follow(limits, next);
      states.clear();
      for (const [key, usage] of saved) states.set(key, copyOf(usage));
    },
    follow: (next) => follow(limits, next),
  };
}

function follow(limits: Limits, { mode, policy }: LimitRules): void {
  limits.mode = mode;
  limits.policy = policy;
  limits.shownWithoutKey = anonymousPlan(policy.plans);
  limits.planByKey = new WeakMap();
}

function planOf({ planByKey, states, policy: { plans } }: Limits, key: ApiKey): Plan {
  const known = planByKey.get(key);
  if (known) return known;
  const name = states.get(key.key)?.plan;
  const given = name !== undefined && Object.hasOwn(plans, name) ? plans[name] : undefined;
  const plan = given ?? planUnder(plans, key);
  planByKey.set(key, plan);
  return plan;
}

function stateOf({ states }: Limits, { key }: ApiKey): KeyState {
  let state = states.get(key);
  if (!state) states.set(key, (state = createKeyState()));
  return state;
}

function take(limits: Limits, key: ApiKey): Decision {
  const { mode, policy } = limits;
  const now = limits.clock.now();
  const state = stateOf(limits, key);
  const plan = planOf(limits, key);
  if (mode === 'off') return { outcome: 'allowed', window: shownWindow(unused, plan, now) };
  const usage = usageAt(state, policy, now);
  const decision = decide({ usage, plan, now });
  if (decision.outcome === 'allowed' || mode === 'observe') {
    for (const row of windows) setCalls(state[row.per], indexAt(row, now), usage[row.per] + 1);
    if (state.ban) delete state.ban;
    return { outcome: 'allowed', window: decision.window };
  }
  if (!policy.ban) return decision;
  Object.assign(state, strike(usage, policy.ban, now));
  return decide({ usage: usageAt(state, policy, now), plan, now });
}

function windowOf(limits: Limits, key: ApiKey | undefined): Window {
  const { clock, mode, policy, states, shownWithoutKey } = limits;
  const now = clock.now();
  const state = key && mode !== 'off' ? states.get(key.key) : undefined;
  const usage = state ? usageAt(state, policy, now) : unused;
  return shownWindow(usage, key ? planOf(limits, key) : shownWithoutKey, now);
}

function usedUp(limits: Limits, key: ApiKey | undefined): { window: Window; plan: Plan } {
  const { clock, shownWithoutKey } = limits;
  const plan = key ? planOf(limits, key) : shownWithoutKey;
  const [shortest] = windows;
  const usage = { ...unused, [shortest.per]: plan[shortest.figure] };
  return { plan, window: shownWindow(usage, plan, clock.now()) };
}

function exhaust(limits: Limits, key: ApiKey, per: Period): void {
  const plan = planOf(limits, key);
  const calls = stateOf(limits, key)[per];
  const row = windowsByPeriod[per];
  const index = indexAt(row, limits.clock.now());
  setCalls(calls, index, Math.max(calls.get(index) ?? 0, plan[row.figure]));
}

function standingOf(limits: Limits, key: ApiKey): KeyStanding {
  const { policy } = limits;
  const now = limits.clock.now();
  const plan = planOf(limits, key);
  const usage = usageAt(stateOf(limits, key), policy, now);
  const { strikes, ban } = usage;
  return {
    ...byPeriod((row) => toCount(plan[row.figure], usage[row.per], endAt(row, now) / 1000)),
    strikes: policy.ban ? recentStrikes(strikes, policy.ban, now).length : 0,
    ...(ban && isBanned(ban, now) && { ban }),
  };
}

function toCount(limit: number, used: number, reset: number): Count {
  return { limit, used, remaining: Math.max(0, limit - used), reset };
}

function hasAny(state: KeyState): boolean {
  const { strikes, ban, plan } = state;
  const isCounted = windows.some(({ per }) => state[per].size > 0);
  return isCounted || strikes.length > 0 || ban !== undefined || plan !== undefined;
}
