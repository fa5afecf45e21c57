import type { ApiKey } from '../limits/plans.ts';

/**
 * What every reader of a URI takes alike: printable ASCII (RFC 3986 §2), which a header may have as
 * well, and no backslash, which browsers take for a slash and others do not.
 */
const plainUri = /^[!-[\]-~]+$/;

/**
 * Whether a client may be redirected to a URI: to the machine of the user (RFC 8252 §7.3), or where
 * its key is registered for. Anything else would send users of the twin wherever a link says.
 */
export function isAllowedRedirect(uri: string, { redirectUris = [] }: ApiKey): boolean {
  if (!plainUri.test(uri)) return false;
  if (redirectUris.includes(uri)) return true;
  const url = URL.parse(uri);
  if (!url || uri.includes('#') || url.username !== '' || url.password !== '') return false;
  const isLoopback = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return isLoopback && /^https?:$/.test(url.protocol);
}

/** A URI with further parameters in its query, or in its fragment. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  where: 'query' | 'fragment',
): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs as [string, string][]).toString();
  const mark = where === 'fragment' ? '#' : uri.includes('?') ? '&' : '?';
  return `${uri}${mark}${text}`;
}
