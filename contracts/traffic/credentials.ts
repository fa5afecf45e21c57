import type { CredentialForm } from '../cases/case.ts';
import type { ApiDocument } from '../description/document.ts';
import { type KeyNames, type KeyPlace, keyNamesOf, toKeyPlace } from '../description/key-places.ts';
import { isBearer, type WaysIn } from '../description/security.ts';
import type { KeyBook } from './key-book.ts';
import { recordedValues } from './read-outcome.ts';
import type { RawHeader } from './recorded-exchange.ts';

/**
 * The credential of a call: a token, which may be a key or not, wherever the document has it; a form
 * that certainly is no valid credential (§5); or `unclear`, where nobody can say. A token is a secret.
 */
export type SentCredential =
  | { form: 'token'; token: string; isLowerCase: boolean }
  | {
      form: Exclude<CredentialForm, 'valid' | 'lower-case-scheme'>;
      token?: string;
      isLowerCase?: never;
    };

type Keys = Pick<KeyBook, 'isKey' | 'isOtherCase'>;

/** What programs send that have no key. */
const empties = ['undefined', 'null', 'None', 'NaN'];

/** Whether a token is what programs send that have no key, and so no secret. */
export function isNoKey(token: string): boolean {
  return empties.includes(token);
}

/** Query parameters that carry keys, in lower case without separators. */
const keyParameters = ['accesstoken', 'apikey', 'key', 'token', 'auth', 'authorization', 'bearer'];

/** Header fields that carry keys besides Authorization. */
const keyHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'];

