import type { Operation } from '../../../openapi/index.ts';
import { keyPlacesOf } from '../../../openapi/model/key-places.ts';
import type { Case, CredentialForm } from '../../cases/case.ts';
import type { Key } from './budget.ts';

/** A token that is not a key. */
const unknownToken = 'no-such-key-5f2c91d07a';

/**
 * The headers of a credential form, made from a key so that a wrong one is none of `keys`; none where
 * the key is none.
 */
export function credentialHeaders(
  form: CredentialForm,
  key: string,
  keys: readonly string[] = [],
): Record<string, string> {
  if (key === '') return {};
  switch (form) {
    case 'none':
    case 'in-query':
      return {};
    case 'valid':
    case 'unclear':
      return { Authorization: `Bearer ${key}` };
    case 'unknown':
      return { Authorization: `Bearer ${unknownToken}` };
    case 'empty':
      return { Authorization: '' };
    case 'scheme-only':
      return { Authorization: 'Bearer' };
    case 'truncated':
      return { Authorization: `Bearer ${changed(key, keys, (one) => one.slice(0, -1))}` };
    case 'altered':
      return { Authorization: `Bearer ${altered(key, keys)}` };
    case 'extended':
      return { Authorization: `Bearer ${changed(key, keys, (one) => `${one}x`)}` };
    case 'other-case':
      return { Authorization: `Bearer ${otherCase(key, keys)}` };
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
    case 'prefixed':
      return { Authorization: `Bearer ${changed(key, keys, (one) => `x${one}`)}` };
    case 'in-cookie':
      return { Cookie: `api_key=${key}; token=${key}; access_token=${key}` };
    case 'no-scheme':
      return { Authorization: key };
    case 'other-scheme':
      return { Authorization: `Token ${key}` };
    case 'in-header':
      return { 'X-API-Key': key };
    case 'lower-case-scheme':
      return { Authorization: `bearer ${key}` };
  }
}

/** The credential of a call: headers, and parameters at the end of its query. */
export type Credential = { headers: Record<string, string>; query: string[] };

/**
 * The credential of a form for an operation. A valid one is where the document describes it; forms
 * that are not are about bearer tokens.
 */
export function toCredential(
  form: CredentialForm,
  key: Key,
  { operation, secrets }: { operation: Operation | undefined; secrets: readonly string[] },
): Credential {
  const { secret, byScheme = {} } = key;
  const headers = credentialHeaders(form, secret, secrets);
  const isPlaced = ['valid', 'unclear', 'lower-case-scheme', 'unknown'].includes(form);
  const isAsked = operation && isPlaced && secret !== '';
  // Who may come without a key may be shown more with one.
  const keyed = operation?.waysIn.filter((way) => way.length > 0) ?? [];
  const described = isAsked ? keyPlacesOf({ waysIn: keyed }) : [];
  const isOpen = isAsked && form === 'valid' && operation.waysIn.length === 0;
  const places = isOpen ? (key.places ?? []) : described;
  if (places.length === 0) return { headers, query: [] };
  const placed: Credential = { headers: {}, query: [] };
  const cookies: string[] = [];
  for (const place of places) {
    const given = byScheme[place.schemeName ?? ''];
    // A scheme of the user's may have a word before the key: `Token abc`.
    const prefix = /^\S+ /.exec(given ?? '')?.[0] ?? '';
    const sent = form === 'unknown' ? prefix + unknownToken : (given ?? secret);
    if (place.in === 'authorization')
      placed.headers.Authorization = toAuthorization(place.scheme, sent, headers);
    else if (place.in === 'query')
      placed.query.push(`${encodeURIComponent(place.name)}=${encodeURIComponent(sent)}`);
    else if (place.in === 'cookie') cookies.push(`${place.name}=${sent}`);
    else placed.headers[place.name] = sent;
  }
  if (cookies.length > 0) placed.headers.Cookie = cookies.join('; ');
  return placed;
}

/** Returns the schemes of an operation that lets nobody in by those that all keys were given for. */
export function missingSchemes({ waysIn }: Operation, keys: readonly Key[]): string[] {
  const isOpened = keys.some(
    ({ byScheme }) =>
      !byScheme || waysIn.some((way) => way.every(({ scheme }) => scheme.name in byScheme)),
  );
  return isOpened ? [] : [...new Set(waysIn.flat().map(({ scheme }) => scheme.name))];
}

function toAuthorization(scheme: string, key: string, ofForm: Record<string, string>): string {
  if (scheme === 'Bearer') return ofForm.Authorization ?? '';
  const pair = key.includes(':') ? key : `key:${key}`;
  return `${scheme} ${scheme === 'Basic' ? Buffer.from(pair).toString('base64') : key}`;
}

/** A path with more parameters at the end of its query. */
export function withQuery(path: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** The key with another last character. */
function altered(key: string, keys: readonly string[]): string {
  const others = [...'xyzabc0123456789'].map((last) => key.slice(0, -1) + last);
  return others.find((one) => one !== key && !keys.includes(one)) ?? `${key}-`;
}

/** The key changed until that is none of the keys. */
function changed(key: string, keys: readonly string[], change: (key: string) => string): string {
  const other = change(key);
  return keys.includes(other) ? changed(other, keys, change) : other;
}

/** The key with its letters in the other case; altered, where that is a key, too. */
function otherCase(key: string, keys: readonly string[]): string {
  const other = [...key]
    .map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
    .join('');
  return other === key || keys.includes(other) ? altered(key, keys) : other;
}

/** Whether a call counts against the quota of its key. */
export function isCounted({ credential }: Pick<Case, 'credential'>): boolean {
  return credential === 'valid' || credential === 'lower-case-scheme';
}
