import { readExact } from '../../../../contracts/json-text.ts';

/** Parses JSON; an integer that a double cannot hold is a bigint. Throws a SyntaxError. */
export const parseJson = readExact;

/** So deep levels are indented; deeper ones would fill the page with spaces. */
const maxIndent = 32;

/**
 * JSON on lines of its own; only white space changes, so numbers, repeated names and their order
 * stay. Undefined for what is no JSON.
 */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, maxIndent))}`;
  let shown = '';
  for (const [at, token] of tokens.entries()) {
    const isEmpty = /^[}\]]$/.test(token) && /^[{[]$/.test(tokens[at - 1] ?? '');
    if (token === '}' || token === ']') {
      depth -= 1;
      shown += isEmpty ? token : newLine() + token;
    } else if (token === '{' || token === '[') {
      depth += 1;
      shown += /^[}\]]$/.test(tokens[at + 1] ?? '') ? token : token + newLine();
    } else if (token === ',') shown += token + newLine();
    else shown += token === ':' ? ': ' : token;
  }
  return shown;
}

/** A body as a page shows it. */
export type ShownBody =
  | { kind: 'none' }
  | { kind: 'text' | 'binary'; text: string; isWhole: boolean };

/** So many characters are drawn; a browser takes seconds for millions. */
const maxDrawn = 100_000;

/** Larger JSON stays as it was sent, as indenting it would freeze the page. */
const maxIndented = 1_000_000;

/** So many bytes of what is no text are shown. */
const maxHex = 512;

/** Decides how the bytes of a body are shown: JSON on lines of its own, its numbers to the letter. */
export function toShownBody(bytes: Uint8Array, mediaType: string): ShownBody {
  if (bytes.length === 0) return { kind: 'none' };
  const decoded = decode(bytes);
  if (decoded === undefined)
    return {
      kind: 'binary',
      text: toHex(bytes.subarray(0, maxHex)),
      isWhole: bytes.length <= maxHex,
    };
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType);
  const indented = isJson && decoded.length <= maxIndented ? indentJson(decoded) : undefined;
  const text = indented ?? decoded;
  return { kind: 'text', text: text.slice(0, maxDrawn), isWhole: text.length <= maxDrawn };
}

/** Undefined for what is no text: no UTF-8, or with characters that no text has. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function toHex(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '.'));
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(47)}  ${text.join('')}`);
  }
  return lines.join('\n');
}
