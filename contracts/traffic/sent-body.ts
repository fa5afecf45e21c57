import { define, isObject, parseJson } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { valuesOf } from '../transcript/exchange.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

type Request = RecordedExchange['request'];

/** The body of a recorded request: JSON, or a form as the object that it is; undefined without one. */
export function sentBodyOf({ headers, body }: Request): unknown {
  if (!body) return undefined;
  const text = Buffer.from(body.bytes).toString();
  return isForm(headers) ? toObject(new URLSearchParams(text)) : parseJson(text);
}

/** Whether a recorded request has a form. */
export function isForm(headers: Request['headers']): boolean {
  const [type = ''] = valuesOf(headers, 'Content-Type');
  return toEssence(type) === 'application/x-www-form-urlencoded';
}

/** The object of a form: `a[b]=1` is a member of `a`, `a[]=1` and `a[0]=1` are items of a list. */
function toObject(pairs: URLSearchParams): Record<string, unknown> {
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
