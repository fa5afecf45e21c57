/** What {@link isName} asks for. */
export const nameRule = '1 to 64 letters, digits and ._- that begin with a letter or digit';

/** Whether a text can name a sandbox, a snapshot or a fault. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,63})$/.test(text);
}
