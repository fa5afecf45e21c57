/** A key as a token of a JSON pointer (RFC 6901 §3). */
export function toToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The key that a token of a JSON pointer stands for. */
export function fromToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** The same for a token of a pointer in the fragment of a URL (RFC 6901 §6). */
export function fromFragmentToken(token: string): string {
  return fromToken(token.includes('%') ? decodeURIComponent(token) : token);
}
