import { type Answered, headerValue, headerValues } from './exchange.ts';

/** The rate-limit headers of an answer (§8), each undefined where it is missing or no whole number; times in Unix seconds. */
export type Quota = { limit?: number; remaining?: number; reset?: number };

export const quotaHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** Reads the headers of an answer. */
export function quotaOf(exchange: Answered): Quota {
  const [limit, remaining, reset] = quotaHeaders.map((name) => wholeNumber(headerValues(exchange, name)));
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { reset }),
  };
}

/** An answer with all three headers in form. */
export type WithQuota = Answered & { quota: Required<Quota> };

/** The answers whose headers are all there and in form. */
export function withQuota(exchanges: readonly Answered[]): WithQuota[] {
  return exchanges
    .map((exchange) => ({ ...exchange, quota: quotaOf(exchange) }))
    .filter((exchange): exchange is WithQuota => Object.keys(exchange.quota).length === 3);
}

/** Whether two answers show the same window. */
export function isSameWindow(one: WithQuota, other: WithQuota): boolean {
  return one.quota.reset === other.quota.reset && one.quota.limit === other.quota.limit;
}

function wholeNumber(values: readonly string[]): number | undefined {
  const [value] = values;
  return values.length === 1 && value !== undefined && /^\d{1,15}$/.test(value.trim()) ? Number(value) : undefined;
}

/** By how much the target's clock is ahead of ours, in milliseconds; 0 where it sends no Date. */
export function clockAhead(exchange: Answered): number {
  const date = Date.parse(headerValue(exchange, 'Date') ?? '');
  return Number.isNaN(date) ? 0 : date - exchange.endedAt;
}

/** Retry-After in milliseconds from the answer on: seconds, or an HTTP date by the target's clock (RFC 9110 §10.2.3). */
export function retryAfter(exchange: Answered): number | undefined {
  const value = headerValue(exchange, 'Retry-After')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const instant = Date.parse(value);
  return /[A-Za-z]/.test(value) && !Number.isNaN(instant)
    ? Math.max(0, instant - exchange.endedAt - clockAhead(exchange))
    : undefined;
}
