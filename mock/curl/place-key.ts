import type { KeyPlace } from '../../openapi/index.ts';

/** Holds a key in the part of a request that carries it. */
export type PlacedKey = {
  headers: Record<string, string>;
  query: (readonly [name: string, value: string])[];
  cookies: (readonly [name: string, value: string])[];
};

/** The user of basic credentials, whose password is the key. */
export const basicUser = 'demo';

/** Puts a key where a call carries it. */
export function placeKey(places: readonly KeyPlace[], key: string): PlacedKey {
  const placed: PlacedKey = { headers: {}, query: [], cookies: [] };
  for (const place of places) {
    if (place.in === 'authorization')
      placed.headers.Authorization = `${place.scheme} ${toCredentials(place.scheme, key)}`;
    else if (place.in === 'header') placed.headers[place.name] = key;
    else placed[place.in === 'query' ? 'query' : 'cookies'].push([place.name, key]);
  }
  return placed;
}

function toCredentials(scheme: string, key: string): string {
  if (scheme !== 'Basic') return key;
  const bytes = new TextEncoder().encode(`${basicUser}:${key}`);
  return btoa(String.fromCharCode(...bytes));
}

type KeyedCall = {
  target: string;
  headers?: Readonly<Record<string, string>> | undefined;
  cookies?: PlacedKey['cookies'] | undefined;
  body?: unknown;
  /** The media type of the body, where it is not `application/json`. */
  mediaType?: string | undefined;
};

/** The target and the headers of a call that carries a key in these places. */
export function toKeyed(call: KeyedCall, places: readonly KeyPlace[], key: string) {
  const { target, headers, body, mediaType = 'application/json' } = call;
  const placed = placeKey(places, key);
  const cookies = [...placed.cookies, ...(call.cookies ?? [])];
  return {
    target: withQuery(target, placed.query),
    headers: {
      ...placed.headers,
      ...(cookies.length > 0 && { Cookie: toCookieHeader(cookies) }),
      ...(body !== undefined && { 'Content-Type': mediaType }),
      ...headers,
    },
  };
}

/** A target with further parameters at the end of its query. */
export function withQuery(target: string, pairs: PlacedKey['query']): string {
  if (pairs.length === 0) return target;
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** Cookies as the value of the header that sends them. */
export function toCookieHeader(cookies: PlacedKey['cookies']): string {
  return cookies.map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Values of path parameters by their names, and of query parameters in their order. */
export type TargetValues = {
  path: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, value: string])[];
};

/** The path of an operation with its query, below the base path. */
export function toTarget(template: string, { path, query }: TargetValues): string {
  const filled = template.replace(/\{([^{}]*)\}/g, (braces, name) =>
    Object.hasOwn(path, name) ? encode(path[name] as string) : braces,
  );
  const sent = filled.replace(/[^!-~]+/gu, encode);
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? sent : `${sent}?${pairs.join('&')}`;
}

/** Half a surrogate pair has no percent-encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
