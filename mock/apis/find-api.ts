import type { IncomingMessage } from 'node:http';
import { hostName } from '../http/guard-request.ts';

/** The API of a request, with the part of its URL that named it, and the URL without that part. */
export type FoundApi = { name: string; mount: string; url: string };

/**
 * Creates a finder of the API that a request is for: the first label of its host names it
 * (`users.localhost`), or the first segment of its path (`/users`), which metadata below
 * `/.well-known` has behind its own name (RFC 8414 §3.1).
 */
export function createFindApi(
  names: Iterable<string>,
): (request: Pick<IncomingMessage, 'url' | 'headers'>) => FoundApi | undefined {
  const known = new Set(names);
  return ({ url = '', headers: { host = '' } }) => {
    const [, origin = '', wellKnown = '', name = '', rest = ''] = place.exec(url) ?? [];
    const authority = origin.replace(/^https?:\/\//i, '') || host;
    const label = hostName(authority)?.split('.', 1)[0] ?? '';
    if (known.has(label)) return { name: label, mount: '', url };
    if (!known.has(name)) return undefined;
    return { name, mount: `/${name}`, url: `${origin}${wellKnown}${toPath(rest)}` };
  };
}

const place = /^(https?:\/\/[^/?]*)?(\/\.well-known\/[^/?]+)?\/([a-z][a-z0-9-]*)(?=[/?]|$)(.*)$/is;

function toPath(rest: string): string {
  return rest.startsWith('/') ? rest : `/${rest}`;
}
