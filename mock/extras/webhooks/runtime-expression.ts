import { fromFragmentToken } from '../../../contracts/description/json-pointer.ts';
import type { Fields } from '../../items/stored-item.ts';

/** A request and its answer, as runtime expressions find values in them. */
export type ExpressionSource = {
  url: string;
  method: string;
  status: number;
  request: ExpressionMessage;
  response: ExpressionMessage;
};

/** Parts of a message: headers by their names in lower case, and the parsed body. */
type ExpressionMessage = { header: Fields; query: Fields; path: Fields; body: unknown };

const expression =
  /^\$(?:(url|method|statusCode)|(request|response)\.(?:(header|query|path)\.(.+)|body(?:#(.*))?))$/s;

/**
 * A text with runtime expressions (OpenAPI 3.1 §4.8.20.4): one alone, or some in braces. Undefined
 * where one of them finds nothing.
 */
export function evaluate(text: string, source: ExpressionSource): string | undefined {
  if (text.startsWith('$')) return valueBy(text, source);
  let isWhole = true;
  const found = text.replace(/\{(\$[^{}]*)\}/g, (_, inner: string) => {
    const value = valueBy(inner, source);
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? found : undefined;
}

function valueBy(text: string, source: ExpressionSource): string | undefined {
  const [matched, ofCall, side, place, name = '', pointer = ''] = expression.exec(text) ?? [];
  if (matched === undefined) return undefined;
  if (ofCall === 'url') return source.url;
  if (ofCall === 'method') return source.method;
  if (ofCall === 'statusCode') return String(source.status);
  const message = source[side as 'request' | 'response'];
  const value = place
    ? ownOf(message[place as 'header'], place === 'header' ? name.toLowerCase() : name)
    : pointedAt(message.body, pointer);
  const [first] = [value].flat();
  if (typeof first === 'object') return first === null ? undefined : JSON.stringify(first);
  return first === undefined ? undefined : String(first);
}

/** What a JSON pointer in a fragment leads to (RFC 6901 §6). */
function pointedAt(body: unknown, pointer: string): unknown {
  try {
    return pointer.split('/').slice(1).map(fromFragmentToken).reduce(ownOf, body);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function ownOf(held: unknown, key: string): unknown {
  const isHolder = typeof held === 'object' && held !== null && Object.hasOwn(held, key);
  return isHolder ? (held as Fields)[key] : undefined;
}
