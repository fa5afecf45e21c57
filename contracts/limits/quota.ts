import { defined } from '../../common/defined.ts';
import { type Answer, type Exchange, headerValue, headerValues } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';

/*
 * How the limit of a key is read from answers, which are all that a suite sees of it:
 *
 * - The counter is what Remaining shows. A call that certainly counts takes one from it, a refused
 *   key nothing, and of errors and unknown paths nobody states it (`chargeOf`). From one answer of a
 *   key to the next is a span (`spans.ts`): how far Remaining fell, and how far our own calls explain
 *   that. All spans of a key say what a call costs, who else takes from it, and whether it refills
 *   (`key-counters.ts`).
 * - The window is named by Limit and Reset: answers of a key with the same two are counted together.
 *   Where Reset is missing or no time to come, a window begins where Remaining rises to the top
 *   (`withQuota`). One that slides gives calls back one by one (`sliding-limits.ts`); how long windows
 *   last, and when they begin, is in `window-length.ts`.
 * - The reset is the instant of Reset in Unix seconds, or the end of Retry-After, each by our clock or
 *   the target's, whichever its Date makes likely.
 */

/**
 * The rate-limit headers of an answer (§8), each undefined where it is missing or no whole number;
 * times in Unix seconds.
 */
export type Quota = {
  readonly limit?: number;
  readonly remaining?: number;
  readonly reset?: number;
};

export const quotaHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** The longest window, in seconds, is a day; clocks may differ by some seconds. */
const maxWindow = 86_400;
const tolerance = 5;

/** Reads the headers of an answer. */
export function quotaOf(exchange: Answer): Quota {
  const [limit, remaining, reset] = quotaHeaders.map((name) =>
    wholeNumber(headerValues(exchange, name)),
  );
  return defined({ limit, remaining, reset });
}

/** The time of an answer by the target's clock, in Unix milliseconds; NaN where it sends no Date. */
function dateOf(exchange: Answer): number {
  return Date.parse(headerValue(exchange, 'Date') ?? '');
}

/**
 * An answer with valid Limit and Remaining headers. `reset` is set if it lies in the future, in
 * Unix seconds. Answers of one key with the same `window` are counted together.
 */
export type WithQuota = Answer & {
  quota: { limit: number; remaining: number; reset?: number; window: string };
};

/** The answers with valid Limit and Remaining headers, ordered by when they ended. */
export function withQuota(exchanges: readonly Answer[]): WithQuota[] {
  /** The window without a known end of each key; `first` is the last answer that surely began one. */
  const unnamed = new Map<
    string,
    { number: number; lowest: WithQuota; first: Answer | undefined }
  >();
  return exchanges
    .toSorted((left, right) => left.endedAt - right.endedAt)
    .flatMap((exchange): WithQuota[] => {
      const { limit, remaining, reset } = quotaOf(exchange);
      if (limit === undefined || remaining === undefined) return [];
      if (reset !== undefined && isAhead(reset, exchange))
        return [{ ...exchange, quota: { limit, remaining, reset, window: `${limit} ${reset}` } }];
      const of = `${exchange.request.keyName} ${limit}`;
      const { number = 0, lowest, first } = unnamed.get(of) ?? {};
      const toAnswer = (window: string | number): WithQuota => ({
        ...exchange,
        quota: { limit, remaining, window: `${limit} unnamed ${window}` },
      });
      // What was under way with the first answer of a window may be of the one before.
      if (first && exchange.sentAt < first.endedAt) return [toAnswer(`with ${exchange.number}`)];
      const before = lowest?.quota.remaining ?? limit;
      const top = limit - maxUnderWay;
      const isSure = before < top && (lowest?.endedAt ?? 0) <= exchange.sentAt;
      const isTooEarly = isSure && first && exchange.endedAt - first.sentAt < minWindow;
      const isNew = remaining > before && remaining >= top && !isTooEarly;
      const answer = toAnswer(isNew ? number + 1 : number);
      if (isNew || !lowest || remaining < before)
        unnamed.set(of, {
          number: isNew ? number + 1 : number,
          lowest: answer,
          first: isNew && isSure ? exchange : first,
        });
      return [answer];
    });
}

/** The shortest window in milliseconds, as Reset counts whole seconds. */
const minWindow = 1000;

/** How many calls of a window may be in flight when its first answer arrives. */
const maxUnderWay = 8;

/** Whether two answers show the same window. */
export function isSameWindow(left: WithQuota, right: WithQuota): boolean {
  return left.quota.window === right.quota.window;
}

/**
 * Whether Reset is a time from now on and within the longest window, by our clock or the target's.
 */
function isAhead(reset: number, exchange: Answer): boolean {
  return [exchange.endedAt, dateOf(exchange)].some(
    (now) => reset >= now / 1000 - tolerance && reset <= now / 1000 + maxWindow + tolerance,
  );
}

function wholeNumber(values: readonly string[]): number | undefined {
  const [value] = values;
  return values.length === 1 && value !== undefined && /^\d{1,15}$/.test(value.trim())
    ? Number(value)
    : undefined;
}

/**
 * By how much the target's clock is ahead of ours at least, in milliseconds: a Date is that of any
 * instant of a whole second, between the request and its answer. 0 where it sends none.
 */
export function clockAhead(exchange: Answer): number {
  const { sentAt, endedAt } = exchange;
  const date = dateOf(exchange);
  if (date > endedAt) return date - endedAt;
  return date + 999 < sentAt ? date + 999 - sentAt : 0;
}

/**
 * Retry-After in milliseconds from the answer on: seconds, or an HTTP date by the target's clock
 * (RFC 9110 §10.2.3).
 */
export function retryAfter(exchange: Answer): number | undefined {
  const value = headerValue(exchange, 'Retry-After')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const instant = Date.parse(value);
  return /[A-Za-z]/.test(value) && !Number.isNaN(instant)
    ? Math.max(0, instant - exchange.endedAt - clockAhead(exchange))
    : undefined;
}

/**
 * Whether a call counts against its key's limit: the interface does not state it for errors and for
 * requests that match no operation.
 */
type Charge = 'sure' | 'maybe' | 'none';

/** Returns whether a call was charged to its key. */
export function chargeOf({ case: { credential, operation }, request, response }: Exchange): Charge {
  const status = response?.status ?? 0;
  if (request.keyName === undefined) return 'none';
  if (credential !== 'valid')
    return status === 401 && credential !== 'lower-case-scheme' ? 'none' : 'maybe';
  return operation !== undefined && status >= 200 && status < 300 ? 'sure' : 'maybe';
}

/** The calls that each key was or may have been charged for, in order of sending. */
export function chargedCalls({
  exchanges,
}: Pick<Transcript, 'exchanges'>): Map<string, Exchange[]> {
  const charged = exchanges.filter((exchange) => chargeOf(exchange) !== 'none');
  return Map.groupBy(
    charged.toSorted((left, right) => left.sentAt - right.sentAt),
    ({ request }) => request.keyName as string,
  );
}
