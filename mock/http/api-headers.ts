import type { Response } from 'express';
import type { Cors } from './cors.ts';
import type { ToLimitHeaders } from './limit-headers.ts';
import { localsOf } from './locals.ts';

export type ApiHeadersOptions = { cors: Cors; toLimitHeaders: ToLimitHeaders };

/**
 * The headers of every answer of the API, as a flat list of names and values: the limits (those of
 * the Free plan for a caller without a valid key), the preferences that it honours, those that it
 * does not know, and what pages of other origins need.
 */
export function apiHeaders(
  response: Response,
  { cors, toLimitHeaders }: ApiHeadersOptions,
): string[] {
  const { window, sandbox, applied, ignored } = localsOf(response);
  // Prefer (RFC 7240 §2) and the sandbox may change any answer, which caches have to know.
  const headers = [
    ...toLimitHeaders(sandbox, window),
    'Vary',
    'Prefer, X-Sandbox',
    ...cors.headers,
  ];
  if (applied !== undefined) headers.push('Preference-Applied', applied);
  if (ignored !== undefined) headers.push('X-Ignored-Preferences', ignored);
  return headers;
}
