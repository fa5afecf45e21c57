import type { Redaction } from './redact-fields.ts';
import type { Tokens } from './tokens.ts';

/** No name begins behind a backslash; trying there would take as long for each escaped quote. */
const member = /(?<!\\)("(?:[^"\\]|\\.)*")(\s*:\s*)/gs;
const scalar = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/sy;

/**
 * JSON with the values of hidden members replaced by others of their type, and no other byte changed:
 * it is searched rather than parsed, so that it also works where the text is cut or broken. A member
 * that is hidden for its name alone is replaced only if it is a text.
 */
export function redactJson(text: string, { tokens, rules }: Redaction): string {
  let result = '';
  let done = 0;
  member.lastIndex = 0;
  for (let found: RegExpExecArray | null; (found = member.exec(text)); ) {
    const name = toName(found[1] as string);
    if (!rules.isHidden(name)) continue;
    const start = member.lastIndex;
    const isNamed = rules.isNamed(name);
    // What stays is not read: names within each other would each read all that follows.
    if (!isNamed && /[{[]/.test(text[start] ?? '')) continue;
    const { value, end } = readValue(text, start);
    const hidden = toHidden(value, { tokens, isNamed });
    if (hidden === undefined) continue;
    result += text.slice(done, start) + hidden;
    done = end;
    member.lastIndex = end;
  }
  return done === 0 ? text : result + text.slice(done);
}

function toName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, quoted.endsWith('"') ? -1 : undefined);
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, -1);
  }
}

function readValue(text: string, start: number): { value: string; end: number } {
  if (text[start] === '{' || text[start] === '[') {
    const end = endOfNested(text, start);
    return { value: text.slice(start, end), end };
  }
  scalar.lastIndex = start;
  // A text that is cut has no quote at its end.
  const value = scalar.exec(text)?.[0] ?? (text[start] === '"' ? text.slice(start) : '');
  return { value, end: start + value.length };
}

/** Where an object or an array ends, or the text if it is cut. */
function endOfNested(text: string, start: number): number {
  const token = /"(?:[^"\\]|\\.)*(?:"|$)|[{}[\]]/gsy;
  const next = /["{}[\]]/g;
  let depth = 0;
  for (let at = start; at < text.length; ) {
    next.lastIndex = at;
    const found = next.exec(text);
    if (!found) break;
    token.lastIndex = found.index;
    const [read = ''] = token.exec(text) ?? [];
    at = found.index + read.length;
    if (read === '{' || read === '[') depth += 1;
    if (read === '}' || read === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** What stands in the place of a value; undefined where it stays. */
function toHidden(
  value: string,
  { tokens, isNamed }: { tokens: Tokens; isNamed: boolean },
): string | undefined {
  if (value === '' || value === 'null' || value === '""') return undefined;
  if (value.startsWith('"')) return JSON.stringify(tokens.of(toName(value), 'redacted'));
  if (!isNamed) return undefined;
  if (value.startsWith('{')) return '{}';
  if (value.startsWith('[')) return '[]';
  return value === 'true' || value === 'false' ? 'false' : String(tokens.numberOf(value));
}
