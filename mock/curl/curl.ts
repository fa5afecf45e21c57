import { headerValues } from '../../common/http/header-values.ts';
import type { Entry } from '../journal/entry.ts';
import { filtered } from '../redact.ts';
import type { CurlTrust } from './curl-trust.ts';
import { basicUser } from './place-key.ts';
import { toShellWord } from './shell.ts';

/** Lists the headers that curl sets itself, or that do not fit the body as shown. */
const ownHeaders = [
  'host',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'expect',
];

type Options = {
  trust?: CurlTrust;
  /** The key that was sent, if it is no secret; it needs no encoding anywhere. */
  key?: string | undefined;
};

/**
 * Returns a shell line that repeats the request, with the TLS options that curl needs. Each key is
 * `$KEY` unless it is given. Undefined without a request.
 */
export function toCurl(
  { method, absoluteUrl, request }: Entry,
  { trust = () => [], key }: Options = {},
): string | undefined {
  if (method === null || absoluteUrl === null) return undefined;
  const { headers, body } = request;
  const toWord = key === undefined ? toWordWithVariable : toWordWith(key);
  const parts = ['curl', '-i', ...(URL.canParse(absoluteUrl) ? trust(absoluteUrl) : [])];
  if (method === 'HEAD') parts.push('-I');
  else if (method !== (body === null ? 'GET' : 'POST')) parts.push('-X', toShellWord(method));
  // Without this, curl takes the dots out of a path and makes more of brackets.
  if (/\/\.|[[\]{}]/.test(absoluteUrl.replaceAll(filtered, ''))) parts.push('-g', '--path-as-is');
  for (const [name, values] of Object.entries(headers)) {
    if (ownHeaders.includes(name.toLowerCase())) continue;
    for (const value of [values].flat())
      if (value === `Basic ${filtered}`) parts.push('-u', toWord(`${basicUser}:${filtered}`));
      else parts.push('-H', toWord(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body !== null) {
    if (headerValues(headers, 'content-type').length === 0) parts.push('-H', "'Content-Type:'");
    parts.push('--data-raw', toWord(body));
  }
  const isOther = request.truncated || headerValues(headers, 'content-encoding').length > 0;
  const note = isOther ? '# The body differs from what was sent.\n' : '';
  return `${note}${[...parts, toWord(absoluteUrl)].join(' ')}\n`;
}

function toWordWith(key: string) {
  return (text: string) => toShellWord(text.replaceAll(filtered, key));
}

/** A word for the shell, which fills in the key and nothing else. */
function toWordWithVariable(text: string): string {
  const pieces = text.split(filtered);
  if (pieces.length === 1) return toShellWord(text);
  const isPlain = (piece: string) => /^[^"\\`$!\p{C}]*$/u.test(piece);
  return pieces.every((piece, at) => isPlain(piece) && (at === 0 || !/^\w/.test(piece)))
    ? `"${pieces.join('$KEY')}"`
    : pieces.map((piece) => (piece === '' ? '' : toShellWord(piece))).join('"$KEY"');
}
