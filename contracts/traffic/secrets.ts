import { unescaped } from '../../common/path-template.ts';
import {
  decodePart,
  type HidingRules,
  hideInHeader,
  hideInJson,
  hideInUrls,
  readBasic,
  type SecretPlace,
  secretOfBasic,
} from '../../common/secrets/fields.ts';
import type { FieldRules } from '../../common/secrets/names.ts';
import { valuesOf } from '../transcript/exchange.ts';
import { isNoKey } from './credentials.ts';
import type { RecordedExchange } from './read-outcome.ts';

/** Shorter texts may be ordinary words. */
const minLength = 4;

/** Longer bodies are not searched for members that hold secrets. */
const maxBody = 64 * 1024;

/** Whether a text may occur within other words, as the password "pass" in "passed". */
export function mayBeWord(text: string): boolean {
  return /^[a-z]{1,7}$/i.test(text);
}

/**
 * Everything of an exchange that may be a secret, in whatever form it was sent: credentials, cookies
 * and members of the body that are called so. A deployment may repeat each of them.
 */
export function secretsOf({ request, response }: RecordedExchange, rules: FieldRules): string[] {
  const found: string[] = [];
  const hide: HidingRules['hide'] = (secret, { in: place }) => {
    found.push(...(place === 'user' ? [] : formsOf(secret, place)));
    return secret;
  };
  for (const [name, value] of request.headers) hideInHeader(name, value, { rules, hide });
  for (const value of valuesOf(response?.headers ?? [], 'Set-Cookie'))
    hideInHeader('Set-Cookie', value, { rules, hide });
  hideInUrls(request.url, { rules, hide });
  found.push(unescaped(URL.parse(request.url)?.password ?? ''));
  const { bytes } = request.body ?? {};
  if (bytes && bytes.length <= maxBody) hideInJson(toText(bytes), { rules, hide });
  return [...new Set(found)].filter((text) => text.length >= minLength && !isNoKey(text));
}

function formsOf(secret: string, place: SecretPlace['in']): string[] {
  if (place === 'parameter') return [decodePart(secret)];
  if (place === 'cookie') return [secret, unescaped(secret)];
  if (place === 'credentials') return secret.split(/\s+/);
  if (place !== 'basic') return [secret.trim()];
  const pair = readBasic(secret);
  return [secret, (pair && secretOfBasic(pair)) ?? ''];
}

function toText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}
