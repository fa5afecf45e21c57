import { placeKey, toCookieHeader, withQuery } from './place-key.ts';
import type { Call, Called } from './to-curl.ts';

export type FetchOptions = {
  /** Origin and base path. */
  base: string;
  /** A key; without one, `YOUR_KEY` stands in its place. */
  key: string | undefined;
};

/** A ready-to-paste snippet that calls an operation, for browsers and Node. */
export function toFetch(
  { method, keyPlaces }: Called,
  { target, headers: given, body, mediaType = 'application/json' }: Call,
  { base, key = 'YOUR_KEY' }: FetchOptions,
): string {
  const placed = placeKey(keyPlaces, key);
  const headers = {
    ...placed.headers,
    ...(placed.cookies.length > 0 && { Cookie: toCookieHeader(placed.cookies) }),
    ...(body !== undefined && { 'Content-Type': mediaType }),
    ...given,
  };
  const options = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    body,
  };
  const url = toCode(base + withQuery(target, placed.query));
  const text = toCode(options);
  const call = text === '{}' ? `fetch(${url})` : `fetch(${url}, ${text})`;
  return [
    `const response = await ${call};`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** A value as code, in which nothing is unseen. */
function toCode(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
