import type { Decision, Window } from '../../limits/decide.ts';
import type { KeyUsage, LimiterState, LimitMode } from '../../limits/limiter.ts';
import type { ApiKey, LimitPolicy, Plan } from '../../limits/plans.ts';

/** Fields of a hash, by their names. */
export type Fields = Record<string, string>;

/** What `take` in scripts/limits.lua asks about a call of a key. */
export function toLimitArgs(
  { key }: ApiKey,
  { perMinute, perDay }: Plan,
  { mode, policy }: { mode: LimitMode; policy: LimitPolicy },
): string[] {
  const { ban } = policy;
  const figures: (number | string)[] = [perMinute, perDay, ...toMinuteArgs(policy)];
  if (ban) figures.push(ban.strikes, ban.withinSeconds, ban.seconds, ban.maxSeconds);
  return [key, mode, ...figures.map(String)];
}

/** What scripts/limits.lua asks about the shorter window: its milliseconds, and where it begins. */
export function toMinuteArgs({ minute }: Pick<LimitPolicy, 'minute'>): string[] {
  const { seconds = 60, from = 'utc' } = minute ?? {};
  return [String(seconds * 1000), from];
}

/** Reads the decision that `take` gives. */
export function readDecision(reply: readonly string[]): Decision {
  const [outcome, limit, remaining, reset, per, instant, more] = reply;
  const window: Window = {
    limit: Number(limit),
    remaining: Number(remaining),
    reset: Number(reset),
    per: per as Window['per'],
    ...(more === 'exceeded' && { isExceeded: true }),
  };
  if (outcome === 'banned')
    return { outcome, window, ban: { until: Number(instant), seconds: Number(more) } };
  return outcome === 'allowed'
    ? { outcome, window, at: Number(instant) }
    : { outcome: 'exceeded', window };
}

/**
 * The counts, strikes and bans of keys as fields, in the form of scripts/limits.lua: `KEY|minuteN` and
 * `KEY|dayN` are the calls in the window of index N, `KEY|minutes` and `KEY|days` the indexes of
 * windows, the most recently used one last.
 */
export function toUsageFields(state: LimiterState): Fields {
  const fields: Fields = {};
  for (const [key, { minute, day, strikes, ban }] of state) {
    for (const [name, windows] of [['minute', minute] as const, ['day', day] as const]) {
      if (windows.size === 0) continue;
      fields[`${key}|${name}s`] = [...windows.keys()].join(',');
      for (const [index, calls] of windows) fields[`${key}|${name}${index}`] = String(calls);
    }
    if (strikes.length > 0) fields[`${key}|strikes`] = strikes.join(',');
    if (ban) fields[`${key}|ban`] = `${ban.until},${ban.seconds}`;
  }
  return fields;
}

/** The plans that keys were moved to by hand. */
export function toPlans(state: LimiterState): Fields {
  const moved = [...state].flatMap(([key, { plan }]) => (plan === undefined ? [] : [[key, plan]]));
  return Object.fromEntries(moved);
}

/** Reads the counts, strikes and bans of keys, with the plans that they were moved to by hand. */
export function readLimits(usage: Fields, plans: Fields = {}): LimiterState {
  const counted = Object.keys(usage).map((field) => field.slice(0, field.indexOf('|')));
  const keys = new Set([...counted, ...Object.keys(plans)]);
  return new Map(
    [...keys].map((key) => {
      const plan = Object.hasOwn(plans, key) ? plans[key] : undefined;
      return [key, { ...readKeyUsage(usage, key), ...(plan !== undefined && { plan }) }];
    }),
  );
}

function readKeyUsage(fields: Fields, key: string): KeyUsage {
  const windowsOf = (name: string) =>
    new Map(
      toNumbers(fields[`${key}|${name}s`]).map((index) => [
        index,
        Number(fields[`${key}|${name}${index}`]),
      ]),
    );
  const [until, seconds] = toNumbers(fields[`${key}|ban`]);
  return {
    minute: windowsOf('minute'),
    day: windowsOf('day'),
    strikes: toNumbers(fields[`${key}|strikes`]),
    ...(until !== undefined && seconds !== undefined && { ban: { until, seconds } }),
  };
}

function toNumbers(list = ''): number[] {
  return list === '' ? [] : list.split(',').map(Number);
}
