import type { KeyPlace } from '../../openapi/index.ts';
import { basicUser, toKeyed } from './place-key.ts';
import { posixShell, type Shell } from './shell.ts';

/** Describes an operation: its method, and the places where a call carries its key. */
export type CurlOperation = { method: string; keyPlaces: readonly KeyPlace[] };

/** Holds the content of a call: path with query below the base path, headers and body. */
export type Call = {
  target: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The media type of the body, where it is not `application/json`. */
  mediaType?: string;
  /** The fields of the body, where it is a multipart form. */
  parts?: readonly FormField[];
  /** The name of the file that the body was read from, where it was. */
  file?: string;
};

/** A field of a multipart form, or a file where it says so. */
export type FormField = { name: string; text: string; type?: string; isFile?: boolean };

export type CurlOptions = {
  /** Origin and base path. */
  base: string;
  /** A key, or a variable of the shell such as `$KEY`. */
  key: string;
  /** Lists the options by which curl trusts the certificate. */
  trust: readonly string[];
  /** Selects the shell to paste into; by default bash and the like. */
  shell?: Shell;
};

/** A ready-to-paste line that calls an operation. */
export function toCurl(
  { method, keyPlaces }: CurlOperation,
  { target, headers = {}, body, mediaType, parts, file }: Call,
  { base, key, trust, shell = posixShell }: CurlOptions,
): string {
  const { word } = shell;
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  return [
    shell.curl,
    ...trust,
    ...(isImplied ? [] : method === 'HEAD' ? ['-I'] : ['-X', method]),
    ...keyPlaces.flatMap((place) => toKeyWords(place, key, shell)),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', word(`${name}: ${value}`)]),
    ...(file === undefined ? [] : ['--json', word(`@${file}`)]),
    ...(body === undefined || file !== undefined
      ? []
      : (toFormWords(word, parts) ?? toBodyWords(word, body, mediaType))),
    toUrlWord(base + target, { keyPlaces, key, shell }),
  ].join(' ');
}

/** The words that send a key, unless it is in the URL. */
function toKeyWords(place: KeyPlace, key: string, shell: Shell): string[] {
  const withKey = (before: string) => toKeyWord(before, key, shell);
  switch (place.in) {
    case 'header':
      return ['-H', withKey(`${place.name}: `)];
    case 'cookie':
      return ['-b', withKey(`${place.name}=`)];
    case 'query':
      return [];
    case 'authorization':
      return place.scheme === 'Basic'
        ? ['-u', withKey(`${basicUser}:`)]
        : ['-H', withKey(`Authorization: ${place.scheme} `)];
  }
}

type UrlOptions = Pick<CurlOperation, 'keyPlaces'> & { key: string; shell: Shell };

function toUrlWord(url: string, { keyPlaces, key, shell }: UrlOptions): string {
  const names = keyPlaces.flatMap((place) => (place.in === 'query' ? [place.name] : []));
  if (names.length === 0) return shell.word(url);
  const value = isVariable(key) ? key : encodeURIComponent(key);
  return names.reduce((word, name, at) => {
    const separator = at === 0 && !url.includes('?') ? '?' : '&';
    const before = `${at === 0 ? url : ''}${separator}${encodeURIComponent(name)}=`;
    return word + toKeyWord(before, value, shell);
  }, '');
}

/** A word that ends with the key; a shell fills a variable in. */
function toKeyWord(before: string, key: string, { word, wordWith }: Shell): string {
  return isVariable(key) ? wordWith(before, key) : word(before + key);
}

function isVariable(key: string): boolean {
  return key.startsWith('$');
}

/** A multipart form as fields; undefined where there is none, and of names that have no such form. */
function toFormWords(word: Shell['word'], parts: readonly FormField[] = []): string[] | undefined {
  if (parts.length === 0 || parts.some(({ name }) => !/^[^\p{C}="\\;]+$/u.test(name)))
    return undefined;
  return parts.flatMap(({ name, text, type, isFile }) => {
    // In quotes, curl takes no file for the text, and nothing in it for an option.
    const isPlain = /^(?![@<"\s])[^;]*$/.test(text);
    const shown = isPlain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
    const ofType = type === undefined ? '' : `;type=${type}`;
    return ['-F', word(`${name}=${shown}${ofType}${isFile ? ';filename=example' : ''}`)];
  });
}

/** A body that begins with an at sign is a file's name for all options of curl but one. */
function toBodyWords(word: Shell['word'], body: string, mediaType = 'application/json'): string[] {
  // What these options leave to curl is what a form is sent as.
  if (mediaType === 'application/x-www-form-urlencoded' && !body.startsWith('@'))
    return ['-d', word(body)];
  return body.startsWith('@') || mediaType !== 'application/json'
    ? ['-H', word(`Content-Type: ${mediaType}`), '--data-raw', word(body)]
    : ['--json', word(body)];
}

type FetchOptions = {
  /** Origin and base path. */
  base: string;
  /** A key; without one, `YOUR_KEY` stands in its place. */
  key: string | undefined;
};

/** A ready-to-paste snippet that calls an operation, for browsers and Node. */
export function toFetch(
  { method, keyPlaces }: CurlOperation,
  call: Call,
  { base, key = 'YOUR_KEY' }: FetchOptions,
): string {
  const { body } = call;
  const { target, headers } = toKeyed(call, keyPlaces, key);
  const options = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    body,
  };
  const url = toCode(base + target);
  const text = toCode(options);
  const code = text === '{}' ? `fetch(${url})` : `fetch(${url}, ${text})`;
  return [
    `const response = await ${code};`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** A value as code, in which nothing is unseen. */
function toCode(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
