/** What a request line asks for: path and query, and who is asked where it says that. */
export type Called = { path: string; authority?: string };

/**
 * Reads a request target, the absolute form too, which every server must accept (RFC 9112 §3.2.2).
 * Path and query stay as they were sent.
 */
export function readCalled(target: string, method: string): Called {
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority === undefined) return { path: target };
  if (rest === '' && method === 'OPTIONS') return { path: '*', authority };
  return { path: rest.startsWith('/') ? rest : `/${rest}`, authority };
}
