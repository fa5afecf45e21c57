import type { KeyPlace, PlanFigures } from '../../../openapi/index.ts';
import { clockAhead, quotaOf, retryAfter } from '../../limits/quota.ts';
import { type Exchange, isAnswered } from '../../transcript/exchange.ts';

/** A key of the target; `secret` is sent and never shown. */
export type Key = {
  name: string;
  secret: string;
  plan?: string;
  /** The values to send for security schemes, by the scheme's name, as the user gave them. */
  byScheme?: Readonly<Record<string, string>>;
  /** The places of those values, for operations whose security the document does not describe. */
  places?: readonly KeyPlace[];
};

/** The calls that a key has left, learned from the headers of its answers (§8). */
export interface Budget {
  readonly key: Key;
  /** Calls that the key has left now, not counting those under way; Infinity if unknown. */
  available(): number;
  /** When the key may be used again, in Unix milliseconds. */
  readyAt(): number;
  /** When the window resets, in Unix milliseconds; Infinity if unknown. */
  resetAt(): number;
  /** When Retry-After of the last 429 is over, in Unix milliseconds. */
  retryAt(): number;
  readonly underWay: number;
  /** Takes a call from the quota and returns the budget. */
  take(): Budget;
  /** Learns from an answer: the remaining quota, and after a 429 the time to wait. */
  received(exchange: Exchange): void;
}

/** How many calls one part of a run leaves for those after it, and one that makes many. */
export const [reserve, largeReserve] = [10, 20];

/** The calls that several keys have left now. */
export function callsLeft(budgets: readonly Budget[]): number {
  return budgets.reduce((sum, budget) => sum + budget.available(), 0);
}

const waitWithoutRetryAfter = 60_000;
const maxOfAnyPlan = 100_000;

export function createBudget(
  key: Key,
  plans: Readonly<Record<string, PlanFigures>>,
  now: () => number = Date.now,
): Budget {
  const figures = plans[key.plan ?? ''];
  const areStated = Object.keys(plans).length > 0;
  let remaining = typeof figures === 'object' ? figures.perMinute : Number.POSITIVE_INFINITY;
  let reset = Number.POSITIVE_INFINITY;
  /** The Reset that it comes from, by the target's clock; undefined where it is from no Reset. */
  let shownReset: number | undefined;
  const perMinute = remaining;
  let limit = remaining;
  let calls: number[] = [];
  let blockedUntil = 0;
  let underWay = 0;
  const refresh = () => {
    if (now() < reset) return;
    [remaining, reset, shownReset] = [limit, Number.POSITIVE_INFINITY, undefined];
    // A day ends with its last minute.
    calls = [];
  };
  // The headers may show the day, so the minute of a known plan is counted here, unless the limits
  // are others than the plans'.
  const leftOfMinute = () => {
    if (limit < perMinute || limit > maxOfAnyPlan || reset - now() < 60_000)
      return Number.POSITIVE_INFINITY;
    calls = calls.filter((instant) => now() - instant < 60_000);
    return perMinute - calls.length;
  };
  /** Learns what is left of a window from an answer, in the order in which answers arrive. */
  const learnWindow = (exchange: Exchange, left: number | undefined, end: number | undefined) => {
    const endsAt = end === undefined ? Number.NEGATIVE_INFINITY : toOurClock(end, exchange);
    const isAhead = endsAt > now();
    // An answer of the window before may arrive after the first one of this window.
    if (!isAhead && end !== undefined && shownReset !== undefined && end < shownReset) return;
    if (left !== undefined && isAhead) {
      const isSameWindow = end === shownReset;
      remaining = isSameWindow ? Math.min(remaining, left) : left;
      if (!isSameWindow) [reset, shownReset] = [endsAt, end];
    } else {
      // Where Reset does not say when, the window is taken for a minute that began with its first
      // answer.
      remaining = Math.min(remaining - 1, left ?? Number.POSITIVE_INFINITY);
      if (reset > now() + 60_000) [reset, shownReset] = [now() + 60_000, undefined];
    }
  };
  const budget: Budget = {
    key,
    available() {
      refresh();
      return now() < blockedUntil ? 0 : Math.max(0, Math.min(remaining - underWay, leftOfMinute()));
    },
    readyAt: () =>
      Math.max(
        blockedUntil,
        remaining - underWay > 0 ? 0 : reset,
        leftOfMinute() > 0 ? 0 : (calls[0] ?? 0) + 60_000,
      ),
    resetAt: () => reset,
    retryAt: () => blockedUntil,
    get underWay() {
      return underWay;
    },
    take() {
      underWay += 1;
      calls.push(now());
      return budget;
    },
    received(exchange) {
      underWay -= 1;
      if (!isAnswered(exchange)) {
        // It may have been counted nevertheless.
        remaining -= 1;
        return;
      }
      const { status } = exchange.response;
      if (status === 401) return;
      const { remaining: left, limit: all, reset: end } = quotaOf(exchange);
      // Without a key, the headers say nothing about anyone's quota.
      if (key.secret === '') remaining = Number.POSITIVE_INFINITY;
      // Where no limits are stated, nothing says what else the headers mean.
      else if (!areStated) {
        // After a call that was counted, less is left than the limit.
        const isCounted = left === undefined || left !== all;
        remaining = isCounted ? (left ?? remaining) : Number.POSITIVE_INFINITY;
        reset = left === 0 ? toReset(end, now()) : Number.POSITIVE_INFINITY;
      } else learnWindow(exchange, left, end);
      if (all !== undefined && key.secret !== '') limit = all;
      if (status === 429)
        blockedUntil = Math.max(
          blockedUntil,
          exchange.endedAt + (retryAfter(exchange) ?? waitWithoutRetryAfter),
        );
    },
  };
  return budget;
}

/** When a window resets, by a Unix time or by seconds from now; after a minute where neither says. */
function toReset(end = 60, now: number): number {
  return end > 1_000_000_000 ? end * 1000 : now + end * 1000;
}

/** Clocks this close, in milliseconds, are taken for one: Date shows whole seconds. */
const minClockGap = 2000;

/** When a Unix time in seconds by the target's clock is by ours, in milliseconds. */
function toOurClock(instant: number, exchange: Exchange): number {
  const ahead = isAnswered(exchange) ? clockAhead(exchange) : 0;
  return instant * 1000 - (Math.abs(ahead) < minClockGap ? 0 : ahead);
}
