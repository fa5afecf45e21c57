/** A preference: a token, and its value if it has one (RFC 7240 §2). */
const preference = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(.*))?$/s;

/**
 * The preferences of a Prefer header: names in lower case, the first of each name; an empty value
 * counts as none. Parameters and malformed preferences are dropped. A value that is not a token is
 * read as it is.
 */
export function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [first = ''] = splitOutsideQuotes(element, ';');
    const [, name, value = ''] = preference.exec(first) ?? [];
    if (name !== undefined && !preferences.has(name.toLowerCase()))
      preferences.set(name.toLowerCase(), unquote(value.trim()));
  }
  return preferences;
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') at += 1;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unquote(value: string): string {
  const inside = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1];
  return inside === undefined ? value : inside.replace(/\\(.)/gs, '$1');
}

/**
 * A preference as written in a header; the value is quoted unless it is a token (RFC 9110 §5.6).
 */
export function toPreference(name: string, value: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return `${name}=${value}`;
  const printable = value.toWellFormed().replace(/[^\x20-\x7e]/gu, encodeURIComponent);
  return `${name}="${printable.replace(/["\\]/g, '\\$&')}"`;
}
