/** Tells whether a template needs no encoding, so that requests of it have but one form. */
export function isPlainTemplate(template: string): boolean {
  return /^[\w\-.~{}/:]*$/.test(template);
}

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
