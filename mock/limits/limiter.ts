import type { Clock } from '../clock.ts';
import {
  type Ban,
  type Counters,
  createCounters,
  type Decision,
  decide,
  isBanned,
  recentStrikes,
  shownWindow,
  strike,
  type Usage,
  type Window,
  windowIndex,
} from './decide.ts';
import {
  type ApiKey,
  anonymousPlan,
  type LimitPolicy,
  minuteAt,
  type Plan,
  planUnder,
} from './plans.ts';

/** The modes in which calls are counted. */
export const limitModes = ['enforce', 'observe', 'off'] as const;

/** `enforce` refuses calls over a limit, `observe` only counts them, `off` shows unused windows. */
export type LimitMode = (typeof limitModes)[number];

export interface Limiter {
  /** Decides on a call of a key and counts it; a promise where other processes count too. */
  take(key: ApiKey): Decision | Promise<Decision>;
  /** Gives back what a call of a key took that was counted at an instant. */
  giveBack(key: ApiKey, at: number): void;
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
  standing(key: ApiKey): Standing;
  /** Moves a key to a plan of the policy, with the figures of that plan. */
  setPlan(key: ApiKey, name: string): void;
  /** Exhausts a window of a key. */
  exhaust(key: ApiKey, per: 'minute' | 'day'): void;
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
  /** What the key of a text has, if anything. */
  usageOf(key: string): KeyUsage | undefined;
  /** Puts what the key of a text has in place of what it had. */
  loadUsage(key: string, usage: KeyUsage | undefined): void;
}

/** How calls are counted and refused. */
export type LimitRules = { mode: LimitMode; policy: LimitPolicy };

/** The counts, strikes and bans of keys, by the text of the key. */
export type LimiterState = ReadonlyMap<string, KeyUsage>;

/**
 * Calls by the index of their window, instants of the latest refusals in Unix milliseconds, and the
 * latest ban.
 */
export type KeyUsage = {
  minute: ReadonlyMap<number, number>;
  day: ReadonlyMap<number, number>;
  strikes: readonly number[];
  ban?: Ban;
  /** The plan that it was moved to. */
  plan?: string;
};

export type Standing = { minute: Count; day: Count; strikes: number; ban?: Ban };

/** Calls used and left in a window that ends at `reset`, in Unix seconds. */
export type Count = { limit: number; used: number; remaining: number; reset: number };

type KeyState = {
  minute: Counters;
  day: Counters;
  strikes: readonly number[];
  ban?: Ban;
  plan?: string;
};

const createState = (): KeyState => ({
  minute: createCounters(),
  day: createCounters(),
  strikes: [],
});

/**
 * Counts the calls of keys, in memory, under a policy. A key is identified by its text, so
 * reloading the keys keeps its counts.
 */
