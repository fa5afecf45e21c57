import type { IncomingMessage } from 'node:http';
import type { Api } from '../../openapi/index.ts';

/**
 * Returns headers that let pages of other origins call the API (Fetch standard, HTTP-CORS
 * protocol).
 */
export interface Cors {
  /** On every answer, as a flat list of names and values. */
  readonly headers: readonly string[];
  /** On the answer to OPTIONS, a preflight or not. */
  optionsHeaders(request: IncomingMessage, allow: readonly string[]): string[];
}

const exposed = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Deprecation',
  'Sunset',
  'Link',
  'Preference-Applied',
  'X-Ignored-Preferences',
  'X-Undocumented-Status',
  'X-Problem',
];

const defaultRequestHeaders = 'Authorization, Content-Type, Prefer, X-Sandbox';

/** So many are named in every response. */
const maxDocumented = 100;

/** Returns the names of response headers that a document adds to the mock's own. */
export function documentedHeaderNames({ operations }: Api): string[] {
  const names = new Map<string, string>();
  // Browsers show Set-Cookie to no page.
  const own = new Set([...exposed.map((name) => name.toLowerCase()), 'set-cookie']);
  for (const { responses } of operations)
    for (const name of responses.flatMap(({ headers }) => Object.keys(headers))) {
      const key = name.toLowerCase();
      if (!own.has(key) && !names.has(key)) names.set(key, name);
    }
  return [...names.values()].slice(0, maxDocumented);
}

/**
 * Any origin may call, without cookies: the page sends the key itself. It may read the headers of
 * every twin, and those of the document.
 */
export function createCors(on: boolean, documented: readonly string[] = []): Cors {
  const names = [...exposed, ...documented].join(', ');
  const headers = on
    ? ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', names]
    : [];
  return {
    headers,
    optionsHeaders({ headers: sent }, allow) {
      const fields = allow.length > 0 ? ['Allow', allow.join(', '), ...headers] : [...headers];
      const method = sent['access-control-request-method'];
      if (!on || method === undefined) return fields;
      // An unsupported method passes the preflight too, so that the page sees the 405 instead of a
      // CORS error.
      return [
        ...fields,
        'Access-Control-Allow-Methods',
        '*',
        'Access-Control-Allow-Headers',
        askedHeaders(sent['access-control-request-headers']) ?? defaultRequestHeaders,
        'Access-Control-Max-Age',
        '600',
        'Vary',
        'Access-Control-Request-Headers',
      ];
    },
  };
}

/** The headers that a preflight asks for, if their names are valid. */
export function askedHeaders(sent: string | string[] | undefined): string | undefined {
  return typeof sent === 'string' && /^[\w!#$%&'*+.^`|~, -]+$/.test(sent) ? sent : undefined;
}
