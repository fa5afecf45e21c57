import type { BanPolicy, LimitPolicy, Plan } from './plans.ts';
import { byPeriod, type Period, windows } from './windows.ts';

/** The calls of a key in the current windows, its strikes and its ban. */
export type Usage = Record<Period, number> & {
  /** Instants of the latest refusals, oldest first, in Unix milliseconds. */
  strikes: readonly number[];
  ban?: Ban;
};

/** The end of a ban (Unix milliseconds), and its length in seconds. */
export type Ban = { until: number; seconds: number };

/**
 * The window that a response shows: its limit, what is left of it, and its end in Unix
 * milliseconds.
 */
export type Window = {
  limit: number;
  remaining: number;
  reset: number;
  per: Period;
};

export type Decision =
  | { outcome: 'allowed'; window: Window }
  | { outcome: 'exceeded'; window: Window }
  | { outcome: 'banned'; window: Window; ban: Ban };

/**
 * Decides on one call of a key (§8): allowed if each window has room, else exceeded. A refused call
 * uses none. The answer shows the window with the least remaining; of equal ones, the one that ends
 * last.
 */
export function decide({ usage, plan, now }: { usage: Usage; plan: Plan; now: number }): Decision {
  if (usage.ban && isBanned(usage.ban, now)) return toBanned(usage.ban, usage, plan, now);
  const allowed = windows.every(({ per, figure }) => usage[per] < plan[figure]);
  const window = shownWindow(usage, plan, now, allowed ? 1 : 0);
  return { outcome: allowed ? 'allowed' : 'exceeded', window };
}

/** The window that a response shows for these counts, and for a call that is `taken` as well. */
export function shownWindow(
  usage: Record<Period, number>,
  plan: Plan,
  now: number,
  taken = 0,
): Window {
  let shown: Window | undefined;
  for (const row of windows) {
    const limit = plan[row.figure];
    const remaining = Math.max(0, limit - usage[row.per] - taken);
    const reset = endAt(row, now);
    const isLess = !shown || remaining < shown.remaining;
    if (isLess || (remaining === shown?.remaining && reset >= shown.reset))
      shown = { limit, remaining, reset, per: row.per };
  }
  return shown as Window;
}

/**
 * Whether a key is banned at an instant; a ban from a later time, before the clock was moved back,
 * does not count.
 */
export function isBanned({ until, seconds }: Ban, now: number): boolean {
  return until - seconds * 1000 <= now && now < until;
}

/** The strikes that still count at an instant. */
export function recentStrikes(
  strikes: readonly number[],
  policy: BanPolicy,
  now: number,
): number[] {
  return strikes.filter((instant) => instant <= now && now - instant < policy.withinSeconds * 1000);
}

/**
 * The strikes and the ban after a refusal. The n-th strike within the policy's time is a ban; a ban
 * that follows another without an allowed call between them lasts twice as long, up to the maximum.
 */
export function strike(
  usage: Usage,
  policy: BanPolicy,
  now: number,
): Pick<Usage, 'strikes' | 'ban'> {
  const strikes = [...recentStrikes(usage.strikes, policy, now), now];
  if (strikes.length < policy.strikes) return { strikes, ...(usage.ban && { ban: usage.ban }) };
  const seconds = usage.ban ? Math.min(usage.ban.seconds * 2, policy.maxSeconds) : policy.seconds;
  return { strikes: [], ban: { until: now + seconds * 1000, seconds } };
}

/**
 * The ban ends when a call can pass again: at its own end, or at the end of the exhausted window if
 * that is later.
 */
function toBanned(ban: Ban, usage: Usage, plan: Plan, now: number): Decision {
  const window = shownWindow(usage, plan, now);
  const reset = window.remaining === 0 ? Math.max(ban.until, window.reset) : ban.until;
  return { outcome: 'banned', ban, window: { ...window, remaining: 0, reset } };
}

/**
 * Calls by the index of their window, instants of the latest refusals in Unix milliseconds, and the
 * latest ban.
 */
export type KeyUsage = Record<Period, ReadonlyMap<number, number>> & {
  strikes: readonly number[];
  ban?: Ban;
  /** The plan that it was moved to. */
  plan?: string;
};

/** Lets the counts of a usage change. */
export type KeyState = KeyUsage & Record<Period, Map<number, number>>;

/** The state of a key that has used nothing. */
export function createKeyState(): KeyState {
  return { ...byPeriod(() => new Map()), strikes: [] };
}

/**
 * A window is met again where the clock was moved back, so those used last are kept; a day has 1,440
 * minutes for each key, in memory and in each snapshot.
 */
const maxWindows = 100;

/** Sets the calls of a window, and forgets the least recently used one where there are too many. */
export function setCalls(calls: Map<number, number>, index: number, count: number): void {
  calls.delete(index);
  calls.set(index, count);
  if (calls.size > maxWindows) calls.delete(calls.keys().next().value as number);
}

/** A copy of a state, with the windows that are kept. */
export function copyOf(usage: KeyUsage): KeyState {
  const latest = byPeriod(({ per }) => new Map([...usage[per]].slice(-maxWindows)));
  return { ...usage, ...latest };
}

/** The calls of a key that was never used. */
export const unused = byPeriod(() => 0);

/** Returns a key's usage in the windows of an instant. */
export function usageAt(state: KeyState, policy: LimitPolicy, now: number): Usage {
  const { strikes, ban } = state;
  const usage: Usage = { ...unused, strikes, ...(policy.ban && ban && { ban }) };
  for (const row of windows) usage[row.per] = state[row.per].get(indexAt(row, now)) ?? 0;
  return usage;
}

/** Returns the index of the window that holds an instant in Unix milliseconds. */
export function indexAt({ seconds }: { seconds: number }, now: number): number {
  return Math.floor(now / (seconds * 1000));
}

/** Returns the instant at which the window that holds another instant ends, in Unix milliseconds. */
export function endAt(row: { seconds: number }, now: number): number {
  return (indexAt(row, now) + 1) * row.seconds * 1000;
}