export function createLimiter({ clock, ...rules }: { clock: Clock } & LimitRules): MemoryLimiter {
  let { mode, policy } = rules;
  let shownWithoutKey = anonymousPlan(policy.plans);
  let planByKey = new WeakMap<ApiKey, Plan>();
  const states = new Map<string, KeyState>();

  const givenPlan = ({ key }: ApiKey): Plan | undefined => {
    const name = states.get(key)?.plan;
    return name !== undefined && Object.hasOwn(policy.plans, name) ? policy.plans[name] : undefined;
  };
  const planOf = (key: ApiKey): Plan => {
    let plan = planByKey.get(key);
    if (!plan) planByKey.set(key, (plan = givenPlan(key) ?? planUnder(policy.plans, key)));
    return plan;
  };
  const stateOf = ({ key }: ApiKey): KeyState => {
    let state = states.get(key);
    if (!state) states.set(key, (state = createState()));
    return state;
  };
  const slotOf = ({ minute: { calls } }: Pick<KeyState, 'minute'>, now: number) =>
    policy.minute && minuteAt(policy.minute, calls, now);
  const minuteIndex = (state: KeyState, now: number) =>
    slotOf(state, now)?.index ?? windowIndex.minute(now);
  const minuteEnd = (state: Pick<KeyState, 'minute'>, now: number) => {
    const end = slotOf(state, now)?.end;
    return end === undefined ? {} : { minuteEnd: end };
  };
  const unused = (state: KeyState | undefined, now: number) => ({
    ...{ minute: 0, day: 0 },
    ...minuteEnd(state ?? { minute: createCounters() }, now),
  });
  const usageOf = (state: KeyState, now: number): Usage => ({
    minute: state.minute.of(minuteIndex(state, now)),
    ...(policy.minute && minuteEnd(state, now)),
    day: state.day.of(windowIndex.day(now)),
    strikes: state.strikes,
    ...(policy.ban && state.ban && { ban: state.ban }),
  });
  const follow = (next: LimitRules) => {
    ({ mode, policy } = next);
    shownWithoutKey = anonymousPlan(policy.plans);
    planByKey = new WeakMap();
  };

  return {
    take(key) {
      const now = clock.now();
      const state = stateOf(key);
      const plan = planOf(key);
      if (mode === 'off')
        return { outcome: 'allowed', window: shownWindow(unused(state, now), plan, now) };
      const usage = usageOf(state, now);
      const decision = decide({ usage, plan, now });
      if (decision.outcome === 'allowed' || mode === 'observe') {
        state.minute.set(minuteIndex(state, now), usage.minute + 1);
        state.day.set(windowIndex.day(now), usage.day + 1);
        if (state.ban) delete state.ban;
        const { outcome, window } = decision;
        const isWithin = outcome === 'allowed';
        return {
          outcome: 'allowed',
          window: isWithin ? window : { ...window, isExceeded: true },
          at: now,
        };
      }
      if (!policy.ban) return decision;
      Object.assign(state, strike(usage, policy.ban, now));
      return decide({ usage: usageOf(state, now), plan, now });
    },
    giveBack(key, at) {
      const state = states.get(key.key);
      if (!state) return;
      for (const per of ['minute', 'day'] as const) {
        const index = per === 'minute' ? minuteIndex(state, at) : windowIndex.day(at);
        const calls = state[per].of(index);
        if (calls > 0) state[per].set(index, calls - 1);
      }
    },
    anonymous() {
      const now = clock.now();
      return shownWindow(unused(undefined, now), shownWithoutKey, now);
    },
    windowOf(key) {
      const now = clock.now();
      const state = mode === 'off' ? undefined : states.get(key.key);
      const usage = state ? usageOf(state, now) : unused(undefined, now);
      return shownWindow(usage, planOf(key), now);
    },
    planOf,
    usedUp(key) {
      const plan = key ? planOf(key) : shownWithoutKey;
      const now = clock.now();
      const state = key && states.get(key.key);
      const usage = { ...unused(state, now), minute: plan.perMinute };
      return { plan, window: shownWindow(usage, plan, now) };
    },
    setPlan(key, name) {
      stateOf(key).plan = name;
      planByKey.delete(key);
    },
    exhaust(key, per) {
      const { perMinute, perDay } = planOf(key);
      const state = stateOf(key);
      const counters = state[per];
      const now = clock.now();
      const index = per === 'minute' ? minuteIndex(state, now) : windowIndex.day(now);
      counters.set(index, Math.max(counters.of(index), per === 'minute' ? perMinute : perDay));
    },
    ban(key, seconds) {
      Object.assign(stateOf(key), {
        strikes: [],
        ban: { until: clock.now() + seconds * 1000, seconds },
      });
    },
    lift(key) {
      const { plan } = stateOf(key);
      states.set(key.key, { ...createState(), ...(plan !== undefined && { plan }) });
    },
    standing(key) {
      const now = clock.now();
      const plan = planOf(key);
      const usage = usageOf(stateOf(key), now);
      const toCount = (limit: number, used: number, reset: number): Count => ({
        limit,
        used,
        remaining: Math.max(0, limit - used),
        reset,
      });
      return {
        minute: toCount(
          plan.perMinute,
          usage.minute,
          usage.minuteEnd === undefined
            ? (windowIndex.minute(now) + 1) * 60
            : Math.ceil(usage.minuteEnd / 1000),
        ),
        day: toCount(plan.perDay, usage.day, (windowIndex.day(now) + 1) * 86_400),
        strikes: policy.ban ? recentStrikes(usage.strikes, policy.ban, now).length : 0,
        ...(usage.ban && isBanned(usage.ban, now) && { ban: usage.ban }),
      };
    },
    save: () =>
      new Map(
        [...states]
          .filter(([, state]) => hasAny(state))
          .map(([key, state]) => [key, toUsage(state)]),
      ),
    load(next, state = new Map()) {
      follow(next);
      states.clear();
      for (const [key, usage] of state) states.set(key, toState(usage));
    },
    usageOf(key) {
      const state = states.get(key);
      return state && hasAny(state) ? toUsage(state) : undefined;
    },
    loadUsage(key, usage) {
      if (usage) states.set(key, toState(usage));
      else states.delete(key);
      planByKey = new WeakMap();
    },
    follow,
  };
}

function hasAny({ minute, day, strikes, ban, plan }: KeyState): boolean {
  const isCounted = minute.calls.size > 0 || day.calls.size > 0;
  return isCounted || strikes.length > 0 || ban !== undefined || plan !== undefined;
}

function toUsage({ minute, day, ...rest }: KeyState): KeyUsage {
  return { minute: new Map(minute.calls), day: new Map(day.calls), ...rest };
}

function toState({ minute, day, ...rest }: KeyUsage): KeyState {
  return { minute: createCounters(minute), day: createCounters(day), ...rest };
}
