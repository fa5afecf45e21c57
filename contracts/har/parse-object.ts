import { membersOf } from '../json.ts';

/** A value of a recording, or what is wrong with it as the end of a sentence. */
export type Parsed =
  | { value: Record<string, unknown>; problem?: never }
  /** `endsEarly`: it may be the beginning of valid JSON. */
  | { value?: never; problem: string; endsEarly: boolean };

/** Parses a JSON object. No problem quotes the text, as it may hold keys. */
export function parseObject(bytes: Uint8Array): Parsed {
  const { buffer, byteOffset, length } = bytes;
  const text = Buffer.from(buffer, byteOffset, length)
    .toString()
    .replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return describe((error as Error).message, text);
  }
  if (Array.isArray(value)) return { problem: 'is no JSON object, but a list', endsEarly: false };
  const members = membersOf(value);
  if (members) return { value: members };
  return { problem: `is no JSON object, but ${toKind(value)}`, endsEarly: false };
}

function toKind(value: unknown): string {
  return value === null ? 'null' : `a ${typeof value}`;
}

function describe(message: string, text: string): Parsed {
  const [, what = '', place] =
    /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ??
    /^(Unexpected token .*?), .* is not valid JSON$/s.exec(message) ??
    [];
  const endsEarly =
    /end of JSON input|^Unterminated string/.test(message) ||
    Number(place) >= text.trimEnd().length;
  if (endsEarly) return { problem: 'is not valid JSON: it ends too early', endsEarly };
  const reason = what === '' ? '' : `: ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
  const at = place === undefined ? '' : ` at character ${Number(place) + 1}`;
  return { problem: `is not valid JSON${reason}${at}`, endsEarly };
}
