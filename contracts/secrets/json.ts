import { endOfValue } from '../json-text.ts';
import type { Hiding } from './fields.ts';

/** No name begins behind a backslash; trying there would take as long for each escaped quote. */
const member = /(?<!\\)("(?:[^"\\]|\\.)*")(\s*:\s*)/gs;

/**
 * JSON with the values of hidden members replaced by others of their type, and no other byte changed:
 * it is searched rather than parsed, so that it also works where the text is cut or broken. A member
 * that is hidden for its name alone is replaced only if it is a text.
 */
export function hideInJson(text: string, hiding: Hiding): string {
  const { rules } = hiding;
  let result = '';
  let done = 0;
  member.lastIndex = 0;
  for (let found: RegExpExecArray | null; (found = member.exec(text)); ) {
    const name = readString(found[1] as string);
    if (!rules.isMember(name)) continue;
    const start = member.lastIndex;
    // What stays is not read: names within each other would each read all that follows.
    if (!rules.isNamed(name) && text[start] !== '"') continue;
    const end = endOfValue(text, start);
    const hidden = toHidden(text.slice(start, end), name, hiding);
    if (hidden === undefined) continue;
    result += text.slice(done, start) + hidden;
    done = end;
    member.lastIndex = end;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** What a string stands for; one that is cut has no quote at its end. */
function readString(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted.slice(1, quoted.endsWith('"') ? -1 : undefined);
  }
}

/** What stands in the place of a value; undefined where it stays. */
function toHidden(value: string, name: string, { hide }: Hiding): string | undefined {
  if (value === '' || value === 'null' || value === '""') return undefined;
  if (value.startsWith('"')) return JSON.stringify(hide(readString(value), { in: 'text', name }));
  if (value.startsWith('{')) return '{}';
  if (value.startsWith('[')) return '[]';
  if (value === 'true' || value === 'false') return 'false';
  return hide(value, { in: 'number', name });
}
