import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import type { Reason } from '../journal/reason.ts';
import type { Decision, Window } from '../limits/decide.ts';
import type { MinuteWindow } from '../limits/minute-window.ts';
import type { Plan } from '../limits/plans.ts';

/**
 * The three headers that every response of the API carries (§8), as a flat list of names and
 * values.
 */
export function rateLimitHeaders({ limit, remaining, reset }: Window): string[] {
  return [
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(reset / 1000)),
  ];
}

type Refused = Exclude<Decision, { outcome: 'allowed' }>;

/** Why a call was refused: the plan, the window and the ban; instants in Unix seconds. */
export function toLimitReason(decision: Refused, plan: Plan): Reason {
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
export function toLimitAnswer(
  decision: Refused,
  plan: Plan,
  now: number,
  { seconds = 60 }: Partial<MinuteWindow> = {},
): Answer {
  const wait = Math.max(1, Math.ceil((decision.window.reset - now) / 1000));
  const headers = { 'Retry-After': String(wait), 'Cache-Control': 'no-store' };
  if (decision.outcome === 'banned')
    return toErrorAnswer(
      'key_banned',
      `This key kept calling after it was refused and is banned. Retry in ${wait} s.`,
      headers,
    );
  const { limit, per } = decision.window;
  const span = per === 'minute' && seconds !== 60 ? `in ${seconds} s` : `a ${per}`;
  return toErrorAnswer(
    'rate_limit_exceeded',
    `The ${plan.name} plan allows ${limit} requests ${span}. Retry in ${wait} s.`,
    headers,
  );
}
