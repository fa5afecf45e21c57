import { type FieldRules, isSecretParameter, toFieldRules } from '../../common/secrets/names.ts';
import type { Api, KeyPlace, WaysIn } from '../../openapi/index.ts';
import { keyNamesOf, toKeyPlace } from '../../openapi/model/key-places.ts';
import { isBearer } from '../../openapi/model/security.ts';
import type { CredentialForm } from '../cases/case.ts';
import { type RawHeader, valuesOf } from '../transcript/exchange.ts';
import type { KeyBook } from './key-book.ts';

/**
 * The credential of a call: a token, which may be a key or not, wherever the document has it; a form
 * that certainly is no valid credential (§5); or `unclear`, where nobody can say. A token is a secret.
 */
export type SentCredential =
  | { form: 'token'; token: string }
  | { form: Exclude<CredentialForm, 'valid' | 'lower-case-scheme'>; token?: string };

type Keys = Pick<KeyBook, 'isKey'>;

/** Whether a token is what programs send that have no key, and so no secret. */
export function isNoKey(token: string): boolean {
  return ['undefined', 'null', 'None', 'NaN'].includes(token);
}

type SentCredentials = { headers: readonly RawHeader[]; query: URLSearchParams; keys: Keys };

/** How names of fields end that may hold a credential, whether a document says so or not. */
const mayHoldKey =
  /(?:auth|authorization|bearer|cookie|credentials?|key|password|secret|session|sid|signature|token)$/i;

/** The place of a token if the document describes none. */
const bearer: KeyPlace = { in: 'authorization', scheme: 'Bearer' };

/**
 * Reads the credential of a request from the places of the document's security schemes, as one
 * value. Empty if it consists of tokens only.
 */
export function readCredential(
  headers: readonly RawHeader[],
  query: URLSearchParams,
  keys: Keys,
  waysIn: WaysIn = [],
): SentCredential {
  const sent = { headers, query, keys };
  const places = waysIn.map((way) => way.flatMap(({ scheme }) => toKeyPlace(scheme) ?? []));
  const ways = (waysIn.length > 0 ? places : [[bearer]]).map((way) =>
    way.map((place) => valueAt(place, sent)),
  );
  const tokens = [...new Set(ways.filter((way) => !way.includes('')).flat())];
  if (tokens.length > 0 && tokens.every(isNoKey)) return { form: 'unknown' };
  if (tokens.length > 0) return { form: 'token', token: tokens.join(' ') };
  const isOfBearer = waysIn.every(([one, ...more]) => one && isBearer(one.scheme) && !more.length);
  const wrong = isOfBearer ? readWrongPlace(sent) : undefined;
  if (wrong) return wrong;
  const isAny = ([name, value]: readonly [string, string]) =>
    value.trim() !== '' && (mayHoldKey.test(name) || keys.isKey(value.trim()));
  const isSent = ways.flat().some((value) => value !== '');
  return { form: isSent || [...headers, ...query].some(isAny) ? 'unclear' : 'none' };
}

/** Reads a wrong credential in the place of a bearer token, or in the query. */
function readWrongPlace({ headers, query, keys }: SentCredentials): SentCredential | undefined {
  const value = valuesOf(headers, 'Authorization')[0]?.trim();
  if (value === undefined) {
    const inQuery = [...query].find(([name, text]) => isSecretParameter(name) || keys.isKey(text));
    return inQuery && { form: 'in-query', token: inQuery[1] };
  }
  if (value === '') return { form: 'empty' };
  const [scheme = '', token] = value.split(/ +/);
  if (/^bearer$/i.test(scheme)) return { form: 'scheme-only' };
  if (token === undefined) return { form: 'no-scheme', token: scheme };
  if (!/^basic$/i.test(scheme)) return { form: 'other-scheme', token };
  const [user = ''] = Buffer.from(token, 'base64').toString().split(':');
  return { form: 'basic', ...(keys.isKey(user) && { token: user }) };
}

/** Returns the value in a place of a request, without its scheme; empty if there is none. */
function valueAt(place: KeyPlace, { headers, query, keys }: SentCredentials): string {
  if (place.in === 'query') return query.get(place.name) ?? '';
  if (place.in === 'cookie') {
    const pairs = valuesOf(headers, 'Cookie').flatMap((value) => value.split(/; */));
    const pair = pairs.find((one) => one.startsWith(`${place.name}=`)) ?? '';
    return pair.slice(place.name.length + 1);
  }
  if (place.in === 'header' && !/^authorization$/i.test(place.name))
    return valuesOf(headers, place.name).join(', ').trim();
  const [value = ''] = valuesOf(headers, 'Authorization');
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

/** The places in which the operations of a document take keys. */
export type KeyFields = {
  /** Which fields hold secrets: those that usually do, or a document's own. */
  rules: FieldRules;
  /** Whether the document says that the key is in this parameter. */
  isStatedParameter: (name: string) => boolean;
  /** The ways in of all operations, each once. */
  waysIn: WaysIn;
};

/** The fields that carry the keys of a document's operations. */
export function keyFieldsOf({ operations }: Pick<Api, 'operations'>): KeyFields {
  const names = keyNamesOf(operations);
  const ways = operations.flatMap(({ waysIn }) => waysIn.filter((way) => way.length > 0));
  const named = ways.map((way) => [way.map(({ scheme }) => scheme.name).join(' '), way] as const);
  return {
    rules: toFieldRules(names),
    isStatedParameter: (name) => names.parameters.includes(name),
    waysIn: [...new Map(named).values()],
  };
}
