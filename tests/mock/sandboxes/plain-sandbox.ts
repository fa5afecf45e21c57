import type { DnsRecord } from '../../../mock/domains/dns-records.ts';
import type {
  CountedRule,
  LatencySettings,
  NewFaultRule,
} from '../../../mock/faults/fault-rules.ts';
import { createRandom } from '../../../mock/faults/random.ts';
import type { BanPolicy, LimitPolicy, Plan } from '../../../mock/limits/plans.ts';
import type { SandboxOptions } from '../../../mock/sandboxes/sandbox-options.ts';
import { plainSettings, toPlainItems } from './plain-settings.ts';

type Ban = { until: number; seconds: number };
type PlainKey = {
  minutes: Record<number, number>;
  days: Record<number, number>;
  strikes: number[];
  ban?: Ban;
  plan?: string;
};
type Window = { limit: number; remaining: number; reset: number; per: 'minute' | 'day' };

/** Describes what a snapshot has of a sandbox. */
type PlainState = Pick<
  PlainSandbox,
  'options' | 'items' | 'next' | 'keys' | 'now' | 'records' | 'tasks'
>;

/** A sandbox as plain data, whose clock stands still. */
export type PlainSandbox = {
  policy: LimitPolicy;
  options: SandboxOptions;
  items: string[];
  next: number;
  keys: Record<string, PlainKey>;
  now: number;
  faults: CountedRule[];
  /** How many numbers each fault with a probability drew, by its id. */
  draws: Record<string, number>;
  latency: LatencySettings;
  /** The records of DNS. */
  records: DnsRecord[];
  tasks: { last: number; list: { id: string; due: number; isHeld: boolean }[] };
  snapshots: Record<string, PlainState>;
};

const [minute, day] = [60_000, 86_400_000];

/** A sandbox that has just begun, its clock stopped at an instant. */
export function beginPlain(
  options: SandboxOptions,
  now: number,
  policy: LimitPolicy = plainSettings.policy,
): PlainSandbox {
  const items = toPlainItems(options.items ?? options.pets ?? plainSettings.items);
  return {
    policy,
    options,
    items,
    next: items.length + 1,
    keys: {},
    now,
    faults: [],
    draws: {},
    latency: { fixedDelay: null, delayDistribution: null },
    records: [],
    tasks: { last: 0, list: [] },
    snapshots: {},
  };
}

export function plainKey({ keys }: PlainSandbox, key: string): PlainKey {
  return (keys[key] ??= { minutes: {}, days: {}, strikes: [] });
}

/** Returns what a key has used, and its plan. */
export function plainStanding(sandbox: PlainSandbox, key: string) {
  const { minutes, days, ban, plan, strikes } =
    sandbox.keys[key] ?? plainKey({ ...sandbox, keys: {} }, key);
  const { now, policy } = sandbox;
  const { perMinute, perDay, name } = policy.plans[plan ?? 'free'] as Plan;
  const used = [minutes[Math.floor(now / minute)] ?? 0, days[Math.floor(now / day)] ?? 0] as const;
  const isBanned = policy.ban && ban && ban.until - ban.seconds * 1000 <= now && now < ban.until;
  return {
    plan: name,
    minute: { used: used[0], remaining: Math.max(0, perMinute - used[0]) },
    day: { used: used[1], remaining: Math.max(0, perDay - used[1]) },
    strikes: policy.ban ? recentIn(strikes, policy.ban, now).length : 0,
    ban: isBanned ? ban : undefined,
  };
}

/** The strikes that still count. */
function recentIn(strikes: readonly number[], { withinSeconds }: BanPolicy, now: number) {
  return strikes.filter((at) => at <= now && now - at < withinSeconds * 1000);
}

