/** A word that bash and zsh take to the letter, on one line. */
export function toShellWord(text: string): string {
  if (/^[\w:,./+-]+$/.test(text)) return text;
  if (!control.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/[\\']/g, '\\$&').replace(new RegExp(control, 'gu'), toEscape)}'`;
}

/** Writes the words of a curl line for one shell. */
export type Shell = {
  /** Names the program: `curl` alone is another command in Windows PowerShell. */
  curl: string;
  /** A word that is taken to the letter. */
  word(text: string): string;
  /** A word that ends with a variable of the environment, such as `$KEY`. */
  wordWith(text: string, variable: string): string;
};

export const posixShell: Shell = {
  curl: 'curl',
  word: toShellWord,
  wordWith: (text, variable) =>
    /^[\w :.,=&?%/+-]*$/.test(text) ? `"${text}${variable}"` : `${toShellWord(text)}"${variable}"`,
};

/**
 * PowerShell 7.3 and later. What is within quotes goes to a program to the letter, but earlier ones
 * lose double quotes there. Typographic quotes are quotes, too.
 */
const powerShell: Shell = {
  curl: 'curl.exe',
  word(text) {
    if (/^-?[\w:./+-]+$/.test(text)) return text;
    if (!control.test(text)) return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
    return `"${toPowerShellText(text)}"`;
  },
  wordWith: (text, variable) => `"${toPowerShellText(text)}${variable.replace(/^\$/, '$env:')}"`,
};

/** The shell of a visitor, by the header User-Agent of the browser. */
export function shellOf(userAgent = ''): Shell {
  return /\bWindows\b/.test(userAgent) ? powerShell : posixShell;
}

function toPowerShellText(text: string): string {
  const toEscape = (char: string) => `\`u{${char.codePointAt(0)?.toString(16)}}`;
  return text.replace(/[`$"\u201c-\u201e]/g, '`$&').replace(new RegExp(control, 'gu'), toEscape);
}

const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function toEscape(char: string): string {
  return short[char] ?? [...new TextEncoder().encode(char)].map(toHex).join('');
}

function toHex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
