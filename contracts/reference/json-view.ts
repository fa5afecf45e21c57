import { html, type Markup, preformatted } from '../look/markup.ts';

/** Up to so many characters are coloured; more would be slow to draw. */
const maxColoured = 50_000;

/** More characters are not shown. */
const maxShown = 1_000_000;

/** A value as JSON with a line for each member, coloured by class; bigints are integers. */
export function jsonView(value: unknown): Markup {
  if (isLarge(value, maxShown)) return html`It is too large to show here; the document has it.`;
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

/**
 * Whether a value takes more than so many characters as JSON; parts that are in it several times, as
 * aliases of YAML are, count each time and are looked at once.
 */
export function isLarge(value: unknown, max: number): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (node: unknown): number => {
    if (typeof node === 'string') return node.length + 2;
    if (typeof node !== 'object' || node === null) return 4;
    const known = sizes.get(node);
    if (known !== undefined) return known;
    let size = 2;
    for (const [key, inner] of Object.entries(node)) size += key.length + 4 + sizeOf(inner);
    sizes.set(node, size);
    return size;
  };
  return sizeOf(value) > max;
}
