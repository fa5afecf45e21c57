import type { IncomingMessage } from 'node:http';

/** Whether a browser sent a request for a page of another origin, as it says (Fetch Metadata). */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