/** Decides on a call of a key and counts it. */
export function takePlain(sandbox: PlainSandbox, key: string) {
  const { now, options, policy } = sandbox;
  const state = plainKey(sandbox, key);
  const { perMinute, perDay } = policy.plans[state.plan ?? 'free'] as Plan;
  const [inMinute, inDay] = [Math.floor(now / minute), Math.floor(now / day)];
  const window = (taken: number): Window => {
    const [used, usedOfDay] =
      options.rateLimits === 'off'
        ? [0, 0]
        : [(state.minutes[inMinute] ?? 0) + taken, (state.days[inDay] ?? 0) + taken];
    const left = Math.max(0, perMinute - used);
    const leftOfDay = Math.max(0, perDay - usedOfDay);
    return leftOfDay <= left
      ? { limit: perDay, remaining: leftOfDay, reset: (inDay + 1) * day, per: 'day' }
      : { limit: perMinute, remaining: left, reset: (inMinute + 1) * minute, per: 'minute' };
  };
  const refusedByBan = ({ until, seconds }: Ban) => {
    const shown = window(0);
    const reset = shown.remaining === 0 ? Math.max(until, shown.reset) : until;
    return {
      outcome: 'banned',
      ban: { until, seconds },
      window: { ...shown, remaining: 0, reset },
    };
  };
  if (options.rateLimits === 'off') return { outcome: 'allowed', window: window(0) };
  const { minute: left, day: leftOfDay, ban } = plainStanding(sandbox, key);
  const hasRoom = left.remaining > 0 && leftOfDay.remaining > 0;
  if ((hasRoom && !ban) || options.rateLimits === 'observe') {
    const shown = ban ? refusedByBan(ban).window : window(hasRoom ? 1 : 0);
    state.minutes[inMinute] = (state.minutes[inMinute] ?? 0) + 1;
    state.days[inDay] = (state.days[inDay] ?? 0) + 1;
    delete state.ban;
    return { outcome: 'allowed', window: shown };
  }
  if (!policy.ban) return { outcome: 'exceeded', window: window(0) };
  const { strikes, seconds, maxSeconds } = policy.ban;
  state.strikes = [...recentIn(state.strikes, policy.ban, now), now];
  if (state.strikes.length >= strikes) {
    const length = state.ban ? Math.min(state.ban.seconds * 2, maxSeconds) : seconds;
    state.ban = { until: now + length * 1000, seconds: length };
    state.strikes = [];
  }
  const banned = plainStanding(sandbox, key).ban;
  return banned ? refusedByBan(banned) : { outcome: 'exceeded', window: window(0) };
}

/** Takes out the task of a number. */
export function takePlainTask({ tasks: { list } }: PlainSandbox, n: number) {
  const at = list.findIndex(({ id }) => id === `task-${n}`);
  return at === -1 ? undefined : list.splice(at, 1)[0];
}

/** The id of the rule that fires for a call, if any. */
export function decidePlain(
  { faults, draws }: PlainSandbox,
  operation: string,
): string | undefined {
  const fired = faults.filter((rule) => {
    if (rule.operation !== undefined && rule.operation !== operation) return false;
    rule.calls += 1;
    const isTurn =
      rule.probability === undefined
        ? rule.calls % (rule.every ?? 1) === 0
        : drawPlain(rule, (draws[rule.id] = (draws[rule.id] ?? 0) + 1)) < rule.probability;
    return isTurn && rule.hits < (rule.times ?? Infinity);
  });
  const [first] = fired;
  if (first) first.hits += 1;
  return first?.id;
}

/** The so manyth number of the sequence of a rule. */
function drawPlain({ id, seed }: CountedRule, count: number): number {
  const random = createRandom(seed ?? `${plainSettings.seed}: ${id}`);
  for (let skipped = 1; skipped < count; skipped++) random();
  return random();
}

/** Puts a rule that has an id. */
export function putPlainFault(
  { faults, draws }: PlainSandbox,
  rule: NewFaultRule & { id: string },
): void {
  delete draws[rule.id];
  const at = faults.findIndex(({ id }) => id === rule.id);
  faults.splice(at === -1 ? faults.length : at, 1, { ...rule, calls: 0, hits: 0 });
}

/** Brings a sandbox to the start, or to what another was, and lets its snapshots stay. */
export function replacePlain(sandbox: PlainSandbox, state: PlainState): void {
  const { options, items, next, keys, now, records, tasks } = structuredClone(state);
  Object.assign(sandbox, { options, items, next, keys, now, records, tasks });
}

export function savePlain(sandbox: PlainSandbox): PlainState {
  const { options, items, next, keys, now, records } = sandbox;
  const list = sandbox.tasks.list.filter(({ isHeld }) => !isHeld);
  const tasks = list.length > 0 ? { last: sandbox.tasks.last, list } : { last: 0, list };
  return structuredClone({ options, items, next, keys, now, records, tasks });
}
