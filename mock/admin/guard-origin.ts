import type { IncomingMessage } from 'node:http';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import { isCrossSite } from '../http/is-cross-site.ts';

/**
 * Refuses a request that a browser sent for a page of another origin (Fetch Metadata, Origin), but
 * for those that are allowed.
 */
export function guardOrigin(
  request: IncomingMessage,
  allowed: ReadonlySet<string>,
): Answer | undefined {
  const { origin, host } = request.headers;
  if (origin !== undefined && allowed.has(origin)) return undefined;
  const foreignOrigin = origin !== undefined && origin.replace(/^https?:\/\//, '') !== host;
  return isCrossSite(request) || foreignOrigin
    ? toErrorAnswer(
        'admin_forbidden',
        'The admin cannot be called by a page of another origin. If the page is yours, start the twin with --admin-origins ORIGIN.',
      )
    : undefined;
}
