import type { DocumentedLimits, LimitRole } from '../../openapi/index.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { Reason } from '../journal/reason.ts';
import type { Decision, Window } from '../limits/decide.ts';
import type { Plan } from '../limits/plans.ts';
import { windowsByPeriod } from '../limits/windows.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/**
 * The headers that tell a caller of the limits, as a flat list of names and values: those of a
 * window, or else of a caller without a key.
 */
export type ToLimitHeaders = (sandbox: Sandbox, window: Window | undefined) => string[];

/** The three headers of the Pet Store Service, on every response (§8). */
export const toPlanHeaders: ToLimitHeaders = ({ limiter }, window) =>
  rateLimitHeaders(window ?? limiter.anonymous());

/**
 * Returns the headers of plans for a document without limits: none until a sandbox counts calls.
 */
export const toPlanHeadersIfCounted: ToLimitHeaders = (sandbox, window) =>
  sandbox.settings.rateLimits === 'off' ? [] : toPlanHeaders(sandbox, window);

/** The headers that a document describes, with the names that it gives them. */
export function createToDocumentedHeaders({ headers }: DocumentedLimits): ToLimitHeaders {
  return ({ limiter, clock }, given) => {
    const window = given ?? limiter.anonymous();
    const now = clock.now();
    return headers.flatMap(({ name, role }) => [name, values[role](window, now)]);
  };
}

const wait = ({ reset }: Window, now: number) =>
  String(Math.max(0, Math.ceil((reset - now) / 1000)));

const values: Readonly<Record<LimitRole, (window: Window, now: number) => string>> = {
  limit: ({ limit }) => String(limit),
  remaining: ({ remaining }) => String(remaining),
  used: ({ limit, remaining }) => String(limit - remaining),
  reset: ({ reset }) => String(Math.ceil(reset / 1000)),
  'reset in seconds': wait,
  state: (window, now) => `"${window.per}";r=${window.remaining};t=${wait(window, now)}`,
  policy: ({ limit, per }) => `"${per}";q=${limit};w=${windowsByPeriod[per].seconds}`,
};

/**
 * The three headers that every response of the API carries (§8), as a flat list of names and
 * values.
 */
function rateLimitHeaders({ limit, remaining, reset }: Window): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(reset / 1000)),
  ];
}

type RefusedDecision = Exclude<Decision, { outcome: 'allowed' }>;

/** Returns the reason of a refusal: the plan, the window and the ban; instants in Unix seconds. */
export function toLimitReason(decision: RefusedDecision, plan: Plan): Reason {
  const { limit, remaining, reset, per } = decision.window;
  const window = { limit, remaining, reset: Math.ceil(reset / 1000), per };
  if (decision.outcome === 'exceeded')
    return { step: 'limits', outcome: 'exceeded', plan: plan.name, window };
  const ban = { until: Math.ceil(decision.ban.until / 1000), seconds: decision.ban.seconds };
  return { step: 'limits', outcome: 'banned', plan: plan.name, window, ban };
}

/**
 * The 429 for a refused call (§8), with Retry-After in whole seconds, at least 1; caches must not
 * store it (RFC 6585 §4).
 */
export function toLimitAnswer(decision: RefusedDecision, plan: Plan, now: number): Answer {
  const wait = Math.max(1, Math.ceil((decision.window.reset - now) / 1000));
  const headers = { 'Retry-After': String(wait), 'Cache-Control': 'no-store' };
  if (decision.outcome === 'banned')
    return toErrorAnswer(
      'key_banned',
      `This key kept calling after it was refused and is banned. Retry in ${wait} s.`,
      headers,
    );
  const { limit, per } = decision.window;
  return toErrorAnswer(
    'rate_limit_exceeded',
    `The ${plan.name} plan allows ${limit} requests a ${per}. Retry in ${wait} s.`,
    headers,
  );
}