/** Whether a query parameter is one that carries a key, by its name. */
export function isKeyParameter(name: string): boolean {
  return keyParameters.includes(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Whether a header field is one that carries a key, by its name. */
function isKeyHeader(name: string): boolean {
  return keyHeaders.includes(name.toLowerCase());
}

/** Reads the credential of a request that may take it in these ways; none are those of a token. */
export function readCredential(
  headers: readonly RawHeader[],
  query: URLSearchParams,
  keys: Keys,
  waysIn: WaysIn = [],
): SentCredential {
  const isOfBearer = waysIn.every(([one, ...more]) => one && isBearer(one.scheme) && !more.length);
  if (!isOfBearer) return readPlaced({ headers, query, keys }, waysIn);
  const [value, ...others] = recordedValues(headers, 'Authorization').map((one) => one.trim());
  if (others.length > 0) return { form: 'unclear' };
  return value === undefined ? readElsewhere(headers, query, keys) : readAuthorization(value, keys);
}

function readAuthorization(value: string, keys: Keys): SentCredential {
  if (value === '') return { form: 'empty' };
  const [scheme = '', token, ...more] = value.split(/ +/);
  if (/^bearer$/i.test(scheme)) {
    if (token === undefined) return { form: 'scheme-only' };
    if (more.length > 0) return { form: 'unclear' };
    if (isNoKey(token)) return { form: 'unknown' };
    if (keys.isOtherCase(token)) return { form: 'other-case', token };
    return { form: 'token', token, isLowerCase: !scheme.startsWith('B') };
  }
  if (token === undefined) return { form: 'no-scheme', token: scheme };
  if (!/^basic$/i.test(scheme)) return { form: 'other-scheme', token };
  const [user = ''] = Buffer.from(token, 'base64').toString().split(':');
  return { form: 'basic', ...(keys.isKey(user) && { token: user }) };
}

/** A call without Authorization; one with cookies may be of a session. */
function readElsewhere(
  headers: readonly RawHeader[],
  query: URLSearchParams,
  keys: Keys,
): SentCredential {
  const cookies = recordedValues(headers, 'Cookie').join('; ');
  const inCookie = cookies.split(/; */).map((one) => one.slice(one.indexOf('=') + 1));
  const key = inCookie.find(keys.isKey);
  if (key !== undefined) return { form: 'in-cookie', token: key };
  if (cookies !== '') return { form: 'unclear' };
  const inQuery = [...query].find(([name, text]) => isKeyParameter(name) || keys.isKey(text));
  if (inQuery) return { form: 'in-query', token: inQuery[1] };
  const inHeader = headers.find(([name, text]) => isKeyHeader(name) || keys.isKey(text.trim()));
  return inHeader ? { form: 'in-header', token: inHeader[1].trim() } : { form: 'none' };
}

type Sent = { headers: readonly RawHeader[]; query: URLSearchParams; keys: Keys };

/** How names of fields end that may hold a credential, whether a document says so or not. */
const mayHoldKey =
  /(?:auth|authorization|bearer|cookie|credentials?|key|password|secret|session|sid|signature|token)$/i;

/** The credential in the places that a document gives it: all that complete ways in have, as one. */
function readPlaced(sent: Sent, waysIn: WaysIn): SentCredential {
  const ways = waysIn.map((way) =>
    way.flatMap(({ scheme }) => toKeyPlace(scheme) ?? []).map((place) => valueAt(place, sent)),
  );
  const tokens = [...new Set(ways.filter((way) => !way.includes('')).flat())];
  if (tokens.length > 0 && tokens.every(isNoKey)) return { form: 'unknown' };
  if (tokens.length > 0) return { form: 'token', token: tokens.join(' '), isLowerCase: false };
  const isAny = ([name, value]: readonly [string, string]) =>
    value.trim() !== '' && (mayHoldKey.test(name) || sent.keys.isKey(value.trim()));
  const isSent = ways.flat().some((value) => value !== '');
  return { form: isSent || [...sent.headers, ...sent.query].some(isAny) ? 'unclear' : 'none' };
}

/** What a request has in a place, without the scheme in front of it; empty where it has nothing. */
function valueAt(place: KeyPlace, { headers, query, keys }: Sent): string {
  if (place.in === 'query') return query.get(place.name) ?? '';
  if (place.in === 'cookie') {
    const pairs = recordedValues(headers, 'Cookie').flatMap((value) => value.split(/; */));
    const pair = pairs.find((one) => one.startsWith(`${place.name}=`)) ?? '';
    return pair.slice(place.name.length + 1);
  }
  if (place.in === 'header' && !/^authorization$/i.test(place.name))
    return recordedValues(headers, place.name).join(', ').trim();
  const [value = ''] = recordedValues(headers, 'Authorization');
  const [, scheme = '', secret = ''] = /^(?:(\S+)\s+)?(.*)$/.exec(value.trim()) ?? [];
  // A client whose variable is empty sends a scheme alone.
  if (scheme === '' && /^(?:basic|bearer|token)$/i.test(secret)) return '';
  if (place.in === 'header' && !/^basic$/i.test(scheme)) return secret;
  if (place.in === 'authorization' && place.scheme.toLowerCase() !== scheme.toLowerCase())
    return '';
  if (/^bearer$/i.test(scheme)) return secret;
  // What other schemes send, such as Digest, is another text in each call.
  if (!/^basic$/i.test(scheme)) return '';
  const pair = Buffer.from(secret, 'base64').toString();
  const password = pair.slice(pair.indexOf(':') + 1);
  return keys.isKey(password) ? password : pair;
}

/** Which fields of a request carry keys, by their names: those that usually do, or a document's own. */
export type KeyFields = {
  isHeader: (name: string) => boolean;
  isParameter: (name: string) => boolean;
  /** Whether the document says that the key is in this parameter. */
  isStatedParameter: (name: string) => boolean;
  /** The ways in of all operations, each once. */
  waysIn: WaysIn;
};

const cache = new WeakMap<object, KeyFields>();

/** The fields that carry the keys of a document's operations. */
export function keyFieldsOf({ operations }: Pick<ApiDocument, 'operations'>): KeyFields {
  const known = cache.get(operations);
  if (known) return known;
  const ways = operations.flatMap(({ waysIn }) => waysIn.filter((way) => way.length > 0));
  const named = ways.map((way) => [way.map(({ scheme }) => scheme.name).join(' '), way] as const);
  const fields = { ...toKeyFields(keyNamesOf(operations)), waysIn: [...new Map(named).values()] };
  cache.set(operations, fields);
  return fields;
}

function toKeyFields({ headers, parameters }: KeyNames): Omit<KeyFields, 'waysIn'> {
  const own = new Set(headers.map((name) => name.toLowerCase()));
  const isStatedParameter = (name: string) => parameters.includes(name);
  return {
    isHeader: (name) => own.has(name.toLowerCase()) || isKeyHeader(name),
    isParameter: (name) => isStatedParameter(name) || isKeyParameter(name),
    isStatedParameter,
  };
}
