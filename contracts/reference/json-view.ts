import { html, type Markup, preformatted } from '../look/markup.ts';

/** Up to so many characters are coloured; more would be slow to draw. */
const maxColoured = 50_000;

/** A value as JSON with a line for each member, coloured by class; bigints are integers. */
export function jsonView(value: unknown): Markup {
  const text = toJsonText(value);
  if (text.length > maxColoured) return preformatted(text);
  const pattern = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
  const parts: (Markup | string)[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [token, colon] = match;
    parts.push(preformatted(text.slice(from, match.index)));
    from = match.index + token.length;
    const kind = colon === undefined ? (token.startsWith('"') ? 'string' : 'literal') : 'key';
    parts.push(html`<span class="json-${kind}">${preformatted(token)}</span>`);
  }
  return html`${[...parts, preformatted(text.slice(from))]}`;
}

/** A value as JSON, with a line for each member where there is an indent; bigints are integers. */
export function toJsonText(value: unknown, indent = 2): string {
  const exact = (_: string, inner: unknown) =>
    typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner;
  return JSON.stringify(value, exact, indent) ?? 'nothing';
}
