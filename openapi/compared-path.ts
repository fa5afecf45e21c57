/**
 * Returns a path, or the text of a template, in the form that both are compared in: encoded as it
 * has to be, and not otherwise (RFC 3986 §6.2.2). Reserved characters stay as they are.
 */
export function toComparedPath(path: string): string {
  return path.replace(/(?:%[\da-f]{2}|[^!-~]|["<>\\^`|])+/giu, (part) => {
    try {
      return encodeURIComponent(decodeURIComponent(part));
    } catch {
      return part;
    }
  });
}
