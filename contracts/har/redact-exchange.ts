import { isUtf8 } from 'node:buffer';
import {
  decodePart,
  type HidingRules,
  hideInForm,
  hideInHeader,
  hideInJson,
  hideInUrls,
  readBasic,
  secretOfBasic,
} from '../../common/secrets/fields.ts';
import type { FieldRules } from '../../common/secrets/names.ts';
import { createHide, type Hide } from '../../common/secrets/texts.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/read-outcome.ts';
import { type RawHeader, valuesOf } from '../transcript/exchange.ts';

/** Which fields are hidden in an archive, and the tokens that stand in their place. */
type Redaction = HidingRules & { tokens: Tokens };

/** Puts the token of each secret in its place; in Basic credentials, of the user and the password. */
export function createRedaction(tokens: Tokens, rules: FieldRules): Redaction {
  const hide: HidingRules['hide'] = (secret, { in: place, name }) => {
    // What a user asked for is no key.
    const kind = rules.isNamed(name) ? 'redacted' : 'key';
    switch (place) {
      case 'basic':
        return hideBasic(secret, tokens);
      case 'cookie':
      case 'text':
        return tokens.of(secret, 'redacted');
      case 'number':
        return '0';
      case 'parameter':
        return encodeURIComponent(tokens.of(decodePart(secret), kind));
      case 'user':
        return encodeURIComponent(tokens.of(decodePart(secret), 'key', { isPublic: name !== '' }));
      default:
        return tokens.of(secret, kind);
    }
  };
  return { rules, hide, tokens };
}

function hideBasic(credentials: string, tokens: Tokens): string {
  const pair = readBasic(credentials);
  const token = tokens.of(credentials, 'key');
  if (!pair) return token;
  const hidden = [pair.user, pair.password].map(
    (part) => part && tokens.of(part, 'key', { isPublic: part !== secretOfBasic(pair) }),
  );
  return Buffer.from(hidden.join(':')).toString('base64');
}

/**
 * An exchange with tokens in the place of keys, cookies, and of the fields that are hidden. Bodies
 * must be decoded. All else is as it was.
 */
export function redactExchange(exchange: RecordedExchange, redaction: Redaction): RecordedExchange {
  const { request, response, failure } = exchange;
  for (const secret of exchange.secrets ?? []) redaction.tokens.of(secret, 'made');
  // All fields come first, as what is in one of them may be repeated anywhere.
  const url = hideInUrls(request.url, redaction);
  const sent = hideFields(request, redaction);
  const received = response && hideFields(response, redaction);
  const replace = (text: string) => redaction.tokens.hide(text);
  return {
    ...exchange,
    request: { ...change(sent, replace), url: replace(url) },
    ...(received && { response: change(received, replace) }),
    ...(failure && { failure: { ...failure, message: replace(failure.message) } }),
  };
}

type Message = { headers: readonly RawHeader[]; body?: RecordedBody };

function hideFields<M extends Message>(message: M, redaction: Redaction): M {
  const type = valuesOf(message.headers, 'Content-Type')[0] ?? '';
  const hideIn = /^application\/x-www-form-urlencoded/i.test(type) ? hideInForm : hideInJson;
  return change(
    message,
    (text) => hideIn(text, redaction),
    (value, name) => hideInHeader(name, value, redaction),
  );
}

/** A message whose texts are changed: the body, and the values of headers. */
function change<M extends Message>(
  message: M,
  changeBody: (text: string) => string,
  changeHeader: (value: string, name: string) => string = changeBody,
): M {
  const { body } = message;
  const headers = message.headers.map(
    ([name, value]) => [name, changeHeader(value, name)] as const,
  );
  const { text, coding } = body ? toText(body) : { text: '', coding: undefined };
  const changed = changeBody(text);
  return {
    ...message,
    headers,
    ...(body && changed !== text && { body: { ...body, bytes: Buffer.from(changed, coding) } }),
  };
}

/** The text of a body; bytes that are no UTF-8 are read one by one. */
function toText({ bytes }: RecordedBody): { text: string; coding: BufferEncoding } {
  const coding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const { buffer, byteOffset, length } = bytes;
  return { text: Buffer.from(buffer, byteOffset, length).toString(coding), coding };
}

/** A key, and the name that stands for it. */
export type NamedKey = { name: string; secret: string };

/** Tells whether a secret is a key, was made up by a run, or is another value to hide. */
type SecretKind = 'key' | 'made' | 'redacted';

/** Puts a token in the place of each secret: the same token for the same secret. */
export interface Tokens {
  /** The token of a secret, which is from now on replaced in all texts unless it `isPublic`. */
  of(secret: string, kind: SecretKind, options?: { isPublic?: boolean }): string;
  /** Puts the tokens of the secrets that are known into a text. */
  hide(text: string): string;
}

const maxCounted = 10_000;

/** How many found secrets are looked for in texts: the ones that were used last. */
const maxRemembered = 100;

/** Shorter values may be ordinary words, so they are replaced only in their own place. */
const minLengths: Record<SecretKind, number> = { key: 4, made: 4, redacted: 12 };

/** Makes tokens; the names of `keys` stand for them, and `key-1` or `redacted-1` for others. */
export function createTokens(keys: readonly NamedKey[]): Tokens {
  const tokens = new Map(keys.map(({ name, secret }) => [secret, name]));
  const unnamed = keys.filter(({ name }) => name.startsWith('key-')).length;
  const counts: Record<SecretKind, number> = { key: unnamed, made: 0, redacted: 0 };
  const given = new Set(keys.map(({ secret }) => secret));
  /** Secrets that were found, the last used at the end. */
  const found = new Set<string>();
  let hide: Hide | undefined;

  const remember = (secret: string, kind: SecretKind) => {
    if (!found.delete(secret)) hide = undefined;
    (kind === 'made' ? given : found).add(secret);
    const [oldest] = found;
    if (found.size > maxRemembered && oldest !== undefined) found.delete(oldest);
  };

  return {
    of(secret, kind, { isPublic = false } = {}) {
      const isFull = tokens.size >= maxCounted;
      const token = tokens.get(secret) ?? `${kind}-${isFull ? 'more' : (counts[kind] += 1)}`;
      if (!isFull) tokens.set(secret, token);
      if (secret.length >= minLengths[kind] && !given.has(secret) && !isPublic)
        remember(secret, kind);
      return token;
    },
    hide(text) {
      hide ??= createHide([...given, ...found]);
      return hide(text, (secret) => tokens.get(secret) ?? 'redacted');
    },
  };
}
