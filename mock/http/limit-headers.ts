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
  return ({ limiter, clock, settings }, given) => {
    const window = given ?? limiter.anonymous();
    const now = clock.now();
    const { seconds: minute = 60 } = settings.policy.minute ?? {};
    return headers.flatMap(({ name, role }) => [name, values[role](window, { now, minute })]);
  };
}

/** The instant of a response, and how many seconds the shorter window lasts. */
type Given = { now: number; minute: number };

const wait = ({ reset }: Window, { now }: Given) =>
  String(Math.max(0, Math.ceil((reset - now) / 1000)));

const values: Readonly<Record<LimitRole, (window: Window, given: Given) => string>> = {
  limit: ({ limit }) => String(limit),
  remaining: ({ remaining }) => String(remaining),
  used: ({ limit, remaining }) => String(limit - remaining),
  reset: ({ reset }) => String(Math.ceil(reset / 1000)),
  'reset in seconds': wait,
  state: (window, given) => `"${window.per}";r=${window.remaining};t=${wait(window, given)}`,
  policy: ({ limit, per }, { minute }) =>
    `"${per}";q=${limit};w=${per === 'minute' ? minute : 86_400}`,
};
