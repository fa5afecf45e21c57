import { toJson } from '../common/json.ts';
import { html, type Markup, preformatted } from '../common/look/markup.ts';

/** A value as JSON; undefined where it has more characters than that, or contains itself. */
export function toShortJson(value: unknown, max: number, indent?: number): string | undefined {
  try {
    const text = toJson(value, indent);
    return text.length > max ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A value as JSON with a line for each member; bigints are integers. */
export function jsonView(value: unknown): Markup {
  const text = toShortJson(value, 1_000_000, 2);
  return text === undefined
    ? html`It is too large to show here; the document has it.`
    : preformatted(text);
}

/**
 * A value that should be text, as text: an object, which some documents have in its place, is JSON on
 * one line, as far as it is short.
 */
export function toPlainText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return toShortJson(value, 10_000) ?? 'a value too large to show';
}
