/** A part of a URL without its percent-encoding; as it is where that is broken, as clients send it. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
