import { toJson } from '../json.ts';
import { html, type Markup, preformatted } from '../look/markup.ts';

/** Up to so many characters are coloured; more would be slow to draw. */
const maxColoured = 50_000;

/** More characters are not shown. */
const maxShown = 1_000_000;

/** An object of more characters is not shown where text belongs. */
const maxPlain = 10_000;

/** A value as JSON with a line for each member, coloured by class; bigints are integers. */
export function jsonView(value: unknown): Markup {
  if (isLarge(value, maxShown)) return html`It is too large to show here; the document has it.`;
  const text = toJson(value, 2);
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

/**
 * A value that should be text, as text: an object, which some documents have in its place, is JSON on
 * one line, as far as it is short.
 */
export function toPlainText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return isLarge(value, maxPlain) ? 'a value too large to show' : toJson(value);
}

/** Whether a value takes more than so many characters, see {@link createSizeOf}. */
export function isLarge(value: unknown, max: number): boolean {
  return createSizeOf(max)(value) > max;
}

/**
 * Gives the function that finds about how many characters values take as JSON with a line for each
 * member, exact no further than a maximum; one that contains itself has no end. Parts that are in
 * values several times, as aliases of YAML are, count each time and are looked at once.
 */
export function createSizeOf(max: number): (value: unknown) => number {
  const known = new Map<object, Extent>();
  const extentOf = (node: unknown): Extent => {
    if (typeof node !== 'object' || node === null) return { size: lengthOf(node), lines: 1 };
    const before = known.get(node);
    if (before) return before;
    // It counts as endless where it comes again within itself.
    const extent = { size: Number.POSITIVE_INFINITY, lines: 0 };
    known.set(node, extent);
    let [size, lines] = [3, 2];
    for (const key in node) {
      const inner = extentOf((node as Record<string, unknown>)[key]);
      // Each line of it is indented once more.
      size += key.length + 6 + inner.size + 2 * inner.lines;
      lines += inner.lines;
      if (size > max) break;
    }
    extent.size = size;
    extent.lines = lines;
    return extent;
  };
  return (value) => extentOf(value).size;
}

/** Of the many values of a large document, `toJson` would take too long. */
function lengthOf(scalar: unknown): number {
  return typeof scalar === 'string' ? JSON.stringify(scalar).length : String(scalar).length;
}

/** How many characters and lines a value takes. */
type Extent = { size: number; lines: number };
