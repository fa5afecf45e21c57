import type { Fields } from './json.ts';
import { fromFragmentToken } from './json-pointer.ts';
import { valueIn } from './property-path.ts';

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
 * Evaluates a text with runtime expressions (OpenAPI 3.1 §4.8.20.4): one expression, or several in
 * braces. Undefined if one has no value.
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
  const keys = place ? [place === 'header' ? name.toLowerCase() : name] : toKeys(pointer);
  const value = keys && valueIn(message[(place ?? 'body') as keyof ExpressionMessage], keys);
  const [first] = [value].flat();
  if (typeof first === 'object') return first === null ? undefined : JSON.stringify(first);
  return first === undefined ? undefined : String(first);
}

/** Returns the keys of a JSON pointer in a fragment (RFC 6901 §6); undefined if it is invalid. */
function toKeys(pointer: string): string[] | undefined {
  try {
    return pointer.split('/').slice(1).map(fromFragmentToken);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
