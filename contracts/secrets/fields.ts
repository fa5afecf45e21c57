import type { FieldRules } from './names.ts';

/** Where a secret was found: in a field of this name, or in front of a host. */
export type Found = {
  in: 'basic' | 'credentials' | 'header' | 'cookie' | 'user' | 'parameter' | 'text' | 'number';
  name: string;
};

/** Which fields are hidden, and what stands in the place of each secret, by where it was found. */
export type Hiding = { rules: FieldRules; hide: (secret: string, found: Found) => string };

/**
 * The value of a header without its secrets: all of it where the header is there for them, but for
 * the scheme of a credential, and for the names and attributes of cookies; else what its URLs hold.
 */
export function hideInHeader(name: string, value: string, hiding: Hiding): string {
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
  // A scheme alone is no secret: a client whose variable is empty sends "Bearer".
  if (value === '' || rules.isScheme(value.trim())) return value;
  const [, before = '', scheme = '', credentials = value] = /^((\S+)\s+)(.*)$/s.exec(value) ?? [];
  if (!rules.isScheme(scheme)) return hide(value, { in: 'header', name });
  const place = /^basic$/i.test(scheme) ? 'basic' : 'credentials';
  return before + hide(credentials, { in: place, name });
}

/** A cookie without its value; one without a name is all value. */
function hideCookie(pair: string, { hide }: Hiding): string {
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
 * A text that is or holds URLs, without their secrets: the user and the password before a host, and
 * the values of parameters. The text is taken apart, as a pattern for all of it would look at each
 * place again and again.
 */
export function hideInUrls(text: string, hiding: Hiding): string {
  const withoutUsers = text.includes('@')
    ? text.replace(/(?<=:\/\/)[^/@?#\s]+(?=@)/g, (user) =>
        user
          .split(':')
          .map((part) => (part === '' ? '' : hiding.hide(part, { in: 'user', name: '' })))
          .join(':'),
      )
    : text;
  return hideParameters(withoutUsers, /([?&#\s])/, hiding);
}

/** A form without its secrets. */
export function hideInForm(form: string, hiding: Hiding): string {
  return hideParameters(form, /(&)/, hiding);
}

function hideParameters(text: string, separator: RegExp, { rules, hide }: Hiding): string {
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
