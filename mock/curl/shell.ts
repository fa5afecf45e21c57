/** A word that bash and zsh take to the letter, on one line. */
export function toShellWord(text: string): string {
  if (/^[\w:,./+-]+$/.test(text)) return text;
  if (!control.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/[\\']/g, '\\$&').replace(new RegExp(control, 'gu'), toEscape)}'`;
}

const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function toEscape(char: string): string {
  return short[char] ?? [...new TextEncoder().encode(char)].map(toHex).join('');
}

function toHex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
