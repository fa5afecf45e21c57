import type { DocumentedLimits, LimitRole } from '../../contracts/description/documented-limits.ts';
import type { Window } from '../limits/decide.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/**
 * The headers that tell a caller of the limits, as a flat list of names and values: those of a
 * window, or else of a caller without a key.
 */
export type ToLimitHeaders = (sandbox: Sandbox, window: Window | undefined) => string[];

/** The three headers of the Pet Store Service, on every response (§8). */
export const toPlanHeaders: ToLimitHeaders = ({ limiter }, window) =>
  rateLimitHeaders(window ?? limiter.anonymous());

/** The same for a document that describes no limits: none until a sandbox counts calls. */
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
  policy: ({ limit, per }) => `"${per}";q=${limit};w=${per === 'minute' ? 60 : 86_400}`,
};
