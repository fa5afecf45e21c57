import { isObject, parseJson, toJson } from '../../common/json.ts';
import { isJsonMedia, toEssence } from '../../common/media-type.ts';
import { unescaped } from '../../common/path-template.ts';
import type { HttpRequest } from '../run/http/target.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import type { Correspondence, Scalar } from './correspondence.ts';

/** Names the values of the twin, and the fields that hold credentials. */
export type RewritingRules = { ids: Correspondence; isOfKey: (name: string) => boolean };

type Pair = [name: string, value: string];

/** Headers that the connection to the twin has of its own. */
const ofConnection =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|upgrade|te|cookie)$/i;

/** Returns a recorded call as the twin gets it, with its own ids, and without the credential. */
export function rewriteCall(
  { request }: RecordedExchange,
  path: string,
  { ids, isOfKey }: RewritingRules,
): HttpRequest {
  const { searchParams } = new URL(request.url);
  const query = [...searchParams]
    .filter(([name]) => !isOfKey(name))
    .map(([name, value]): Pair => [name, String(ids.toTwin(value, { name, owner: '' }))]);
  const headers = request.headers.filter(([name]) => !ofConnection.test(name) && !isOfKey(name));
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const body = request.body && rewriteBody(request.body.bytes, type, { ids, path });
  return {
    method: request.method,
    path: `${rewritePath(path, ids)}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    headers: Object.fromEntries(
      headers.map(([name, value]) => [
        name,
        /^if-(none-)?match$/i.test(name) ? ids.toTwinTags(value, path) : ids.inText(value),
      ]),
    ),
    ...(body !== undefined && { body }),
  };
}

function rewritePath(path: string, ids: Correspondence): string {
  const decoded = path.split('/').map(unescaped);
  const rewritten = decoded.map((segment, at) =>
    at === 0 ? segment : ids.toTwin(segment, { name: 'id', owner: decoded[at - 1] ?? '' }),
  );
  return rewritten.map((segment) => encodeURIComponent(String(segment))).join('/');
}

function rewriteBody(
  bytes: Uint8Array,
  type: string,
  { ids, path }: { ids: Correspondence; path: string },
): string | Uint8Array {
  const text = Buffer.from(bytes).toString();
  if (!Buffer.from(text).equals(bytes)) return bytes;
  const value = isJsonMedia(toEssence(type)) ? parseJson(text) : undefined;
  if (value !== undefined)
    return toJson(rewriteValue(value, { name: '', owner: path.split('/').at(-1) ?? '' }, ids));
  if (toEssence(type) !== 'application/x-www-form-urlencoded') return ids.inText(text);
  const pairs = [...new URLSearchParams(text)].map(
    ([name, one]): Pair => [name, String(ids.toTwin(one, { name, owner: '' }))],
  );
  return String(new URLSearchParams(pairs));
}

/** A value of JSON with the values of the twin, at any depth. */
function rewriteValue(
  value: unknown,
  place: { name: string; owner: string },
  ids: Correspondence,
): unknown {
  if (Array.isArray(value)) return value.map((one) => rewriteValue(one, place, ids));
  if (!isObject(value)) return ids.toTwin(value as Scalar, place);
  const owner = place.name || place.owner;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, rewriteValue(one, { name, owner }, ids)]),
  );
}
