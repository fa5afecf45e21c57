import type { Response } from 'express';
import type { Cors } from './cors.ts';
import { localsOf } from './locals.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/**
 * The headers that each answer of the API carries, as a flat list of names and values: its limits
 * (those of the Free plan for a caller that was not let in), what it honours of Prefer, and what
 * pages of other origins need.
 */
export function apiHeaders(response: Response, cors: Cors): string[] {
  const { window, sandbox, applied } = localsOf(response);
  // Any answer could have been another one with Prefer (RFC 7240 §2) or in another sandbox, which
  // caches have to know.
  const headers = [
    ...rateLimitHeaders(window ?? sandbox.limiter.anonymous()),
    'Vary',
    'Prefer, X-Sandbox',
    ...cors.headers,
  ];
  if (applied !== undefined) headers.push('Preference-Applied', applied);
  return headers;
}
