import { endOfValue } from '../json.ts';
import type { FieldRules } from './names.ts';

/** The place of a secret: a field of this name, or in front of a host. */
export type SecretPlace = {
  in: 'basic' | 'credentials' | 'header' | 'cookie' | 'user' | 'parameter' | 'text' | 'number';
  name: string;
};

/** Which fields are hidden, and what stands in the place of each secret, by where it was found. */
export type HidingRules = {
  rules: FieldRules;
  hide: (secret: string, found: SecretPlace) => string;
};

/**
 * The value of a header without its secrets: all of it where the header is there for them, but for
 * the scheme of a credential, and for the names and attributes of cookies; else what its URLs hold.
 */
export function hideInHeader(name: string, value: string, hiding: HidingRules): string {
  const { rules, hide } = hiding;
  if (!rules.isHeader(name)) return hideInUrls(value, hiding);
  const lower = name.toLowerCase();
  if (lower === 'cookie')
    return value
      .split(';')
      .map((pair) => hideCookie(pair, hiding))
      .join(';');
  if (lower === 'set-cookie') {
    const [first = '', ...attributes] = value.split(';');
    return [hideCookie(first, hiding), ...attributes].join(';');
  }
  if (value === '') return value;
  return /^(?:proxy-)?authorization$/.test(lower)
    ? hideCredentials(name, value, hiding)
    : hide(value, { in: 'header', name });
}

function hideCredentials(name: string, value: string, { rules, hide }: HidingRules): string {
  // A scheme alone is no secret: a client whose variable is empty sends "Bearer".
  if (rules.isScheme(value.trim())) return value;
  const [, before = '', scheme = '', credentials = ''] = /^((\S+)\s+)(.*)$/s.exec(value) ?? [];
  if (!rules.isScheme(scheme)) return hide(value, { in: 'header', name });
  const place = /^basic$/i.test(scheme) ? 'basic' : 'credentials';
  return before + hide(credentials, { in: place, name });
}

/** A cookie without its value; one without a name is all value. */
function hideCookie(pair: string, { hide }: HidingRules): string {
  const at = pair.indexOf('=') + 1;
  const secret = pair.slice(at).trim();
  if (secret === '') return pair;
  const name = pair.slice(0, Math.max(at - 1, 0)).trim();
  return pair.slice(0, pair.lastIndexOf(secret)) + hide(secret, { in: 'cookie', name });
}

/** The user and the password of Basic credentials; undefined where these are none. */
export function readBasic(credentials: string): { user: string; password: string } | undefined {
  const pair = Buffer.from(credentials, 'base64').toString();
  const at = pair.indexOf(':');
  if (at === -1 || pair.includes('\ufffd')) return undefined;
  return { user: pair.slice(0, at), password: pair.slice(at + 1) };
}

/**
 * The part of Basic credentials that is to be looked for elsewhere: the password, or a key that is
 * sent as the user; undefined for a password that is the name of its user, which is no secret.
 */
export function secretOfBasic({ user, password }: { user: string; password: string }) {
  return password === user ? undefined : password || user;
}

/**
 * A text that is or holds URLs, without their secrets: the user and the password before a host, and
 * the values of parameters. The text is taken apart, as a pattern for all of it would look at each
 * place again and again.
 */
export function hideInUrls(text: string, hiding: HidingRules): string {
  const withoutUsers = text.includes('@')
    ? text.replace(/(?<=:\/\/)[^/@?#\s]+(?=@)/g, (pair) => {
        const [user = '', ...others] = pair.split(':');
        const password = others.join(':');
        const secret = secretOfBasic({ user, password });
        const hide = (part: string, of: string) =>
          part && hiding.hide(part, { in: 'user', name: of === secret ? '' : 'user' });
        return [hide(user, user), ...others.map((part) => hide(part, password))].join(':');
      })
    : text;
  return hideParameters(withoutUsers, /([?&#\s])/, hiding);
}

/** A form without its secrets. */
export function hideInForm(form: string, hiding: HidingRules): string {
  return hideParameters(form, /(&)/, hiding);
}

function hideParameters(text: string, separator: RegExp, { rules, hide }: HidingRules): string {
  if (!text.includes('=')) return text;
  return text
    .split(separator)
    .map((part) => {
      const at = part.indexOf('=');
      if (at <= 0 || at + 1 === part.length) return part;
      const name = decodePart(part.slice(0, at));
      if (!rules.isParameter(name)) return part;
      return part.slice(0, at + 1) + hide(part.slice(at + 1), { in: 'parameter', name });
    })
    .join('');
}

/** A part of a form or a query without its coding; what is broken in it stays as it is. */
export function decodePart(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replaceAll(/(?:%[\da-f]{2})+/gi, (coded) =>
      Buffer.from(coded.replaceAll('%', ''), 'hex').toString(),
    );
  }
}

/** No name begins behind a backslash; trying there would take as long for each escaped quote. */
const member = /(?<!\\)("(?:[^"\\]|\\.)*")(\s*:\s*)/gs;

/**
 * Replaces the values of hidden members in JSON text by others of the same type, and changes no
 * other byte. The text is searched, not parsed, so it may be cut or invalid. A member that is
 * hidden only for its name is replaced only if it is a text.
 */
export function hideInJson(text: string, hiding: HidingRules): string {
  const { rules } = hiding;
  let result = '';
  let done = 0;
  member.lastIndex = 0;
  for (let found: RegExpExecArray | null; (found = member.exec(text)); ) {
    const name = readString(found[1] as string);
    if (!rules.isMember(name)) continue;
    const start = member.lastIndex;
    // What stays is not read: names within each other would each read all that follows.
    if (!rules.isNamed(name) && text[start] !== '"') continue;
    const end = endOfValue(text, start);
    const hidden = toHidden(text.slice(start, end), name, hiding);
    if (hidden === undefined) continue;
    result += text.slice(done, start) + hidden;
    done = end;
    member.lastIndex = end;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Reads a quoted string; one that is cut has no quote at its end. */
function readString(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, quoted.endsWith('"') ? -1 : undefined);
  }
}

/** Returns the text in place of a value; undefined if the value stays. */
function toHidden(value: string, name: string, { hide }: HidingRules): string | undefined {
  if (value === '' || value === 'null' || value === '""') return undefined;
  if (value.startsWith('"')) return JSON.stringify(hide(readString(value), { in: 'text', name }));
  if (value.startsWith('{')) return '{}';
  if (value.startsWith('[')) return '[]';
  if (value === 'true' || value === 'false') return 'false';
  return hide(value, { in: 'number', name });
}
