import type { KeyNames } from '../description/key-places.ts';
import { isSecretName } from '../description/secret-names.ts';
import { isSecretParameter } from './credentials.ts';
import type { SecretKind, Tokens } from './tokens.ts';

/** Which fields are hidden: those that are there for keys, and those of `names`, in any case. */
export type FieldRules = {
  isHidden: (name: string) => boolean;
  isHiddenHeader: (name: string) => boolean;
  isHiddenParameter: (name: string) => boolean;
  /** Whether somebody asked for it, so that it is hidden whatever its value is. */
  isNamed: (name: string) => boolean;
};

/** What is hidden, and what stands in its place. */
export type Redaction = { tokens: Tokens; rules: FieldRules };

/** The rules of the names that somebody asked for, and of those for keys that a document gives. */
export function toFieldRules(
  names: readonly string[],
  { headers, parameters }: KeyNames = { headers: [], parameters: [] },
): FieldRules {
  const ofKeys = new Set(headers.map((name) => name.toLowerCase()));
  const asked = new Set(names.map((name) => name.toLowerCase()));
  const isNamed = (name: string) => asked.has(name.toLowerCase());
  return {
    isNamed,
    isHidden: (name) => isNamed(name) || isSecretName(name),
    isHiddenHeader: (name) => isNamed(name) || ofKeys.has(name.toLowerCase()) || isSecretName(name),
    isHiddenParameter: (name) =>
      isNamed(name) || parameters.includes(name) || isSecretParameter(name),
  };
}

/** The value of a header, its secrets replaced. */
export function redactHeader(name: string, value: string, { tokens, rules }: Redaction): string {
  if (value === '' || !rules.isHiddenHeader(name)) return value;
  switch (name.toLowerCase()) {
    case 'authorization':
    case 'proxy-authorization':
      return redactCredentials(value, tokens);
    case 'cookie':
      return value
        .split(';')
        .map((one) => hideCookie(one, tokens))
        .join(';');
    case 'set-cookie': {
      const [first = '', ...attributes] = value.split(';');
      return [hideCookie(first, tokens), ...attributes].join(';');
    }
    default:
      return tokens.of(value, kindOf(name, rules));
  }
}

function hideCookie(pair: string, tokens: Tokens): string {
  const secret = pair.slice(pair.indexOf('=') + 1).trim();
  return secret === ''
    ? pair
    : pair.slice(0, pair.lastIndexOf(secret)) + tokens.of(secret, 'redacted');
}

/** Credentials keep their scheme; those of Basic keep their form. */
function redactCredentials(value: string, tokens: Tokens): string {
  const [, scheme = '', credentials = ''] = /^(\S+ +)?(.*)$/s.exec(value) ?? [];
  // A scheme alone holds no key: "Bearer".
  if (scheme === '' && /^(?:bearer|basic|digest|token)$/i.test(credentials)) return value;
  if (credentials === '') return value;
  if (!/^basic /i.test(scheme)) return scheme + tokens.of(credentials, 'key');
  const pair = Buffer.from(credentials, 'base64').toString();
  const isPair = pair.includes(':') && !pair.includes('\ufffd');
  if (!isPair) return scheme + tokens.of(credentials, 'key');
  const parts = /^([^:]*):(.*)$/s.exec(pair)?.slice(1) ?? [];
  tokens.of(credentials, 'key');
  const hidden = parts.map((part) => (part === '' ? '' : tokens.of(part, 'key')));
  return scheme + Buffer.from(hidden.join(':')).toString('base64');
}

/** A URL, or a path with a query: its user and password, and its hidden parameters, replaced. */
export function redactUrl(url: string, redaction: Redaction): string {
  const { tokens } = redaction;
  const [, before = '', query, hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  const host = before.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/@]+)@/i, (_, scheme: string, user) => {
    const parts = (user as string).split(':');
    const hidden = parts.map((part) =>
      part === '' ? '' : encodeURIComponent(tokens.of(decode(part), 'key')),
    );
    return `${scheme}${hidden.join(':')}@`;
  });
  const rest = query === undefined ? '' : `?${redactForm(query.slice(1), redaction)}`;
  return host + rest + hash;
}

/** A form or a query: the values of its hidden fields replaced. */
export function redactForm(form: string, { tokens, rules }: Redaction): string {
  return form
    .split('&')
    .map((field) => {
      const at = field.indexOf('=');
      const [name, value] = [decode(field.slice(0, Math.max(at, 0))), field.slice(at + 1)];
      const isKept = at <= 0 || value === '' || !rules.isHiddenParameter(name);
      if (isKept) return field;
      const token = tokens.of(decode(value), kindOf(name, rules), name);
      return `${field.slice(0, at)}=${encodeURIComponent(token)}`;
    })
    .join('&');
}

/** What somebody asked for is no key. */
function kindOf(name: string, { isNamed }: FieldRules): SecretKind {
  return isNamed(name) ? 'redacted' : 'key';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
