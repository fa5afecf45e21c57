import type { Request } from 'express';
import { type RawHeaders, withoutHops } from '../../../common/http/forward.ts';
import type { Operation } from '../../../openapi/index.ts';
import { keyPlacesOf } from '../../../openapi/model/key-places.ts';
import { placeKey, withQuery } from '../../curl/place-key.ts';

/** Fields that are for the twin, and the host, which is that of the service. */
const ofTwin: ReadonlySet<string> = new Set(['expect', 'host', 'x-sandbox']);

/** Fields of the connection and the form of a body, which Node sets for the other side anew. */
const setAnew: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * Headers, names and values in turn, without those of one connection, and without those that are
 * dropped by their names in lower case.
 */
export function passedHeaders(raw: RawHeaders, isDropped: (name: string) => boolean): string[] {
  return withoutHops(raw)
    .filter(([name]) => !setAnew.has(name.toLowerCase()) && !isDropped(name.toLowerCase()))
    .flat();
}

/** A request as the service gets it: its headers without Host, and its path with the query. */
export type ForwardedRequest = { headers: string[]; path: string };

/**
 * Creates a function that puts a key where calls of an operation carry one, in place of the
 * caller's. Without a key, the caller's credentials pass unchanged.
 */
export function createReplaceKey(
  operation: Operation,
  key: string | undefined,
): (request: Request, path: string) => ForwardedRequest {
  const places = key === undefined ? [] : keyPlacesOf(operation);
  const placed = placeKey(places, key ?? '');
  const cookies = new Set(placed.cookies.map(([name]) => name));
  const parameters = new Set(placed.query.map(([name]) => name));
  const replaced = new Set(Object.keys(placed.headers).map((name) => name.toLowerCase()));
  // The key of the twin is none of the service.
  if (key !== undefined) replaced.add('authorization');
  if (cookies.size > 0) replaced.add('cookie');
  const isDropped = (name: string) => ofTwin.has(name) || replaced.has(name);
  return ({ rawHeaders, headers }, path) => {
    const all = [...passedHeaders(rawHeaders, isDropped), ...Object.entries(placed.headers).flat()];
    if (headers['transfer-encoding'] !== undefined) all.push('Transfer-Encoding', 'chunked');
    if (cookies.size > 0) {
      const others = (headers.cookie ?? '')
        .split(/; */)
        .filter((one) => one !== '' && !cookies.has(one.split('=', 1)[0] as string));
      all.push('Cookie', [...others, ...placed.cookies.map((pair) => pair.join('='))].join('; '));
    }
    return { headers: all, path: withQuery(withoutParameters(path, parameters), placed.query) };
  };
}

/** A path and query without the parameters of these names; all others stay as they were sent. */
function withoutParameters(path: string, names: ReadonlySet<string>): string {
  const [before = '', query] = path.split(/\?(.*)/s);
  if (query === undefined || names.size === 0) return path;
  const others = query.split('&').filter((pair) => {
    const [name = ''] = new URLSearchParams(pair).keys();
    return !names.has(name);
  });
  return others.length > 0 ? `${before}?${others.join('&')}` : before;
}
