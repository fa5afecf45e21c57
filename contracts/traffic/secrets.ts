import { membersOf, parseJson } from '../json.ts';
import { unescaped } from '../transcript/place.ts';
import { isNoKey } from './credentials.ts';
import type { KeyFields } from './key-fields.ts';
import { recordedValues } from './read-outcome.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Shorter texts may be ordinary words. */
const minLength = 4;

/** Longer bodies are not searched for members that hold secrets. */
const maxBody = 64 * 1024;

const ownWords =
  /^(?:answers?|bod(?:y|ies)|calls?|complete|connections?|headers?|items?|limits?|lists?|read|recorded|requests?|responses?|status|target|time|within)$/i;

/**
 * Whether a text is a word of the reports themselves. A gap in their sentences would not hide it, but
 * tell it: "got no $KEY".
 */
export function isOwnWord(text: string): boolean {
  return ownWords.test(text);
}

/** Whether a text may be a part of other words: the password "pass" is one of "passed". */
export function mayBeWord(text: string): boolean {
  return /^[a-z]{1,7}$/i.test(text);
}

const secretMember = /pass(?:word|phrase|wd)|secret|token|api.?key|authorization/i;

/**
 * Everything of an exchange that may be a secret, in whatever form it was sent: credentials, cookies
 * and members of the body that are called so. A deployment may repeat each of them.
 */
export function secretsOf({ request, response }: RecordedExchange, fields: KeyFields): string[] {
  const { url, headers, body } = request;
  const called = URL.parse(url);
  const found = [
    ...recordedValues(headers, 'Authorization').flatMap(inAuthorization),
    ...recordedValues(headers, 'Cookie').flatMap((value) => value.split(';').flatMap(inCookie)),
    ...headers.filter(([name]) => fields.isHeader(name)).map(([, value]) => value.trim()),
    ...[...(called?.searchParams ?? [])].flatMap(([name, value]) =>
      fields.isParameter(name) || secretMember.test(name) ? [value] : [],
    ),
    ...(called ? [unescaped(called.password)] : []),
    ...(body ? inBody(body.bytes) : []),
    ...recordedValues(response?.headers ?? [], 'Set-Cookie').flatMap((value) =>
      inCookie(value.split(';')[0] ?? ''),
    ),
  ];
  return [...new Set(found)].filter((text) => text.length >= minLength && !isNoKey(text));
}

function inAuthorization(value: string): string[] {
  const words = value.trim().split(/\s+/);
  // A scheme alone is no secret: a client whose variable is empty sends "Bearer".
  if (/^(?:bearer|basic|digest|token)$/i.test(value.trim())) return [];
  const credentials = words.length > 1 ? words.slice(1) : words;
  if (!/^basic$/i.test(words[0] ?? '')) return credentials;
  const [user = '', ...rest] = Buffer.from(words[1] ?? '', 'base64')
    .toString()
    .split(':');
  // A user's name is no secret, unless it is a key that is sent without a password.
  return [...credentials, rest.join(':') || user];
}

function inCookie(pair: string): string[] {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return [value, unescaped(value)];
}

function inBody(bytes: Uint8Array): string[] {
  if (bytes.length > maxBody) return [];
  const { buffer, byteOffset, length } = bytes;
  const members = membersOf(parseJson(Buffer.from(buffer, byteOffset, length).toString()));
  return Object.entries(members ?? {}).flatMap(([name, value]) =>
    secretMember.test(name) && typeof value === 'string' ? [value] : [],
  );
}
