import type { CredentialForm } from '../cases/case.ts';
import type { KeyBook } from './key-book.ts';
import { recordedValues } from './read-outcome.ts';
import type { RawHeader } from './recorded-exchange.ts';

/**
 * The credential of a call: a bearer token, which may be a key or not; a form that certainly is no
 * valid credential (§5); or `unclear`, where nobody can say. A token is a secret.
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
export function isKeyHeader(name: string): boolean {
  return keyHeaders.includes(name.toLowerCase());
}

/** Reads the credential of a request. */
export function readCredential(
  headers: readonly RawHeader[],
  query: URLSearchParams,
  keys: Keys,
): SentCredential {
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
