import { define, isObject, parseJson } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { valuesOf } from '../transcript/exchange.ts';
import type { RecordedExchange } from './read-outcome.ts';

type Request = RecordedExchange['request'];

/** The body of a recorded request: JSON, or a form as the object that it is; undefined if none. */
export function sentBodyOf({ headers, body }: Request): unknown {
  if (!body) return undefined;
  const text = Buffer.from(body.bytes).toString();
  const [type = ''] = valuesOf(headers, 'Content-Type');
  const [, boundary] = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(type) ?? [];
  if (boundary !== undefined) return toObject(fieldsIn(text, boundary));
  return isForm(headers) ? toObject(new URLSearchParams(text)) : parseJson(text);
}

/** Whether a recorded request has a form. */
export function isForm(headers: Request['headers']): boolean {
  const [type = ''] = valuesOf(headers, 'Content-Type');
  return toEssence(type) === 'application/x-www-form-urlencoded';
}

/**
 * The fields of a multipart form (RFC 7578). Of a file, a form has the name alone, as a member that no
 * expression can name: the mock reads the content there.
 */
function fieldsIn(text: string, boundary: string): [name: string, value: string][] {
  return text.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, Math.max(end, 0));
    const [, name] = /^content-disposition:.*;\s*name="([^"]*)"/im.exec(head) ?? [];
    const [, file] = /;\s*filename\*?="?([^";\r\n]*)/i.exec(head) ?? [];
    if (name === undefined) return [];
    const value = part.slice(end + 4).replace(/\r\n$/, '');
    return [file === undefined ? [name, value] : [`${name}[filename*]`, file]];
  });
}

/** The object of a form: `a[b]=1` is a member of `a`, `a[]=1` and `a[0]=1` are items of a list. */
function toObject(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
    const inner = [...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key);
    put(root, [first, ...inner], value);
  }
  return root;
}

function put(holder: Record<string, unknown>, keys: readonly string[], value: string): void {
  const [key = '', ...inner] = keys;
  if (inner.length === 0) return void define(holder, key, value);
  const isList = /^\d*$/.test(inner[0] ?? '');
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined;
  if (isList) {
    const list: unknown[] = Array.isArray(known) ? known : [];
    define(holder, key, list);
    if (inner.length === 1) list.push(value);
    return;
  }
  const held = isObject(known) ? known : {};
  define(holder, key, held);
  put(held, inner, value);
}
