import { parseJson, stringifyExact } from '../../../../common/json.ts';

/** Formats JSON on several lines with exact integers; undefined for other text. */
export function indentJson(text: string): string | undefined {
  return rewritten(text, 2);
}

/** Removes white space between the parts of JSON; other text stays. */
export function compactJson(text: string): string {
  return rewritten(text) ?? text;
}

function rewritten(text: string, indent?: number): string | undefined {
  try {
    return stringifyExact(parseJson(text), indent);
  } catch {
    // It is nested too deeply to be written.
    return undefined;
  }
}

/** Returns the error that keeps a text from being JSON. */
export function problemOfJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}.`;
  }
}

/** So many characters are drawn; a browser takes seconds for millions. */
export const maxDrawn = 100_000;

/** Returns a body for display, with formatted JSON; undefined for binary content. */
export function toShownBody(bytes: Uint8Array, mediaType: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType);
    // To indent more would freeze the page.
    return (isJson && text.length <= 10 * maxDrawn ? indentJson(text) : undefined) ?? text;
  } catch {
    return undefined;
  }
}
