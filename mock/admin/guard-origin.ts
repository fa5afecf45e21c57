import type { IncomingMessage } from 'node:http';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';

/**
 * Refuses a request that a browser sent for a page of another origin (Fetch Metadata, Origin), but
 * for those that are allowed.
 */
export function guardOrigin(
  { headers }: IncomingMessage,
  allowed: ReadonlySet<string>,
): Answer | undefined {
  const site = headers['sec-fetch-site'];
  const { origin, host } = headers;
  if (origin !== undefined && allowed.has(origin)) return undefined;
  const foreignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const foreignOrigin = origin !== undefined && origin.replace(/^https?:\/\//, '') !== host;
  return foreignSite || foreignOrigin
    ? toErrorAnswer(
        'admin_forbidden',
        'The admin cannot be called by a page of another origin. If the page is yours, start the twin with --admin-origins ORIGIN.',
      )
    : undefined;
}
